#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace tacit::engine::trino {

// Who asks, and whom it believes.
struct HttpIdentity {
  std::string user;
  std::string password;     // empty: none is sent
  std::string authorities;  // a PEM file; empty: the system's
};

struct HttpReply {
  // Why nothing was heard; empty where the other side answered. The words name hosts, and never
  // what was sent or received.
  std::string failure;
  bool was_sent = true;  // false: nobody can have read the request
  long status = 0;
  std::string body;
};

// One connection that is kept between requests. Redirections are not followed, the environment's
// proxies not asked, and nothing waits longer than it is told to.
class HttpClient {
 public:
  // The answers of a client that is moved from are never asked for.
  static Result<HttpClient> Make(HttpIdentity identity, std::chrono::milliseconds connect_limit);

  enum class Method { kGet, kPost, kDelete };
  HttpReply Ask(Method method, const std::string& url, const std::vector<std::string>& headers,
                const std::string& body, std::chrono::milliseconds limit);

 private:
  struct Closer {
    void operator()(void* handle) const;
  };
  HttpClient(void* handle, HttpIdentity identity, std::chrono::milliseconds connect_limit)
      : handle_(handle), identity_(std::move(identity)), connect_limit_(connect_limit) {}

  std::unique_ptr<void, Closer> handle_;
  HttpIdentity identity_;
  std::chrono::milliseconds connect_limit_;
};

}  // namespace tacit::engine::trino
