#include "wire/http/server.h"

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <optional>

namespace tacit::wire::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using tcp = asio::ip::tcp;
using Parser = beast::http::request_parser<beast::http::string_body>;
using Message = beast::http::response<beast::http::string_body>;
constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);

std::string Text(beast::string_view view) { return {view.data(), view.size()}; }

Request ToRequest(Parser& parser, const std::string& remote) {
  auto message = parser.release();
  Request request{.method = Text(message.method_string()),
                  .path = Text(message.target()),
                  .remote = remote,
                  .body = std::move(message.body()),
                  .headers = {}};
  request.path.resize(std::min(request.path.find('?'), request.path.size()));
  for (const auto& field : message.base()) {
    request.headers.emplace_back(Text(field.name_string()), Text(field.value()));
  }
  return request;
}

Message ToMessage(Response response, bool keep_alive, bool head) {
  Message message;
  message.result(response.status);
  message.version(11);
  message.keep_alive(keep_alive);
  message.set(beast::http::field::content_type, response.content_type);
  for (const auto& [name, value] : response.headers) message.set(name, value);
  message.body() = std::move(response.body);
  message.prepare_payload();
  if (head) message.body().clear();  // the length stays that of the body
  return message;
}

// What is wrong with a request that never reached the handler; nothing when there is no one left to
// tell.
std::optional<Response> Refusal(const error_code& error) {
  using Kind = beast::http::error;
  if (error == Kind::body_limit) {
    return Problem(413, "Too large", "the body is larger than this server takes");
  }
  if (error == Kind::header_limit || error == Kind::buffer_overflow) {
    return Problem(431, "Headers too large", "the headers are larger than this server takes");
  }
  if (error == beast::error::timeout) {
    return Problem(408, "Too slow", "the request did not arrive in time");
  }
  const bool about_http = error.category() == make_error_code(Kind::bad_method).category();
  if (about_http && error != Kind::end_of_stream && error != Kind::partial_message) {
    return Problem(400, "Not HTTP", "the request could not be read as HTTP/1.1");
  }
  return std::nullopt;
}

class BeastServer final : public Server {
 public:
  BeastServer(const Limits& limits, Handler handler)
      : limits_(limits), handler_(std::move(handler)) {}

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
    if (error) {
      Error failed = InvalidArgument("cannot listen on " + endpoint + ": " + error.message());
      failed.code = ErrorCode::kUnavailable;
      return failed;
    }
    return Done{};
  }

  uint16_t port() const override { return acceptor_.local_endpoint().port(); }

  void Run() override {
    asio::signal_set signals(context_, SIGINT, SIGTERM);
    signals.async_wait([this](const error_code& error, int) {
      if (!error) CloseAcceptor();
    });
    asio::co_spawn(context_, Accept(), [&signals](const std::exception_ptr&) { signals.cancel(); });
    context_.run();
  }

  void Stop() override {
    asio::post(context_, [this] { CloseAcceptor(); });
  }

 private:
  void CloseAcceptor() {
    stopping_ = true;
    error_code ignored;
    acceptor_.close(ignored);
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
      if (connections_ >= limits_.connections_max) continue;  // closes it
      ++connections_;
      asio::co_spawn(context_, Converse(beast::tcp_stream(std::move(socket))),
                     [this](const std::exception_ptr&) { --connections_; });
    }
  }

  asio::awaitable<void> Converse(beast::tcp_stream stream) {
    error_code address_error;
    const auto peer = stream.socket().remote_endpoint(address_error);
    if (address_error) co_return;
    const std::string remote = peer.address().to_string();
    beast::flat_buffer buffer(limits_.header_bytes_max + limits_.body_bytes_max);
    bool keep_alive = true;
    while (keep_alive && !stopping_) {
      Parser parser;
      parser.header_limit(limits_.header_bytes_max);
      parser.body_limit(limits_.body_bytes_max);
      stream.expires_after(std::chrono::seconds(limits_.idle_seconds_max));
      const auto [read_error, read_bytes] =
          co_await beast::http::async_read(stream, buffer, parser, kAsTuple);
      Response response;
      bool head = false;
      if (read_error) {
        std::optional<Response> refusal = Refusal(read_error);
        if (!refusal) break;
        response = std::move(*refusal);
        keep_alive = false;
      } else {
        keep_alive = parser.get().keep_alive() && !stopping_;
        head = parser.get().method() == beast::http::verb::head;
        response = handler_(ToRequest(parser, remote));
      }
      Message message = ToMessage(std::move(response), keep_alive, head);
      beast::http::response_serializer<beast::http::string_body> serializer(message);
      if (head) serializer.split(true);
      stream.expires_after(std::chrono::seconds(limits_.idle_seconds_max));
      error_code write_error;
      if (head) {
        const auto [error, bytes] =
            co_await beast::http::async_write_header(stream, serializer, kAsTuple);
        write_error = error;
      } else {
        const auto [error, bytes] = co_await beast::http::async_write(stream, serializer, kAsTuple);
        write_error = error;
      }
      if (write_error) break;
    }
    // What the peer still sends is read for a moment: closing over it would reset the connection
    // before a refusal has been read.
    error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream.expires_after(std::chrono::seconds(1));
    char rest[4096];
    while (true) {
      const auto [error, bytes] = co_await stream.async_read_some(asio::buffer(rest), kAsTuple);
      if (error) break;
    }
  }

  Limits limits_;
  Handler handler_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  uint32_t connections_ = 0;
  bool stopping_ = false;
};

}  // namespace

Result<std::unique_ptr<Server>> Server::Listen(const std::string& endpoint, const Limits& limits,
                                               Handler handler) {
  auto server = std::make_unique<BeastServer>(limits, std::move(handler));
  TACIT_CHECK(server->Open(endpoint));
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace tacit::wire::http
