#pragma once

#include <functional>
#include <string>

#include "answer/answer.h"
#include "gateway/services.h"
#include "wire/http/reply.h"

// The gateway over HTTP, for analysts:
//   POST /v1/query, /v1/explain    {"sql": ..., "epsilon": ..., "delta": ..., "error": ...,
//   "intervals": ...} GET  /v1/budget, /v1/tables, /v1/ledger GET  /healthz, /openapi.json   for
//   everybody
// Everything else wants the analyst's name and password (Basic). Errors are RFC 9457 documents.

namespace tacit::wire::http {

// What stands behind the API. But for `remembers`, all of them are called by threads of the gate
// and of the crew, several at once.
struct Doors {
  using Work = std::function<void(size_t worker)>;
  // Has the work done by another thread. Those of one address, or of one analyst, wait in a line of
  // their own, and the lines take turns. False when too many wait in it.
  std::function<bool(const std::string& address, Work)> at_the_gate;
  std::function<bool(const std::string& analyst, Work)> by_the_crew;

  // Whether the password fitted lately; takes microseconds.
  std::function<bool(const std::string& analyst, std::string_view password)> remembers;
  // Whether it fits; takes thousands of hashes.
  std::function<bool(const std::string& analyst, std::string_view password)> knows;

  std::function<Result<answer::Answer>(const gateway::Request&, size_t worker)> query;
  std::function<Result<answer::Explanation>(const gateway::Request&, size_t worker)> explain;
  // When the answer to a question that came then and is ready now may leave.
  std::function<Response::Instant(Response::Instant asked)> tick;
  // JSON, ready to be sent.
  std::function<Result<std::string>(const std::string& analyst)> budget;
  std::function<Result<std::string>(const std::string& analyst)> ledger;
  std::function<Result<std::string>(const std::string& analyst)> tables;
};

// What needs no password is answered at once, whoever else is being served.
Dispatcher MakeApi(Doors doors);

}  // namespace tacit::wire::http
