#include "engine/trino/connection/connection.h"

#include <algorithm>
#include <thread>

namespace tacit::engine::trino {
namespace {

using std::chrono::milliseconds;

// What a gateway in front, or a server that is busy, says for a while.
bool IsPassing(const HttpReply& answer) {
  return !answer.failure.empty() || answer.status == 429 || answer.status == 502 ||
         answer.status == 503 || answer.status == 504;
}

std::string PercentCoded(const std::string& text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string coded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '~';
    if (is_plain) {
      coded += c;
    } else {
      coded += '%';
      coded += kDigits[byte / 16];
      coded += kDigits[byte % 16];
    }
  }
  return coded;
}

// The next page is where the first was: a password goes nowhere else.
bool IsOf(const std::string& page, const std::string& server) {
  return page.size() > server.size() && page.starts_with(server) && page[server.size()] == '/';
}

Failure OfStatus(long status) {
  const std::string text = "HTTP " + std::to_string(status);
  if (status == 401 || status == 403) {
    return {.text = text + ": engine: user and password are not believed", .is_refusal = true};
  }
  return {.text = text};
}

Failure OfError(const QueryError& error) {
  const bool is_refusal = error.name == "PERMISSION_DENIED";
  // Of the person who asks, and found without running anything.
  return {.text = error.type + " " + error.name,
          .is_of_the_statement = error.type == "USER_ERROR" && !is_refusal &&
                                 error.name != "USER_CANCELED" &&
                                 error.name != "ADMINISTRATIVELY_KILLED",
          .is_refusal = is_refusal};
}

}  // namespace

Result<Connection> Connection::Open(const policy::TrinoSettings& settings,
                                    const TimeLimits& limits) {
  TACIT_TRY(HttpClient http, HttpClient::Make({.user = settings.user,
                                               .password = settings.password,
                                               .authorities = settings.authorities},
                                              limits.connect));
  return Connection(std::move(http), settings, limits);
}

std::vector<std::string> Connection::Headers(milliseconds limit) const {
  // Ours come last: what is said twice has its last value.
  std::string session;
  for (const auto& [name, value] : settings_.session) {
    session += PercentCoded(name) + "=" + PercentCoded(value) + ",";
  }
  session += "query_max_run_time=" + std::to_string(limit.count()) + "ms";
  return {"X-Trino-User: " + settings_.user,
          "X-Trino-Source: tacit",
          "X-Trino-Catalog: " + PercentCoded(settings_.catalog),
          "X-Trino-Schema: " + PercentCoded(settings_.schema),
          "X-Trino-Time-Zone: UTC",
          "X-Trino-Language: en-US",
          "X-Trino-Client-Capabilities: PARAMETRIC_DATETIME",
          "X-Trino-Session: " + session,
          "Content-Type: text/plain; charset=utf-8"};
}

// Again while it is worth it; a statement only where nobody can have read it.
HttpReply Connection::Ask(HttpClient::Method method, const std::string& url,
                          const std::string& body, const std::vector<std::string>& headers,
                          Deadline deadline) {
  const Deadline given_up = std::min(deadline, Clock::now() + limits_.silence);
  milliseconds pause(50);
  for (;;) {
    const auto left = [&] {
      return std::chrono::duration_cast<milliseconds>(given_up - Clock::now());
    };
    HttpReply answer = http_.Ask(method, url, headers, body, left());
    const bool may_repeat = method == HttpClient::Method::kGet || !answer.was_sent ||
                            (answer.failure.empty() && answer.status != 0);
    if (!IsPassing(answer) || !may_repeat || left() <= pause) return answer;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, milliseconds(2000));
  }
}

std::optional<Failure> Connection::TakePage(const HttpReply& answer, Reply& reply,
                                            std::string& next) const {
  if (!answer.failure.empty()) return Failure{.text = answer.failure};
  if (answer.status != 200) return OfStatus(answer.status);
  std::optional<Page> page = ReadPage(answer.body);
  if (!page) return Failure{.text = "the server's answer is no page of a statement"};
  next = page->next;
  if (page->error) return OfError(*page->error);
  if (!next.empty() && !IsOf(next, settings_.url)) {
    next.clear();
    return Failure{.text =
                       "the next page is said to be elsewhere: engine: url must be the address "
                       "that the cluster has of itself"};
  }
  if (!page->columns.empty()) {
    if (!reply.columns.empty() && reply.columns != page->columns) {
      return Failure{.text = "the columns changed between two pages"};
    }
    reply.columns = std::move(page->columns);
  }
  for (std::vector<Cell>& row : page->rows) {
    if (row.size() != reply.columns.size()) return Failure{.text = "a row has another length"};
    reply.rows.push_back(std::move(row));
  }
  return std::nullopt;
}

void Connection::Cancel(const std::string& url) {
  if (url.empty() || !IsOf(url, settings_.url)) return;
  http_.Ask(HttpClient::Method::kDelete, url, {"X-Trino-User: " + settings_.user}, "",
            std::min(limits_.connect, milliseconds(2000)));
}

std::optional<Failure> Connection::Query(const std::string& sql, milliseconds limit, Reply& reply) {
  const Deadline deadline = Clock::now() + limit + limits_.grace;
  const std::vector<std::string> asking = {"X-Trino-User: " + settings_.user};
  std::string next;
  HttpReply answer = Ask(HttpClient::Method::kPost, settings_.url + "/v1/statement", sql,
                         Headers(limit), deadline);
  for (;;) {
    const std::string here = next;
    if (auto failure = TakePage(answer, reply, next)) {
      // Whether it runs still nobody knows: where the last page was it can be ended.
      Cancel(next.empty() ? here : next);
      return failure;
    }
    if (next.empty()) return std::nullopt;
    if (Clock::now() >= deadline) {
      Cancel(next);
      return Failure{.text = "the statement took too long"};
    }
    answer = Ask(HttpClient::Method::kGet, next, "", asking, deadline);
  }
}

}  // namespace tacit::engine::trino
