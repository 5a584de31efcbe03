#include "wire/pg/session/asking.h"

#include "wire/service/front_door.h"
#include "wire/service/time_grid.h"
#include "wire/transport/waker.h"
#include "wire/words/log.h"

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

// Where a worker leaves what it made; the worker's alone until `done`.
template <class T>
struct Slot {
  Slot(const asio::any_io_executor& executor, T if_lost)
      : ready(executor, asio::steady_timer::time_point::max()), made(std::move(if_lost)) {}
  asio::steady_timer ready;
  T made;
  bool done = false;
};

// Has work done by a worker and waits for what it makes. `if_lost` is what a job leaves that never
// ran to its end.
template <class T>
Later<T> ByWorker(Session& session, T if_lost, std::function<T(size_t worker)> work) {
  const asio::any_io_executor executor = session.connection.transport().executor();
  const auto slot = std::make_shared<Slot<T>>(executor, std::move(if_lost));
  auto waker = std::make_shared<Waker>(executor, [slot] {
    slot->done = true;
    slot->ready.cancel();
  });
  WorkerPool::Job job = [slot, waker = std::move(waker),
                         work = std::move(work)](size_t worker) mutable {
    const std::shared_ptr<Waker> wakes = std::move(waker);  // when this ends, however it does
    slot->made = work(worker);
  };
  const bool taken = HandToWorker(session.analyst, session.deployment(), std::move(job));
  if (!taken) co_return TooManyWaiting();
  Waiting& waiting = session.waiting;
  waiting.cancelled = false;
  waiting.timer = std::shared_ptr<asio::steady_timer>(slot, &slot->ready);
  if (waiting.deadline) slot->ready.expires_at(*waiting.deadline);
  bool timed_out = false;
  while (!slot->done && !waiting.cancelled && !timed_out) {
    const auto [error] = co_await slot->ready.async_wait(kAsTuple);
    timed_out = !error;
  }
  waiting.timer.reset();
  if (!slot->done) co_return timed_out ? TimedOut() : Cancelled();
  co_return std::move(slot->made);
}

asio::awaitable<void> WaitUntil(Session& session, Instant when) {
  if (when <= std::chrono::steady_clock::now()) co_return;
  asio::steady_timer tick(session.connection.transport().executor());
  tick.expires_at(when);
  const auto [error] = co_await tick.async_wait(kAsTuple);
  (void)error;
}

asio::awaitable<Outcome<AnyAnswer>> AnswerFrom(Session& session, Question question) {
  LiveDeployment& deployment = session.deployment();
  if (std::optional<Outcome<AnyAnswer>> at_once = AnswerAtOnce(question, deployment)) {
    session.waiting.cancelled = false;
    co_return std::move(*at_once);
  }
  const Instant asked = question.asked;
  using Made = Outcome<AnyAnswer>;
  std::function<Made(size_t)> work = [question = std::move(question),
                                      &deployment](size_t worker) mutable {
    return wire::Answer(std::move(question), deployment, worker);
  };
  Made lost{.result = ProgramFailed()};
  Result<Made> made = co_await ByWorker<Made>(session, std::move(lost), std::move(work));
  if (made.ok()) co_return std::move(made).value();
  const int every_ms = deployment.terms()->policy.server.answer_every_ms;
  co_return Made{.result = std::move(made).error(),
                 .leaves_at = NextTick(asked, std::chrono::steady_clock::now(), every_ms)};
}

}  // namespace

Question QuestionOf(const Session& session, std::string text, sql::SharedReading reading) {
  const Settings& settings = session.state.settings;
  return {.text = std::move(text),
          .reading = std::move(reading),
          .analyst = session.analyst,
          .wish = settings.wish(),
          .session = AskingSession{.database = session.database,
                                   .process = session.key.process,
                                   .settings = settings.Values(),
                                   .last = session.state.last},
          .asked = std::chrono::steady_clock::now(),
          .previews = settings.Previews(),
          .zone = settings.Style().zone,
          .began = session.state.transaction.began};
}

asio::awaitable<Result<Shape>> AskShape(Session& session, Question question) {
  LiveDeployment& deployment = session.deployment();
  std::function<Result<Shape>(size_t)> work = [question = std::move(question),
                                               &deployment](size_t worker) mutable {
    return Describe(std::move(question), deployment, worker);
  };
  Result<Shape> lost = ProgramFailed();
  Result<Result<Shape>> made =
      co_await ByWorker<Result<Shape>>(session, std::move(lost), std::move(work));
  if (!made.ok()) co_return std::move(made).error();
  co_return std::move(made).value();
}

asio::awaitable<Result<Table>> Ask(Session& session, Question question) {
  Waiting& waiting = session.waiting;
  if (const auto most = session.state.settings.StatementTimeout(); most.count() > 0) {
    waiting.deadline = std::chrono::steady_clock::now() + most;
  }
  Outcome<AnyAnswer> outcome = co_await AnswerFrom(session, std::move(question));
  const std::optional<Instant> deadline = std::exchange(waiting.deadline, std::nullopt);
  if (outcome.leaves_at != Instant()) {
    co_await WaitUntil(session, outcome.leaves_at);
    // Whether a question was done when it was cancelled, or when its time was over, is told on the
    // grid only: otherwise the asker's own clock would measure it.
    if (waiting.cancelled) {
      outcome.result = Cancelled();
    } else if (deadline && std::chrono::steady_clock::now() >= *deadline) {
      outcome.result = TimedOut();
    }
  }
  if (!outcome.result.ok()) {
    if (outcome.result.error().rule == "query_canceled") {
      Log("question_canceled", {{"analyst", session.analyst}, {"state", "57014"}});
    }
    co_return std::move(outcome.result).error();
  }
  co_return TableOf(std::move(outcome.result).value());
}

}  // namespace tacit::wire::pg
