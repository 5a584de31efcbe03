#pragma once

#include <algorithm>

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
  struct TableShape {
    std::string name;
    std::vector<ResultColumn> columns;
    friend bool operator==(const TableShape& a, const TableShape& b) {
      return a.name == b.name &&
             std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
                        [](const ResultColumn& x, const ResultColumn& y) {
                          return x.name == y.name && x.type == y.type;
                        });
    }
  };

  static Result<PostProcessing> Open(const Limits& limits = kPostProcessingLimits);

  // Makes these, without rows, the only tables: so that Check can be asked before anything is
  // charged. Nothing to do when the answer before this one had the same.
  Result<Done> Arrange(const std::vector<TableShape>& tables);
  const std::vector<TableShape>& tables() const { return tables_; }
  Result<Done> Fill(const std::string& name, const std::vector<std::vector<Value>>& rows);

  // Whether the statement is a SELECT over the tables.
  Result<Done> Check(const std::string& sql);
  Result<ResultTable> Run(const std::string& sql);

  // Forgets every row, so that the next answer can be computed here. After an error it must not be
  // used again.
  Result<Done> Clear();

 private:
  explicit PostProcessing(Connection connection) : connection_(std::move(connection)) {}

  Result<Done> Execute(const std::string& sql);

  Connection connection_;
  std::vector<TableShape> tables_;
  std::vector<std::string> checked_;  // statements that were found good over these tables
  // Rows live in a transaction that is never committed: rolling it back is the quickest way to
  // forget them all.
  bool in_transaction_ = false;
};

}  // namespace tacit::engine::duckdb
