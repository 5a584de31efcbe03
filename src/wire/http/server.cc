#include "wire/http/server.h"

#include <charconv>
#include <chrono>
#include <csignal>

#include "wire/http/conversation.h"

namespace tacit::wire::http {
namespace {

using boost::system::error_code;
using tcp = asio::ip::tcp;
constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);

Error Unavailable(std::string message, std::string hint = "") {
  Error error = InvalidArgument(std::move(message), std::move(hint));
  error.code = ErrorCode::kUnavailable;
  return error;
}

class BeastServer final : public Server {
 public:
  BeastServer(const Options& options, Handler handler) {
    shared_.limits = options.limits;
    shared_.handler = std::move(handler);
    if (options.workers == 0) return;
    workers_ = std::make_unique<asio::thread_pool>(options.workers);
    shared_.workers = workers_.get();
  }

  ~BeastServer() override {
    if (workers_) workers_->join();
  }

  Result<Done> Open(const std::string& endpoint) {
    const size_t colon = endpoint.rfind(':');
    std::string host = endpoint.substr(0, std::min(colon, endpoint.size()));
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    uint16_t port = 0;
    error_code error;
    const asio::ip::address address = asio::ip::make_address(host, error);
    const char* end = endpoint.data() + endpoint.size();
    if (error || colon == std::string::npos ||
        std::from_chars(endpoint.data() + colon + 1, end, port).ptr != end) {
      return InvalidArgument("\"" + endpoint + "\" is not an address and a port",
                             "127.0.0.1:8080, or [::1]:8080");
    }
    const tcp::endpoint wanted(address, port);
    acceptor_.open(wanted.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(wanted, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return Unavailable("cannot listen on " + endpoint + ": " + error.message());
    return Done{};
  }

  Result<Done> UseTls(const TlsFiles& files) {
    tls_.emplace(asio::ssl::context::tls_server);
    error_code error;
    tls_->set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, error);
    if (!error) tls_->use_certificate_chain_file(files.certificate, error);
    if (error) return Unavailable("cannot use the certificate " + files.certificate);
    tls_->use_private_key_file(files.key, asio::ssl::context::pem, error);
    if (error) return Unavailable("cannot use the key " + files.key + " with its certificate");
    return Done{};
  }

  uint16_t port() const override { return acceptor_.local_endpoint().port(); }

  void Run() override {
    asio::signal_set signals(context_, SIGINT, SIGTERM);
    signals.async_wait([this](const error_code& error, int) {
      if (!error) Close();
    });
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
    for (beast::tcp_stream* stream : shared_.idle) stream->cancel();
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
      error_code unknown;
      const tcp::endpoint peer = socket.remote_endpoint(unknown);
      if (unknown) continue;
      ++connections_;
      std::string remote = peer.address().to_string();
      asio::co_spawn(context_,
                     tls_ ? ConverseUnderTls(std::move(socket), *tls_, shared_, std::move(remote))
                          : ConverseInTheClear(std::move(socket), shared_, std::move(remote)),
                     [this](const std::exception_ptr&) { --connections_; });
    }
  }

  Shared shared_;
  std::unique_ptr<asio::thread_pool> workers_;
  std::optional<asio::ssl::context> tls_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  uint32_t connections_ = 0;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Listen(const std::string& endpoint, const Options& options,
                                               Handler handler) {
  auto server = std::make_unique<BeastServer>(options, std::move(handler));
  if (options.tls) TACIT_CHECK(server->UseTls(*options.tls));
  TACIT_CHECK(server->Open(endpoint));
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace tacit::wire::http
