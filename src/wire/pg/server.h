#pragma once

#include <memory>

#include "wire/pg/login/connection.h"

namespace tacit::wire::pg {

struct ServerLimits {
  size_t logged_in_max = 500;
  size_t logged_in_of_analyst_max = 200;
  Strangers::Limits strangers = {};
};

// Takes connections of the PostgreSQL protocol. For the thread that runs its context.
class Server {
 public:
  Server(asio::ip::tcp::acceptor acceptor, LiveDeployment& deployment,
         std::shared_ptr<const TlsIdentity> tls, const ServerLimits& limits = {});

  uint16_t port() const { return acceptor_.local_endpoint().port(); }
  // Begins to take connections, unless it does already; again after the context's run() threw.
  void Start();
  // Takes no more connections, ends idle ones, and the busy ones after their answer.
  void Stop();
  // For connections from now on.
  void UseTls(std::shared_ptr<const TlsIdentity> tls) { state_->tls = std::move(tls); }

  size_t connections() const { return state_->connections.size(); }

 private:
  asio::awaitable<void> Accept(std::shared_ptr<ServerState> accepting);
  asio::awaitable<void> Pause();
  void Receive(Transport::Socket socket);

  asio::ip::tcp::acceptor acceptor_;
  const std::shared_ptr<ServerState> state_;
};

}  // namespace tacit::wire::pg
