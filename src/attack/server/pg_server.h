#pragma once

#include <memory>

#include "attack/server/people.h"

namespace tacit::attack {

// Whoever speaks the PostgreSQL protocol behind this connection string: PostgreSQL itself, which
// answers exactly, or a running Tacit gateway, which charges the analyst who connects. Which of the
// two is asked of it: only a gateway knows the setting tacit.epsilon.
struct PgSettings {
  std::string conninfo = {};  // as libpq reads it; a password from PGPASSWORD or ~/.pgpass
  double epsilon = 0.1;       // what a gateway is asked at, and so what a question costs
  bool zcdp = false;          // how the gateway adds up
};

// kUnavailable when there is no connection. `people` outlives it.
Result<std::unique_ptr<Server>> MakePgServer(const PgSettings& settings, const People& people);

}  // namespace tacit::attack
