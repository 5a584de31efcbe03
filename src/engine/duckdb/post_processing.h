#pragma once

#include "engine/duckdb/database.h"

namespace tacit::engine::duckdb {

// Why these: the part above the frontier works on released tables, which are small.
inline constexpr Limits kPostProcessingLimits{.threads = 1,
                                              .memory_bytes = int64_t{512} << 20,
                                              .deadline = std::chrono::milliseconds(10'000)};
inline constexpr int64_t kResultRowsMax = 2'000'000;

// A database in memory that holds tables which noise has paid for, or public ones, and nothing
// else: no mistake of a statement that runs here can leak. What takes too long or needs too much
// memory is an error with a fixed text.
class PostProcessing {
 public:
  static Result<PostProcessing> Open(const Limits& limits = kPostProcessingLimits);

  // A table without rows, so that Check can be asked before anything is charged.
  Result<Done> Add(const std::string& name, const std::vector<ResultColumn>& columns);
  Result<Done> Fill(const std::string& name, const std::vector<std::vector<Value>>& rows);

  // Whether the statement is a SELECT over the tables added so far.
  Result<Done> Check(const std::string& sql);
  Result<ResultTable> Run(const std::string& sql);

  // Drops every table, so that the next answer can be computed here. After an error it must not be
  // used again.
  Result<Done> Clear();

 private:
  explicit PostProcessing(Connection connection) : connection_(std::move(connection)) {}

  Connection connection_;
  std::vector<std::string> tables_;
};

}  // namespace tacit::engine::duckdb
