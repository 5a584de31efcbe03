#pragma once

#include <functional>
#include <string>

#include "wire/http/reply.h"
#include "wire/service/front_door.h"

// The gateway over HTTP, for analysts:
//   POST /v1/query, /v1/explain    {"sql": ..., "epsilon": ..., "delta": ..., "error": ...,
//   "intervals": ..., "nonnegative": ...} GET  /v1/budget, /v1/tables, /v1/ledger GET  /healthz,
//   /openapi.json   for everybody
// Everything else wants the analyst's name and password (Basic). Errors are RFC 9457 documents.

namespace tacit::wire::http {

// What stands behind the API. But for `remembers`, all of them are called by password threads
// and workers, several at once.
struct Backend {
  using Work = std::function<void(size_t worker)>;
  // Has the work done by another thread. Those of one address, or of one analyst, wait in a line of
  // their own, and the lines take turns. False when too many wait in it.
  std::function<bool(const std::string& address, Work)> by_password_thread;
  std::function<bool(const std::string& analyst, Work)> by_worker;

  // Whether the password fitted lately; takes microseconds.
  std::function<bool(const std::string& analyst, std::string_view password)> remembers;
  // Whether it fits; takes thousands of hashes.
  std::function<bool(const std::string& analyst, std::string_view password)> knows;

  std::function<Outcome<AnyAnswer>(Question, size_t worker)> query;
  std::function<Outcome<answer::Explanation>(Question, size_t worker)> explain;
  // JSON, ready to be sent.
  std::function<Result<std::string>(const std::string& analyst)> budget;
  std::function<Result<Pieces>(const std::string& analyst)> ledger;
  std::function<Result<std::string>(const std::string& analyst)> tables;
};

// What needs no password is answered at once, whoever else is being served.
Dispatcher MakeApi(Backend backend);

}  // namespace tacit::wire::http
