#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>

#include "wire/pg/session/session.h"

namespace tacit::wire::pg {

struct ServerLimits {
  size_t connections_max = 500;
  size_t before_login_max = 100;            // strangers
  size_t before_login_of_address_max = 40;  // of one address
};

// Takes connections of the PostgreSQL protocol. For the thread that runs its context.
class Server {
 public:
  Server(asio::ip::tcp::acceptor acceptor, House& house, std::shared_ptr<const TlsIdentity> tls,
         const ServerLimits& limits = {});

  uint16_t port() const { return acceptor_.local_endpoint().port(); }
  void Start();
  // Takes no more connections, ends idle sessions, and the busy ones after their answer.
  void Stop();
  // For connections from now on.
  void UseTls(std::shared_ptr<const TlsIdentity> tls) { hall_.tls = std::move(tls); }

  size_t connections() const { return sessions_.size(); }

 private:
  asio::awaitable<void> Accept();
  void Receive(Transport::Socket socket);

  asio::ip::tcp::acceptor acceptor_;
  ServerLimits limits_;
  Registry registry_;
  Hall hall_;
  std::list<std::shared_ptr<Session>> sessions_;
  size_t before_login_ = 0;
  std::map<std::string, size_t> before_login_of_;  // by address
};

}  // namespace tacit::wire::pg
