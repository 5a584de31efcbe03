#include "wire/pg/server.h"

#include "base/process/memory_reserve.h"
#include "wire/pg/session/session.h"
#include "wire/pg/types/text/encoding.h"
#include "wire/transport/address.h"
#include "wire/words/log.h"

namespace tacit::wire::pg {

Server::Server(asio::ip::tcp::acceptor acceptor, LiveDeployment& deployment,
               std::shared_ptr<const TlsIdentity> tls, const ServerLimits& limits)
    : acceptor_(std::move(acceptor)),
      state_(new ServerState{.deployment = deployment,
                             .tls = std::move(tls),
                             .limits = {},
                             .logged_in_max = limits.logged_in_max,
                             .logged_in_of_analyst_max = limits.logged_in_of_analyst_max,
                             .strangers = Strangers(limits.strangers)}) {
  Encoding::Load();  // before the process forbids itself to load more of the C library
}

void Server::Start() {
  if (state_->accepting || !acceptor_.is_open()) return;
  // However the accepting ends, also before it began, it may begin again.
  std::shared_ptr<ServerState> accepting(
      state_.get(), [state = state_](ServerState*) { state->accepting = false; });
  state_->accepting = true;
  asio::co_spawn(acceptor_.get_executor(), Accept(std::move(accepting)),
                 [this](const std::exception_ptr& failure) {
                   if (failure) Start();
                 });
}

void Server::Stop() {
  state_->stopping = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (Connection* connection : state_->connections) connection->Stop();
}

// For what comes back by itself, most likely: descriptors, memory.
asio::awaitable<void> Server::Pause() {
  asio::steady_timer pause(acceptor_.get_executor(), std::chrono::milliseconds(50));
  const auto [waited] = co_await pause.async_wait(kAsTuple);
  (void)waited;
}

asio::awaitable<void> Server::Accept(std::shared_ptr<ServerState>) {
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
  const auto connection = std::make_shared<Connection>(std::move(socket), state_);
  if (connection->address().empty()) return;  // gone already
  Strangers::Stay stay = state_->strangers.Enter(
      NetworkOf(connection->address()), [weak = std::weak_ptr<Connection>(connection)] {
        const std::shared_ptr<Connection> stranger = weak.lock();
        if (stranger == nullptr) return;
        if (stranger->server()->logs_refused.Due()) {
          Log("connection_refused", {{"remote", stranger->address()}});
        }
        stranger->Close();
      });
  asio::co_spawn(acceptor_.get_executor(), RunConnection(connection, std::move(stay)),
                 [](const std::exception_ptr& failure) {
                   if (failure) Log("session_failed");
                 });
}

}  // namespace tacit::wire::pg
