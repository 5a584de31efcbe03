#pragma once

#include <map>
#include <set>

#include "engine/duckdb/database/constants.h"
#include "engine/duckdb/database/database.h"

namespace tacit::engine::duckdb {

// What the engine has open for one asker, with what was planned for them before: a statement that
// differs from an earlier one in constants only is described and planned no more.
class AskerConnection {
 public:
  static Result<AskerConnection> Open(const Database& database);

  // The columns of a SELECT, from the statement and the schema alone; a Failure of the engine's.
  std::optional<Failure> Describe(const std::string& sql, std::vector<ResultColumn>* columns);

  // Runs a SELECT, planned before where that is possible: see Connection::Run.
  std::optional<Failure> Run(const std::string& sql, const std::vector<Value>& parameters,
                             std::vector<ResultColumn>* columns,
                             const Connection::ChunkReader& reader);

  Connection& connection() { return runs_; }

  // The statement as Run tries it first.
  Connection::Statement StatementOf(const std::string& sql, const std::vector<Value>& parameters);

 private:
  struct Known {
    std::vector<ResultColumn> columns;     // empty: not described yet
    std::shared_ptr<Constants> constants;  // null: not run yet
  };

  AskerConnection(Connection runs, Connection describes, std::set<std::string> large)
      : runs_(std::move(runs)), describes_(std::move(describes)), large_(std::move(large)) {}

  Known& KnownOf(const StatementForm& form);
  bool ReadsLargeTable(const std::string& sql) const;

  Connection runs_;
  Connection describes_;
  std::set<std::string> large_;         // names of tables, quoted
  std::map<std::string, Known> known_;  // by the statement's form
};

}  // namespace tacit::engine::duckdb
