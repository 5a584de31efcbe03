#include "wire/http/server.h"

#include <csignal>

#include "wire/http/conversation.h"
#include "wire/transport/listen.h"

namespace tacit::wire::http {
namespace {

using boost::system::error_code;

class AsioServer final : public Server {
 public:
  AsioServer(const Options& options, Handler handler) : options_(options) {
    shared_.limits = options.limits;
    shared_.handler = std::move(handler);
    if (options.workers == 0) return;
    workers_ = std::make_unique<asio::thread_pool>(options.workers);
    shared_.workers = workers_.get();
  }

  ~AsioServer() override {
    if (workers_) workers_->join();
  }

  Result<Done> Open(const std::string& endpoint) {
    TACIT_TRY(acceptor_, ListenOn(context_, endpoint));
    return Done{};
  }

  uint16_t port() const override { return acceptor_.local_endpoint().port(); }

  void Run() override {
    asio::signal_set signals(context_);
    if (options_.stops_on_signals) {
      signals.add(SIGINT);
      signals.add(SIGTERM);
      signals.async_wait([this](const error_code& error, int) {
        if (!error) Close();
      });
    }
    asio::co_spawn(context_, Accept(), [&signals](const std::exception_ptr&) { signals.cancel(); });
    context_.run();
  }

  void Stop() override {
    asio::post(context_, [this] { Close(); });
  }

 private:
  void Close() {
    shared_.stopping = true;
    error_code ignored;
    acceptor_.close(ignored);
    for (Transport* transport : shared_.idle) transport->Close();
  }

  asio::awaitable<void> Accept() {
    while (acceptor_.is_open()) {
      auto [error, socket] = co_await acceptor_.async_accept(kAsTuple);
      if (error == asio::error::operation_aborted) break;
      if (error) {
        // Out of descriptors, most likely: wait for some to come back instead of spinning.
        asio::steady_timer pause(context_, std::chrono::milliseconds(50));
        co_await pause.async_wait(kAsTuple);
        continue;
      }
      if (connections_ >= shared_.limits.connections_max) continue;  // closes it
      ++connections_;
      asio::co_spawn(context_, Welcome(std::move(socket)),
                     [this](const std::exception_ptr&) { --connections_; });
    }
  }

  asio::awaitable<void> Welcome(Transport::Socket socket) {
    Transport transport(std::move(socket));
    transport.CloseAfter(std::chrono::seconds(shared_.limits.idle_seconds_max));
    if (options_.tls) {
      const bool started = co_await transport.StartTls(options_.tls);
      if (!started) co_return;
    }
    co_await Converse(transport, shared_);
  }

  const Options options_;
  Shared shared_;
  std::unique_ptr<asio::thread_pool> workers_;
  asio::io_context context_{1};
  asio::ip::tcp::acceptor acceptor_{context_};
  uint32_t connections_ = 0;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Listen(const std::string& endpoint, const Options& options,
                                               Handler handler) {
  auto server = std::make_unique<AsioServer>(options, std::move(handler));
  TACIT_CHECK(server->Open(endpoint));
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace tacit::wire::http
