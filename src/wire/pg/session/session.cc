#include "wire/pg/session/session.h"

#include "base/memory_reserve.h"
#include "wire/pg/session/report.h"
#include "wire/service/log.h"

namespace tacit::wire::pg {

Session::Session(Transport::Socket socket, std::shared_ptr<Hall> hall)
    : shared_hall_(std::move(hall)),
      hall_(*shared_hall_),
      transport_(std::move(socket)),
      tls_(hall_.tls) {
  hall_.sessions.insert(this);
}

// However it ends, the hall forgets it.
Session::~Session() {
  hall_.sessions.erase(this);
  if (key_) hall_.registry.Remove(*key_);
  statement_bytes_.Clear();
  portal_bytes_.Clear();
  if (!has_seat_) return;
  const auto seats = hall_.logged_in.find(analyst_);
  if (--seats->second.taken == 0) hall_.logged_in.erase(seats);
}

asio::awaitable<void> Session::Run(std::shared_ptr<Session> session, Strangers::Stay stay) {
  bool failed = false;
  try {
    co_await session->LoginAndServe(stay);
  } catch (...) {
    failed = true;  // out of memory, most likely
  }
  if (!failed) co_return;
  Log("session_failed");
  session->out_.clear();
  const Report report{.severity = Severity::kFatal,
                      .state = "XX000",
                      .message = "the program failed; what was charged stays charged",
                      .hint = "connect again"};
  co_await session->Refuse(report);
}

asio::awaitable<void> Session::LoginAndServe(Strangers::Stay& stay) {
  const bool logged_in = co_await Login();
  if (!logged_in) co_return;
  logged_in_ = true;
  stay.End();
  Log("session_opened", {{"analyst", analyst_}, {"remote", transport_.remote()}});
  co_await Serve();
  Log("session_closed", {{"analyst", analyst_}});
}

void Session::Stop() {
  if (!busy_ && !in_sequence_) transport_.Interrupt();
}

void Session::Cancel() {
  cancelled_ = true;
  if (waiting_) waiting_->cancel();
}

asio::awaitable<std::optional<Result<Frame>>> Session::ReadFrame(bool logged_in) {
  char head[kFrameHeadBytes];
  const bool got_head = co_await transport_.Read(head, sizeof head);
  if (!got_head) co_return std::nullopt;
  const Result<FrameHead> read = ReadFrameHead({head, sizeof head}, logged_in);
  if (!read.ok()) co_return std::optional<Result<Frame>>(read.error());
  Frame frame{.type = read->type, .body = {}};
  {
    const MayLackMemory large;  // its sender may be refused; others may not
    frame.body.resize(read->body_bytes);
  }
  // Half a message holds its memory no longer than a slow reader may.
  if (logged_in) transport_.CloseAfter(hall_.limits.write);
  const bool got_body = co_await transport_.Read(frame.body.data(), frame.body.size());
  if (logged_in) transport_.KeepOpen();
  if (!got_body) co_return std::nullopt;
  co_return std::optional<Result<Frame>>(std::move(frame));
}

asio::awaitable<bool> Session::Flush() {
  if (out_.empty()) co_return true;
  const std::string bytes = std::move(out_);
  out_.clear();
  if (logged_in_) transport_.CloseAfter(hall_.limits.write);
  const bool written = co_await transport_.Write(bytes);
  if (logged_in_) transport_.KeepOpen();
  co_return written;
}

asio::awaitable<bool> Session::FlushWhenFull() {
  if (out_.size() < kFlushBytes) co_return true;
  const bool written = co_await Flush();
  co_return written;
}

void Session::Fail(const Report& report) {
  AddReport(out_, report);
  if (block_ == Block::kOpen) block_ = Block::kFailed;
}

void Session::Warn(const char* state, const std::string& message) {
  if (!settings_->SendsWarnings()) return;
  AddReport(out_, {.severity = Severity::kWarning, .state = state, .message = message});
}

void Session::AddReadyForQuery() {
  for (const auto& [name, value] : settings_->TakeChanged()) AddParameterStatus(out_, name, value);
  AddReady(out_, block_ == Block::kNone ? 'I' : block_ == Block::kOpen ? 'T' : 'E');
}

asio::awaitable<void> Session::Serve() {
  while (true) {
    std::optional<Result<Frame>> frame;
    if (!hall_.stopping || in_sequence_) frame = co_await ReadFrame(true);
    if (hall_.stopping && !frame && !in_sequence_) {
      AddReport(
          out_,
          {.severity = Severity::kFatal, .state = "57P01", .message = "the server is stopping"});
      const bool written = co_await Flush();
      if (written) co_await transport_.Finish();
      co_return;
    }
    if (!frame) co_return;
    if (!frame->ok()) {
      Report report = ReportOf(frame->error());
      report.severity = Severity::kFatal;
      co_await Refuse(report);
      co_return;
    }
    busy_ = true;
    in_sequence_ = (*frame)->type != 'Q' && (*frame)->type != 'S' && (*frame)->type != 'F';
    const bool goes_on = co_await Handle(**frame);
    busy_ = false;
    if (!goes_on) co_return;
  }
}

// False when the session is over.
asio::awaitable<bool> Session::Handle(const Frame& frame) {
  if (frame.type == 'X') co_return false;
  if (!hall_.house.terms()->verifiers.contains(analyst_)) {
    Log("session_ended", {{"analyst", analyst_}, {"condition", "no_longer_an_analyst"}});
    const Report report{.severity = Severity::kFatal,
                        .state = "28000",
                        .message = "\"" + analyst_ + "\" may not ask here any more",
                        .hint = "ask the owner of the data"};
    co_await Refuse(report);
    co_return false;
  }
  if (frame.type == 'S') {
    skipping_ = false;
    EraseFinishedPortals();
    AddReadyForQuery();
    const bool written = co_await Flush();
    co_return written;
  }
  if (skipping_) co_return true;
  if (frame.type == 'H') {
    const bool written = co_await Flush();
    co_return written;
  }
  if (frame.type == 'Q') {
    const Result<std::string> text = ReadQuery(frame.body);
    if (text.ok()) {
      co_await RunQueryMessage(*text);
    } else {
      Fail(ReportOf(text.error()));
    }
    AddReadyForQuery();
    const bool written = co_await Flush();
    co_return written;
  }
  if (frame.type == 'F') {  // answered like a simple query: no Sync follows
    AddReport(out_, {.severity = Severity::kError,
                     .state = "0A000",
                     .message = "function calls by number are not answered",
                     .hint = "send a query"});
    if (block_ == Block::kOpen) block_ = Block::kFailed;
    AddReadyForQuery();
    const bool written = co_await Flush();
    co_return written;
  }
  Result<Done> done = Done{};
  sent_offset_ = 0;
  switch (frame.type) {
    case 'P':
      done = co_await HandleParse(frame);
      break;
    case 'B':
      done = co_await HandleBind(frame);
      break;
    case 'D':
      done = co_await HandleDescribe(frame);
      break;
    case 'E':
      done = co_await HandleExecute(frame);
      break;
    case 'C':
      done = HandleClose(frame);
      break;
    default:
      co_return true;  // copy messages outside a copy are left out, as PostgreSQL does
  }
  if (!done.ok()) {
    Fail(ReportOf(done.error(), sent_, sent_offset_));
    skipping_ = true;
  }
  const bool goes_on = co_await FlushWhenFull();
  co_return goes_on;
}

}  // namespace tacit::wire::pg
