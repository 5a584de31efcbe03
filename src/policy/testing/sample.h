#pragma once

#include <string>

// A policy whose beginning does not matter, for tests that are about its tables.

namespace tacit::policy::testing {

inline constexpr char kSampleStart[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
)";

// `tables` are the lines below `tables:`, indented by two.
inline std::string SampleWith(const std::string& tables) { return kSampleStart + tables; }

}  // namespace tacit::policy::testing
