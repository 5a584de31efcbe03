#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/result_table.h"

namespace tacit::answer {

// A released table as the ledger keeps it: docs/stored_answers.md. The same table always gives the
// same bytes, and only bytes that writing can produce are read.
std::string WriteTable(const engine::ResultTable& table);

// The same, row by row.
class TableWriter {
 public:
  explicit TableWriter(const std::vector<engine::ResultColumn>& columns);

  void Add(const std::vector<engine::Value>& row);
  void Reserve(size_t bytes) { bytes_.reserve(bytes_.size() + bytes); }
  std::string Take();

 private:
  std::string bytes_;
  size_t columns_;
  size_t count_at_;  // where the number of rows stands
  uint64_t rows_ = 0;
};

Result<engine::ResultTable> ReadTable(std::string_view bytes);

// The same table as it lies in its bytes: a row takes a third of what it would as values, and
// becomes values when it is read.
class TableInBytes final : public engine::RowSource {
 public:
  // Checks them from beginning to end: every row can be read.
  static Result<std::shared_ptr<const TableInBytes>> Open(std::string bytes);

  const std::vector<engine::ResultColumn>& columns() const { return columns_; }
  const std::string& bytes() const { return bytes_; }

  size_t size() const override { return rows_; }
  std::unique_ptr<Cursor> Open() const override;

 private:
  class Rows;
  TableInBytes() = default;

  std::string bytes_;
  std::vector<engine::ResultColumn> columns_;
  size_t rows_ = 0;
  size_t first_row_ = 0;  // where it begins
};

}  // namespace tacit::answer
