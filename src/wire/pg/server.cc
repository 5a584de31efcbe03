#include "wire/pg/server.h"

#include "wire/service/log.h"

namespace tacit::wire::pg {
Server::Server(asio::ip::tcp::acceptor acceptor, House& house,
               std::shared_ptr<const TlsIdentity> tls, const ServerLimits& limits)
    : acceptor_(std::move(acceptor)),
      limits_(limits),
      hall_{.house = house, .registry = registry_, .tls = std::move(tls), .limits = {}} {}

void Server::Start() { asio::co_spawn(acceptor_.get_executor(), Accept(), asio::detached); }

void Server::Stop() {
  hall_.stopping = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (const std::shared_ptr<Session>& session : sessions_) session->Stop();
}

asio::awaitable<void> Server::Accept() {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(kAsTuple);
    if (error == asio::error::operation_aborted) break;
    if (error) {
      // Out of descriptors, most likely: wait for some to come back instead of spinning.
      asio::steady_timer pause(acceptor_.get_executor(), std::chrono::milliseconds(50));
      const auto [waited] = co_await pause.async_wait(kAsTuple);
      (void)waited;
      continue;
    }
    Receive(std::move(socket));
  }
}

void Server::Receive(Transport::Socket socket) {
  boost::system::error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return;
  const std::string address = peer.address().to_string();
  if (sessions_.size() >= limits_.connections_max || before_login_ >= limits_.before_login_max ||
      before_login_of_[address] >= limits_.before_login_of_address_max) {
    Log("connection_refused", {{"remote", address}});
    return;  // closes it
  }
  // Counted among the strangers until it has logged in, or is gone.
  const auto stranger = std::make_shared<bool>(true);
  const auto leave = [this, address, stranger] {
    if (!std::exchange(*stranger, false)) return;
    --before_login_;
    if (--before_login_of_[address] == 0) before_login_of_.erase(address);
  };
  ++before_login_;
  ++before_login_of_[address];
  const auto place =
      sessions_.insert(sessions_.end(), std::make_shared<Session>(std::move(socket), hall_));
  const std::shared_ptr<Session> session = *place;
  asio::co_spawn(acceptor_.get_executor(), session->Run(leave),
                 [this, place, session, leave](const std::exception_ptr& failure) {
                   if (failure) Log("session_failed");
                   leave();
                   sessions_.erase(place);
                 });
}

}  // namespace tacit::wire::pg
