#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tacit::wire::http {

struct Request {
  std::string method;
  std::string path;    // without the query
  std::string remote;  // the peer's address, without the port
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;

  bool Has(std::string_view name) const;
  // The value of a header that comes exactly once; "" when it is missing or comes twice.
  std::string_view Header(std::string_view name) const;
};

struct Response {
  unsigned status = 200;
  std::string content_type;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
  // The connection waits so long before it sends this; no thread does.
  std::chrono::milliseconds delay{0};
};

// Called for one request at a time.
using Handler = std::function<Response(const Request&)>;

// An RFC 9457 problem document.
Response Problem(unsigned status, std::string_view title, std::string_view detail);

}  // namespace tacit::wire::http
