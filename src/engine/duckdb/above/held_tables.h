#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/duckdb/database/api.h"
#include "engine/result_table.h"

namespace tacit::engine::duckdb {

struct TableShape {
  std::string name;
  std::vector<ResultColumn> columns;
  friend bool operator==(const TableShape& a, const TableShape& b);
};

// Tables that statements of one database read from here, by name, as if they were stored in it.
// Nothing is copied into the database: what is dropped here is gone, and a statement can be planned
// before its rows are there and run again over others. Not for several threads at once.
class HeldTables {
 public:
  // `database` has no table of such a name. It keeps what it needs of this alive.
  static Result<HeldTables> AddTo(duckdb_database database, duckdb_connection connection);

  // Makes these, without rows, the only tables. A statement that was planned before reads nothing.
  void Arrange(const std::vector<TableShape>& tables);
  const std::vector<TableShape>& tables() const;

  // Replaces the rows of a table. A value that its column cannot hold fails the statement that
  // reads it.
  void Fill(const std::string& name, std::shared_ptr<const RowSource> rows);
  void Fill(const std::string& name, PackedRows rows);
  void Clear();
  size_t rows() const;  // of all tables

 private:
  struct All;
  struct Scan;
  explicit HeldTables(std::shared_ptr<All> all) : all_(std::move(all)) {}
  std::shared_ptr<All> all_;
};

}  // namespace tacit::engine::duckdb
