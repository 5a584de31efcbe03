#include "wire/pg/server.h"

#include "base/memory_reserve.h"
#include "wire/service/log.h"

namespace tacit::wire::pg {

Server::Server(asio::ip::tcp::acceptor acceptor, House& house,
               std::shared_ptr<const TlsIdentity> tls, const ServerLimits& limits)
    : acceptor_(std::move(acceptor)),
      hall_(new Hall{.house = house,
                     .tls = std::move(tls),
                     .limits = {},
                     .logged_in_max = limits.logged_in_max,
                     .logged_in_of_analyst_max = limits.logged_in_of_analyst_max,
                     .strangers = Strangers(limits.strangers)}) {}

void Server::Start() {
  if (hall_->accepting || !acceptor_.is_open()) return;
  // However the accepting ends, also before it began, it may begin again.
  std::shared_ptr<Hall> accepting(hall_.get(), [hall = hall_](Hall*) { hall->accepting = false; });
  hall_->accepting = true;
  asio::co_spawn(acceptor_.get_executor(), Accept(std::move(accepting)),
                 [this](const std::exception_ptr& failure) {
                   if (failure) Start();
                 });
}

void Server::Stop() {
  hall_->stopping = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (Session* session : hall_->sessions) session->Stop();
}

// For what comes back by itself, most likely: descriptors, memory.
asio::awaitable<void> Server::Pause() {
  asio::steady_timer pause(acceptor_.get_executor(), std::chrono::milliseconds(50));
  const auto [waited] = co_await pause.async_wait(kAsTuple);
  (void)waited;
}

asio::awaitable<void> Server::Accept(std::shared_ptr<Hall>) {
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(kAsTuple);
    if (error == asio::error::operation_aborted) break;
    bool received = false;
    if (!error) {
      try {
        Receive(std::move(socket));
        received = true;
      } catch (...) {
        Log("connection_lost");  // it is closed; nobody else is touched
      }
    }
    if (!received) co_await Pause();
    ReplenishMemoryAside();
  }
}

void Server::Receive(Transport::Socket socket) {
  const auto session = std::make_shared<Session>(std::move(socket), hall_);
  if (session->address().empty()) return;  // gone already
  Strangers::Stay stay =
      hall_->strangers.Enter(session->address(), [weak = std::weak_ptr<Session>(session)] {
        const std::shared_ptr<Session> stranger = weak.lock();
        if (stranger == nullptr) return;
        Log("connection_refused", {{"remote", stranger->address()}});
        stranger->ShowOut();
      });
  asio::co_spawn(acceptor_.get_executor(), Session::Run(session, std::move(stay)),
                 [](const std::exception_ptr& failure) {
                   if (failure) Log("session_failed");
                 });
}

}  // namespace tacit::wire::pg
