#include "wire/http/conversation.h"

#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>
#include <optional>

// Beast parses; the bytes are moved by Transport. Beast's own reading and writing of messages would
// be built once for each kind of stream, at a minute of compiling each.

namespace tacit::wire::http {
namespace {

namespace beast = boost::beast;
using boost::system::error_code;
using Parser = beast::http::request_parser<beast::http::string_body>;

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

// The answer as bytes; to HEAD without the body, whose length is told all the same.
std::string BytesOf(const Response& response, bool keep_alive, bool head) {
  std::string bytes =
      "HTTP/1.1 " + std::to_string(response.status) + " " +
      Text(beast::http::obsolete_reason(beast::http::int_to_status(response.status))) +
      "\r\nContent-Type: " + response.content_type +
      "\r\nContent-Length: " + std::to_string(response.body.size()) + "\r\n";
  for (const auto& [name, value] : response.headers) bytes += name + ": " + value + "\r\n";
  if (!keep_alive) bytes += "Connection: close\r\n";
  bytes += "\r\n";
  if (!head) bytes += response.body;
  return bytes;
}

Response Refusal(const error_code& error) {
  using Kind = beast::http::error;
  if (error == Kind::body_limit) {
    return Problem(413, "Too large", "the body is larger than this server takes");
  }
  if (error == Kind::header_limit || error == Kind::buffer_overflow) {
    return Problem(431, "Headers too large", "the headers are larger than this server takes");
  }
  return Problem(400, "Not HTTP", "the request could not be read as HTTP/1.1");
}

// Parses `pending` and what comes after it; takes what belongs to this request away. False when
// the peer is gone; an error when it does not speak HTTP.
asio::awaitable<bool> Receive(Transport& transport, std::string& pending, Parser& parser,
                              error_code& error) {
  while (!parser.is_done()) {
    if (!pending.empty()) {
      const size_t used = parser.put(asio::buffer(pending), error);
      pending.erase(0, used);
      if (error == beast::http::error::need_more) error = {};
      if (error || parser.is_done()) break;
      if (used > 0 && !pending.empty()) continue;
    }
    const std::string_view more = co_await transport.ReadSome();
    if (more.empty()) co_return false;
    pending += more;
  }
  co_return true;
}

// On a worker's thread, if there are workers; the answer comes back to this connection's thread.
asio::awaitable<Response> Handled(Shared& shared, Transport& transport,
                                  std::shared_ptr<const Request> request) {
  struct Slot {
    explicit Slot(const asio::any_io_executor& executor)
        : ready(executor, asio::steady_timer::time_point::max()) {}
    asio::steady_timer ready;
    std::optional<Response> response;
  };
  const asio::any_io_executor executor = transport.executor();
  const auto slot = std::make_shared<Slot>(executor);
  if (shared.workers == nullptr) {
    slot->response = shared.handler(*request);
  } else {
    asio::post(*shared.workers, [slot, executor, request, &shared] {
      Response response = shared.handler(*request);
      asio::post(executor, [slot, response = std::move(response)]() mutable {
        slot->response = std::move(response);
        slot->ready.cancel();
      });
    });
  }
  while (!slot->response) {
    const auto [error] = co_await slot->ready.async_wait(kAsTuple);
    (void)error;
  }
  co_return std::move(*slot->response);
}

asio::awaitable<void> WaitOut(Transport& transport, std::chrono::milliseconds delay) {
  if (delay.count() == 0) co_return;
  asio::steady_timer timer(transport.executor(), delay);
  const auto [error] = co_await timer.async_wait(kAsTuple);
  (void)error;
}

// What the peer still sends is read for a moment: closing over it would reset the connection before
// a refusal has been read.
asio::awaitable<void> Linger(Transport& transport) {
  co_await transport.Finish();
  transport.CloseAfter(std::chrono::seconds(1));
  while (true) {
    const std::string_view more = co_await transport.ReadSome();
    if (more.empty()) break;
  }
}

}  // namespace

asio::awaitable<void> Converse(Transport& transport, Shared& shared) {
  const auto idle_max = std::chrono::seconds(shared.limits.idle_seconds_max);
  std::string pending;
  bool keep_alive = true;
  while (keep_alive && !shared.stopping) {
    Parser parser;
    parser.eager(true);
    parser.header_limit(shared.limits.header_bytes_max);
    parser.body_limit(shared.limits.body_bytes_max);
    transport.CloseAfter(idle_max);
    shared.idle.insert(&transport);
    error_code error;
    const bool there = co_await Receive(transport, pending, parser, error);
    shared.idle.erase(&transport);
    if (!there) co_return;
    bool head = false;
    Response response;
    if (error) {
      response = Refusal(error);
      keep_alive = false;
    } else {
      head = parser.get().method() == beast::http::verb::head;
      keep_alive = parser.get().keep_alive();
      transport.KeepOpen();  // the handler takes the time it takes
      auto request = std::make_shared<const Request>(ToRequest(parser, transport.remote()));
      response = co_await Handled(shared, transport, std::move(request));
      co_await WaitOut(transport, response.delay);
      keep_alive = keep_alive && !shared.stopping;
    }
    transport.CloseAfter(idle_max);
    const std::string bytes = BytesOf(response, keep_alive, head);
    const bool written = co_await transport.Write(bytes);
    if (!written) co_return;
  }
  co_await Linger(transport);
}

}  // namespace tacit::wire::http
