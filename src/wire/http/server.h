#pragma once

#include <boost/asio/ssl/context.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "wire/http/guests.h"
#include "wire/http/message.h"
#include "wire/http/reply.h"
#include "wire/http/send.h"

namespace tacit::wire::http {

// Every limit is for a stranger on a public port.
struct Limits {
  uint32_t header_bytes_max = 8 * 1024;
  uint32_t body_bytes_max = 64 * 1024;
  // Why 32 MiB: hundreds of the largest requests at once, and little beside the rest.
  size_t bytes_held_max = size_t{32} << 20;
  uint32_t idle_seconds_max = 20;
  uint32_t request_seconds_max = 20;  // from a request's first byte to its last
  Pace pace = {};
  Guests::Limits guests = {};
  // Why 16, and 4 of one analyst: each holds its rows, a million of them some 200 MB.
  size_t long_answers_max = 16;
  size_t long_answers_of_owner_max = 4;
};

// Whether a peer's address is one of the owner's proxies; from the server's thread.
using IsProxy = std::function<bool(const std::string& address)>;

using TlsContext = std::shared_ptr<boost::asio::ssl::context>;

struct Options {
  Limits limits = {};
  TlsContext tls = nullptr;      // nothing: in the clear
  IsProxy is_proxy = nullptr;    // nothing: nobody is
  bool stops_on_signals = true;  // SIGINT and SIGTERM
};

// An HTTP/1.1 server: one thread for all connections. What takes time is done elsewhere, by the
// dispatcher.
class Server {
 public:
  // "127.0.0.1:8080", "[::1]:8080", "0.0.0.0:0" (any free port).
  static Result<std::unique_ptr<Server>> Listen(const std::string& endpoint, const Options& options,
                                                Dispatcher dispatcher);
  // The serving thread calls the handler itself, for one request at a time.
  static Result<std::unique_ptr<Server>> Listen(const std::string& endpoint, const Options& options,
                                                Handler handler);
  virtual ~Server() = default;

  virtual uint16_t port() const = 0;
  // Serves until a signal, or Stop() from any thread; answers under way are finished, and
  // connections that wait for a request are closed.
  virtual void Run() = 0;
  virtual void Stop() = 0;
  // For connections from now on; from any thread. Only where the server began with TLS.
  virtual void UseTls(TlsContext tls) = 0;
};

}  // namespace tacit::wire::http
