#include "wire/pg/session/co_try.h"
#include "wire/pg/session/report.h"
#include "wire/pg/session/session.h"
#include "wire/service/log.h"
#include "wire/service/time_grid.h"
#include "wire/transport/waker.h"

// What a session has carried out by the crew.

namespace tacit::wire::pg {
namespace {

Error Cancelled() {
  Error error = InvalidArgument("canceled on the user's request",
                                "what was charged stays charged, and its answer is kept: asking "
                                "again costs nothing");
  error.rule = "query_canceled";
  return error;
}

Error TimedOut() {
  Error error = Cancelled();
  error.public_message = "canceling statement due to statement timeout";
  return error;
}

Error TooManyWaiting() {
  Error error{.code = ErrorCode::kUnavailable,
              .public_message = "too many of your questions are waiting already",
              .hint = "wait for their answers",
              .position = std::nullopt,
              .private_detail = ""};
  error.rule = "too_many_connections";
  return error;
}

Error Fault() {
  return Error{.code = ErrorCode::kInternal,
               .public_message = "the program failed; what was charged stays charged",
               .hint = "",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

template <class T>
asio::awaitable<Result<T>> Session::OnCrew(std::function<Result<T>(size_t worker)> work) {
  struct Slot {
    explicit Slot(const asio::any_io_executor& executor)
        : ready(executor, asio::steady_timer::time_point::max()) {}
    asio::steady_timer ready;
    Result<T> result = Fault();  // what a job leaves that throws; the worker's alone until `done`
    bool done = false;
  };
  const auto slot = std::make_shared<Slot>(transport_.executor());
  auto waker = std::make_shared<Waker>(transport_.executor(), [slot] {
    slot->done = true;
    slot->ready.cancel();
  });
  Crew::Job job = [slot, waker = std::move(waker), work = std::move(work)](size_t worker) mutable {
    const std::shared_ptr<Waker> wakes = std::move(waker);  // when this ends, however it does
    slot->result = work(worker);
  };
  const bool taken = hall_.house.crew().Submit(analyst_, std::move(job));
  if (!taken) co_return TooManyWaiting();
  cancelled_ = false;
  waiting_ = std::shared_ptr<asio::steady_timer>(slot, &slot->ready);
  if (deadline_) slot->ready.expires_at(*deadline_);
  bool timed_out = false;
  while (!slot->done && !cancelled_ && !timed_out) {
    const auto [error] = co_await slot->ready.async_wait(kAsTuple);
    timed_out = !error;
  }
  waiting_.reset();
  if (!slot->done) co_return timed_out ? TimedOut() : Cancelled();
  co_return std::move(slot->result);
}

asio::awaitable<void> Session::WaitForTick(std::chrono::steady_clock::time_point asked,
                                           int every_ms) {
  if (every_ms <= 0) co_return;
  asio::steady_timer tick(transport_.executor());
  tick.expires_at(NextTick(asked, std::chrono::steady_clock::now(), every_ms));
  const auto [error] = co_await tick.async_wait(kAsTuple);
  (void)error;
}

Question Session::QuestionOf(std::string text, std::vector<uint32_t> types, Row parameters) const {
  return {.text = std::move(text),
          .analyst = analyst_,
          .wish = settings_->wish(),
          .parameter_types = std::move(types),
          .parameters = std::move(parameters),
          .database = database_,
          .process = key_->process,
          .settings = settings_->Values()};
}

asio::awaitable<Result<Shape>> Session::AskShape(std::string text, std::vector<uint32_t> types) {
  Question question = QuestionOf(std::move(text), std::move(types), {});
  House& house = hall_.house;
  std::function<Result<Shape>(size_t)> work = [question = std::move(question), &house,
                                               terms = house.terms()](size_t worker) {
    return Describe(question, house, terms, worker);
  };
  Result<Shape> shape = co_await OnCrew<Shape>(std::move(work));
  co_return shape;
}

asio::awaitable<Result<Table>> Session::Ask(std::string text, std::vector<uint32_t> types,
                                            Row parameters) {
  const auto asked = std::chrono::steady_clock::now();
  Question question = QuestionOf(std::move(text), std::move(types), std::move(parameters));
  House& house = hall_.house;
  const TermsInForce terms = house.terms();
  if (const auto most = settings_->StatementTimeout(); most.count() > 0) {
    deadline_ = std::chrono::steady_clock::now() + most;
  }
  Result<Table> table = Fault();
  if (std::optional<Table> at_once = AnswerAtOnce(question, house, *terms)) {
    cancelled_ = false;
    table = std::move(*at_once);
  } else {
    std::function<Result<Table>(size_t)> work = [question = std::move(question), &house,
                                                 terms](size_t worker) {
      return wire::Answer(question, house, terms, worker);
    };
    table = co_await OnCrew<Table>(std::move(work));
  }
  // Answers and errors alike: when one leaves must not say how long it took. Only what is known to
  // have asked the catalog alone leaves at once.
  if (!table.ok() || table->is_private) {
    co_await WaitForTick(asked, terms->policy.server.answer_every_ms);
    // Whether a question was done when it was cancelled, or when its time was over, is told on the
    // grid only: otherwise the asker's own clock would measure it.
    if (cancelled_) {
      table = Cancelled();
    } else if (deadline_ && std::chrono::steady_clock::now() >= *deadline_) {
      table = TimedOut();
    }
  }
  deadline_.reset();
  LogFailure(analyst_, table);
  Log("question",
      {{"analyst", analyst_}, {"state", table.ok() ? "00000" : StateOf(table.error())}});
  co_return table;
}

}  // namespace tacit::wire::pg
