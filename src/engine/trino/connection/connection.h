#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/trino/connection/http.h"
#include "engine/trino/connection/page.h"
#include "policy/policy.h"

namespace tacit::engine::trino {

// Why a statement gave nothing. The words are the operator's: they quote no row.
struct Failure {
  std::string text;
  // The cluster looked at the statement and does not take it, now or later.
  bool is_of_the_statement = false;
  bool is_refusal = false;  // it does not believe who we are, or does not let us
};

struct TimeLimits {
  std::chrono::milliseconds connect{10'000};
  std::chrono::milliseconds catalog{60'000};     // for what reads no row
  std::chrono::milliseconds statement{300'000};  // the cluster ends it by itself
  std::chrono::milliseconds grace{15'000};       // and one that does not is left
  std::chrono::milliseconds silence{30'000};     // how long a page is asked for again
};

// What a statement gave, cell by cell.
struct Reply {
  std::vector<PageColumn> columns;
  std::vector<std::vector<Cell>> rows;
};

// Asks a cluster by its HTTP protocol: a statement is posted, and its pages are fetched one after
// the other. A page that did not arrive is fetched again, which the protocol says is safe: the
// cluster keeps it until the one behind it was asked for. A statement that is left is cancelled.
// For one thread.
class Connection {
 public:
  static Result<Connection> Open(const policy::TrinoSettings& settings, const TimeLimits& limits);

  std::optional<Failure> Query(const std::string& sql, std::chrono::milliseconds limit,
                               Reply& reply);

 private:
  using Clock = std::chrono::steady_clock;
  using Deadline = Clock::time_point;

  Connection(HttpClient http, policy::TrinoSettings settings, const TimeLimits& limits)
      : http_(std::move(http)), settings_(std::move(settings)), limits_(limits) {}

  std::vector<std::string> Headers(std::chrono::milliseconds limit) const;
  HttpReply Ask(HttpClient::Method method, const std::string& url, const std::string& body,
                const std::vector<std::string>& headers, Deadline deadline);
  std::optional<Failure> TakePage(const HttpReply& answer, Reply& reply, std::string& next) const;
  void Cancel(const std::string& url);

  HttpClient http_;
  policy::TrinoSettings settings_;
  TimeLimits limits_;
};

}  // namespace tacit::engine::trino
