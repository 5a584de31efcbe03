#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "wire/http/reply.h"

// The operator's listener, on loopback unless told otherwise; no password, no data:
//   GET /live      200 while the process answers
//   GET /ready     200 when ledger, engine and policy are; 503 with the reason otherwise
//   GET /metrics   Prometheus' text format
//   GET /version   the program, its commit and its libraries, as JSON

namespace tacit::wire::http {

struct AdminBackend {
  std::function<Result<Done>()> ready;
  std::function<std::string()> metrics;
  std::function<std::string()> version;
};

// What looks at the disk runs on a thread of its own: however busy the gateway is, the operator is
// answered, and however slow the disk is, /live is.
Dispatcher MakeAdmin(AdminBackend backend);

}  // namespace tacit::wire::http
