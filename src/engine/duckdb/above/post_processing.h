#pragma once

#include "engine/duckdb/above/held_tables.h"
#include "engine/duckdb/database/database.h"

namespace tacit::engine::duckdb {

// Why these: the part above the frontier works on released tables, which are small; and every
// worker may have one at work.
inline const Limits kPostProcessingLimits{.threads = 1,
                                          .memory_bytes = int64_t{128} << 20,
                                          .deadline = std::chrono::milliseconds(10'000)};
inline constexpr int64_t kResultRowsMax = 2'000'000;

// A database that sees tables which noise has paid for, or public ones, and nothing else: no
// mistake of a statement that runs here can leak. What takes too long or needs too much memory is
// an error with a fixed text.
class PostProcessing {
 public:
  static Result<PostProcessing> Open(const Limits& limits = kPostProcessingLimits);

  // Makes these, without rows, the only tables: so that Check can be asked before anything is
  // charged. When the answer before this one had the same, and was the same asker's, what was
  // planned for it is kept: the time that it saves tells nobody of others.
  void Arrange(const std::vector<TableShape>& tables, const std::string& asker = "");
  bool IsArranged(const std::vector<TableShape>& tables, const std::string& asker) const {
    return asker_ == asker && held_.tables() == tables;
  }
  void Fill(const std::string& name, std::shared_ptr<const RowSource> rows) {
    held_.Fill(name, std::move(rows));
  }
  void Fill(const std::string& name, PackedRows rows) { held_.Fill(name, std::move(rows)); }

  size_t PlansKept() const { return connection_.PlansKept(); }

  // Whether the statement is a SELECT over the tables.
  Result<Done> Check(const std::string& sql);
  Result<ResultTable> Run(const std::string& sql);

  // Forgets every row, so that the next answer can be computed here.
  void Clear() { held_.Clear(); }
  // False after a statement failed: what it left behind is nobody's business to find out.
  bool IsGood() const { return good_; }

 private:
  PostProcessing(Connection connection, HeldTables held)
      : connection_(std::move(connection)), held_(std::move(held)) {}

  Error Failed(const Failure& failure);

  Connection connection_;
  HeldTables held_;
  std::string asker_;  // whose plans are kept
  bool good_ = true;
};

}  // namespace tacit::engine::duckdb
