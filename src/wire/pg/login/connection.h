#pragma once

#include <optional>

#include "wire/pg/login/server_state.h"
#include "wire/pg/protocol/frame.h"
#include "wire/pg/protocol/message.h"
#include "wire/transport/transport.h"

namespace tacit::wire::pg {

// What is sent leaves in pieces of about this size, and waits for a client that does not read.
inline constexpr size_t kFlushBytes = size_t{64} * 1024;

// One client from its first byte to its last: messages that come, and what waits to be sent. For
// the thread of its executor.
class Connection {
 public:
  Connection(Transport::Socket socket, std::shared_ptr<ServerState> server);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  const std::shared_ptr<ServerState>& server() const { return server_; }
  Transport& transport() { return transport_; }
  const TlsIdentity& tls() const { return *tls_; }
  const std::string& address() const { return transport_.remote(); }

  // Everything that is to be sent is added here.
  std::string& out() { return out_; }

  // From the login on no deadline holds but those of single messages.
  void BecomeLoggedIn();
  // Long messages are counted among those of the analyst, by whom nothing is counted any more when
  // it ends.
  HeldBytes& frame_bytes() { return frame_bytes_; }
  // Nothing when the client is gone. The message before it is not needed any more.
  asio::awaitable<std::optional<Result<Frame>>> ReadFrame();
  // False when the client is gone.
  asio::awaitable<bool> Flush();
  // When much waits to be sent, sends it: a client that asks without reading waits for itself.
  asio::awaitable<bool> FlushWhenFull();
  // The last words.
  asio::awaitable<void> Refuse(const Report& report);

  // Between two messages the server may stop; not inside of one, nor between the first message of
  // an extended query and its Sync.
  void SetBusy(bool busy) { busy_ = busy; }
  void SetInSequence(bool in_sequence) { in_sequence_ = in_sequence; }
  bool in_sequence() const { return in_sequence_; }
  // The server stops: who is idle ends now, who is busy after the answer.
  void Stop();
  // Ends it now, whatever it is doing.
  void Close() { transport_.Close(); }

 private:
  const std::shared_ptr<ServerState> server_;
  Transport transport_;
  const std::shared_ptr<const TlsIdentity> tls_;
  std::string out_;
  HeldBytes frame_bytes_;
  bool logged_in_ = false;
  bool busy_ = false;
  bool in_sequence_ = false;
};

}  // namespace tacit::wire::pg
