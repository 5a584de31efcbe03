#pragma once

#include <chrono>

#include "engine/duckdb/database/api.h"

namespace tacit::engine::duckdb {

// Interrupts the connection's statement when the deadline passes before this goes out of scope; 0
// is no deadline. One thread watches for the whole program: a thread for each statement would cost
// more than most statements.
class Watchdog {
 public:
  Watchdog(duckdb_connection connection, std::chrono::milliseconds deadline);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  uint64_t ticket_ = 0;  // 0: not watched
};

}  // namespace tacit::engine::duckdb
