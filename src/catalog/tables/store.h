#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/tables/objects.h"
#include "catalog/tables/rows.h"
#include "engine/duckdb/database/database.h"

namespace tacit::catalog {

// Why these: the largest table has some thousand rows; ten seconds leave room on a busy machine.
inline const engine::duckdb::Limits kStoreLimits{.threads = 1,
                                                 .memory_bytes = int64_t{192} << 20,
                                                 .deadline = std::chrono::milliseconds(10'000)};
inline constexpr size_t kAnswerRowsMax = 100'000;
inline constexpr size_t kAnswerBytesMax = size_t{32} << 20;

// A locked DuckDB in memory with the catalog's tables, named "schema.relation", and the functions
// of functions.h. Whatever reaches it, it holds nothing but public metadata.
class Store {
 public:
  static Result<Store> Make(std::shared_ptr<const Objects> objects, const StoredRows& rows);

  // Whether the relation has rows here; the others are empty or made from the session.
  bool Holds(const std::string& relation) const;

  struct Statement {
    std::string sql;
    std::vector<engine::Value> parameters;
    std::vector<Oid> types;  // of the result's columns
    bool public_is_searched = true;
  };
  // The rows as Answer has them. From any thread.
  Result<std::vector<std::vector<engine::Value>>> Run(const Statement& statement) const;

 private:
  Store(std::shared_ptr<const Objects> objects, engine::duckdb::Database database)
      : objects_(std::move(objects)), database_(std::move(database)) {}
  Result<Done> Fill(engine::duckdb::Connection& connection, const std::string& name,
                    const std::vector<Row>& rows);
  Result<Done> Create(engine::duckdb::Connection& connection, const std::string& name);

  std::shared_ptr<const Objects> objects_;
  engine::duckdb::Database database_;
  std::vector<std::string> held_;
};

}  // namespace tacit::catalog
