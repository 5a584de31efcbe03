#pragma once

#include <functional>
#include <string>

#include "answer/answer.h"
#include "gateway/services.h"
#include "wire/http/message.h"

// The gateway over HTTP, for analysts:
//   POST /v1/query, /v1/explain    {"sql": ..., "epsilon": ..., "delta": ..., "error": ...,
//   "intervals": ...} GET  /v1/budget, /v1/tables, /v1/ledger GET  /healthz, /openapi.json   for
//   everybody
// Everything else wants the analyst's name and password (Basic). Errors are RFC 9457 documents.

namespace tacit::wire::http {

// What stands behind the API. Called from several threads at once.
struct Doors {
  std::function<bool(const std::string& analyst, std::string_view password)> knows;
  std::function<Result<answer::Answer>(const gateway::Request&)> query;
  std::function<Result<answer::Explanation>(const gateway::Request&)> explain;
  // JSON, ready to be sent.
  std::function<Result<std::string>(const std::string& analyst)> budget;
  std::function<Result<std::string>(const std::string& analyst)> ledger;
  std::function<Result<std::string>(const std::string& analyst)> tables;
};

Handler MakeApi(Doors doors);

}  // namespace tacit::wire::http
