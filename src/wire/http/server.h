#pragma once

#include <boost/asio/ssl/context.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "wire/http/message.h"

namespace tacit::wire::http {

// Every limit is for a stranger on a public port.
struct Limits {
  uint32_t header_bytes_max = 8 * 1024;
  uint32_t body_bytes_max = 64 * 1024;
  uint32_t connections_max = 1024;
  uint32_t idle_seconds_max = 20;  // also the longest a request may take to arrive
};

struct Options {
  Limits limits = {};
  // Threads that call the handler, so that a slow answer holds nobody else up. Zero: the thread
  // that serves calls it, for one request at a time.
  unsigned workers = 0;
  std::shared_ptr<boost::asio::ssl::context> tls = nullptr;  // nothing: in the clear
  bool stops_on_signals = true;                              // SIGINT and SIGTERM
};

// An HTTP/1.1 server: one thread for all connections, and the workers.
class Server {
 public:
  // "127.0.0.1:8080", "[::1]:8080", "0.0.0.0:0" (any free port).
  static Result<std::unique_ptr<Server>> Listen(const std::string& endpoint, const Options& options,
                                                Handler handler);
  virtual ~Server() = default;

  virtual uint16_t port() const = 0;
  // Serves until a signal, or Stop() from any thread; answers under way are finished, and
  // connections that wait for a request are closed.
  virtual void Run() = 0;
  virtual void Stop() = 0;
};

}  // namespace tacit::wire::http
