#pragma once

#include "engine/duckdb/database.h"

namespace tacit::engine::duckdb {

// A table that noise has paid for, or a public one, under the name that the SQL uses.
struct NamedTable {
  std::string name;
  ResultTable table;
};

// Why these: the part above the frontier works on released tables, which are small.
inline constexpr Limits kPostProcessingLimits{.threads = 1,
                                              .memory_bytes = int64_t{512} << 20,
                                              .deadline = std::chrono::milliseconds(10'000)};
inline constexpr int64_t kResultRowsMax = 2'000'000;

// Runs one SELECT in a database of its own that holds `tables` and nothing else. What takes too
// long or needs too much memory is an error with a fixed text.
Result<ResultTable> RunPostProcessing(const std::vector<NamedTable>& tables, const std::string& sql,
                                      const Limits& limits = kPostProcessingLimits);

}  // namespace tacit::engine::duckdb
