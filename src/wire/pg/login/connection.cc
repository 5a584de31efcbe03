#include "wire/pg/login/connection.h"

#include "base/process/memory_reserve.h"
#include "wire/pg/state/report.h"

namespace tacit::wire::pg {

Connection::Connection(Transport::Socket socket, std::shared_ptr<ServerState> server)
    : server_(std::move(server)), transport_(std::move(socket)), tls_(server_->tls) {
  server_->connections.insert(this);
}

Connection::~Connection() { server_->connections.erase(this); }

void Connection::BecomeLoggedIn() {
  logged_in_ = true;
  transport_.KeepOpen();
}

void Connection::Stop() {
  if (!busy_ && !in_sequence_) transport_.Interrupt();
}

asio::awaitable<std::optional<Result<Frame>>> Connection::ReadFrame() {
  frame_bytes_.Clear();
  char head[kFrameHeadBytes];
  const bool got_head = co_await transport_.Read(head, sizeof head);
  if (!got_head) co_return std::nullopt;
  const Result<FrameHead> read = ReadFrameHead({head, sizeof head}, logged_in_);
  if (!read.ok()) co_return std::optional<Result<Frame>>(read.error());
  if (read->body_bytes > kOtherFrameBytesMax) {
    if (!frame_bytes_.HasRoomFor(read->body_bytes, server_->limits.frames)) {
      co_return std::optional<Result<Frame>>(
          Condition("too many long messages of yours at once", "out_of_memory",
                    "connect again, and send them one after the other"));
    }
    frame_bytes_ += read->body_bytes;
  }
  Frame frame{.type = read->type, .body = {}};
  {
    const MayLackMemory large;  // its sender may be refused; others may not
    frame.body.resize(read->body_bytes);
  }
  // Half a message holds its memory no longer than a slow reader may.
  if (logged_in_) transport_.CloseAfter(server_->limits.write);
  const bool got_body = co_await transport_.Read(frame.body.data(), frame.body.size());
  if (logged_in_) transport_.KeepOpen();
  if (!got_body) co_return std::nullopt;
  co_return std::optional<Result<Frame>>(std::move(frame));
}

asio::awaitable<bool> Connection::Flush() {
  if (out_.empty()) co_return true;
  const std::string bytes = std::move(out_);
  out_.clear();
  if (logged_in_) transport_.CloseAfter(server_->limits.write);
  const bool written = co_await transport_.Write(bytes);
  if (logged_in_) transport_.KeepOpen();
  co_return written;
}

asio::awaitable<bool> Connection::FlushWhenFull() {
  if (out_.size() < kFlushBytes) co_return true;
  const bool written = co_await Flush();
  co_return written;
}

asio::awaitable<void> Connection::Refuse(const Report& report) {
  AddReport(out_, report);
  const bool written = co_await Flush();
  if (written) co_await transport_.Finish();
}

}  // namespace tacit::wire::pg
