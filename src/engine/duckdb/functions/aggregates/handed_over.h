#pragma once

#include "engine/duckdb/database/api.h"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tacit::engine::duckdb {

// DuckDB gives an aggregate's state to one thread at a time, and hands it on by counters that the
// threads of a pipeline share: who combines a state has seen that whoever filled it is done. Those
// are atomics inside its library, which is not built with ThreadSanitizer: to that, the state
// passes from thread to thread with nothing between. So each call says that it takes the states
// over, and hands them on when it is done. It says so of these states and of nothing else, and in
// other builds it says nothing.
class HandedOver {
 public:
#if defined(__SANITIZE_THREAD__)
  HandedOver(duckdb_aggregate_state* states, idx_t count) : states_(states), count_(count) {
    for (idx_t i = 0; i < count_; ++i) __tsan_acquire(states_[i]);
  }
  ~HandedOver() {
    for (idx_t i = 0; i < count_; ++i) __tsan_release(states_[i]);
  }

 private:
  duckdb_aggregate_state* const states_;
  const idx_t count_;

 public:
#else
  HandedOver(duckdb_aggregate_state*, idx_t) {}
  ~HandedOver() {}  // not trivial: a variable of this type is used
#endif
  HandedOver(const HandedOver&) = delete;
  HandedOver& operator=(const HandedOver&) = delete;
};

// The memory of a state that has ended may be part of any that begins later, at another place of
// it: its allocator, too, has locks that ThreadSanitizer does not see.
class StateMemory {
 public:
#if defined(__SANITIZE_THREAD__)
  static void Taken() { __tsan_acquire(&all_); }
  static void GivenBack() { __tsan_release(&all_); }

 private:
  static inline char all_ = 0;
#else
  static void Taken() {}
  static void GivenBack() {}
#endif
};

}  // namespace tacit::engine::duckdb
