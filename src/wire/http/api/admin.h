#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "wire/http/message.h"

// The operator's listener, on loopback unless told otherwise; no password, no data:
//   GET /live      200 while the process answers
//   GET /ready     200 when ledger, engine and policy are; 503 with the reason otherwise
//   GET /metrics   Prometheus' text format
//   GET /version   the program, its commit and its libraries, as JSON

namespace tacit::wire::http {

struct AdminDoors {
  std::function<Result<Done>()> ready;
  std::function<std::string()> metrics;
  std::function<std::string()> version;
};

Handler MakeAdmin(AdminDoors doors);

}  // namespace tacit::wire::http
