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
  std::string remote;  // the client's address, without the port
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;

  bool Has(std::string_view name) const;
  // The value of a header that comes exactly once; "" when it is missing or comes twice.
  std::string_view Header(std::string_view name) const;
};

// A body that is too long to be held as text, as the client takes it. Appends the next piece;
// false: it was the last.
using Pieces = std::function<bool(std::string& piece)>;

struct Response {
  using Instant = std::chrono::steady_clock::time_point;

  unsigned status = 200;
  std::string content_type;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
  // The connection waits until then before it sends this; no thread does.
  Instant not_before = {};
  Pieces more = nullptr;   // what follows `body`
  std::string owner = {};  // whose long bodies count together; with `more`
  // The account whose password who sent this has shown: the connection is not a stranger's any
  // longer.
  std::string known_as = {};
};

using Handler = std::function<Response(const Request&)>;

// An RFC 9457 problem document.
Response Problem(unsigned status, std::string_view title, std::string_view detail);
// Whatever failed: one text, which says nothing about it.
Response ProgramFailed();

bool SameIgnoringCase(std::string_view a, std::string_view b);

// A browser says where a post comes from; other programs need not. Another site's page can make a
// browser post, but not with these headers.
bool IsCrossSite(const Request& request);
// A page of another site cannot make a browser send this type without asking first.
bool HasJsonBody(const Request& request);

}  // namespace tacit::wire::http
