#include "engine/duckdb/database/asker_connection.h"

#include <algorithm>

#include "engine/duckdb/database/errors.h"

namespace tacit::engine::duckdb {
namespace {

// A table of one row group is read whole whatever a column is compared with. Of larger ones, and of
// files (which are views), the engine skips what cannot match, and has to know the constants when
// it plans; and planning is the smaller part then.
constexpr int64_t kSmallRowsMax = kRowGroupRows;
constexpr int64_t kLargeTablesMax = 100'000;

// Why 16: as many plans as a connection keeps.
constexpr size_t kKnownMax = 16;

}  // namespace

Result<AskerConnection> AskerConnection::Open(const Database& database) {
  TACIT_TRY(Connection runs, database.Connect());
  TACIT_TRY(Connection describes, runs.WithoutOptimizer());
  ResultTable tables;
  const Connection::Statement large{
      .sql = "SELECT table_name FROM duckdb_tables() WHERE estimated_size > " +
             std::to_string(kSmallRowsMax) +
             " UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal",
      .select_only = true};
  if (const auto failure = runs.Query(large, kLargeTablesMax, &tables)) {
    return EngineUnavailable(failure->text);
  }
  std::set<std::string> names;
  for (const std::vector<Value>& row : tables.rows) names.insert(QuoteName(ToText(row[0])));
  return AskerConnection(std::move(runs), std::move(describes), std::move(names));
}

AskerConnection::Known& AskerConnection::KnownOf(const StatementForm& form) {
  std::string text = form.TextFor(0);
  const auto found = known_.find(text);
  if (found != known_.end()) return found->second;
  if (known_.size() == kKnownMax) known_.clear();
  return known_[std::move(text)];
}

// A name that stands there for something else costs time only.
bool AskerConnection::ReadsLargeTable(const std::string& sql) const {
  return std::any_of(large_.begin(), large_.end(),
                     [&](const std::string& name) { return sql.find(name) != std::string::npos; });
}

std::optional<Failure> AskerConnection::Describe(const std::string& sql,
                                                 std::vector<ResultColumn>* columns) {
  Known& known = KnownOf(FormOf(sql));
  if (known.columns.empty()) {
    std::vector<ResultColumn> described;
    const Connection::Statement statement{.sql = sql, .select_only = true};
    if (auto failure = describes_.Describe(statement, &described)) return failure;
    known.columns = std::move(described);
  }
  *columns = known.columns;
  return std::nullopt;
}

Connection::Statement AskerConnection::StatementOf(const std::string& sql,
                                                   const std::vector<Value>& parameters) {
  // The engine plans anew for parameters in any case.
  if (!parameters.empty() || ReadsLargeTable(sql)) {
    return {.sql = sql, .parameters = parameters, .select_only = true};
  }
  StatementForm form = FormOf(sql);
  Known& known = KnownOf(form);
  if (known.constants == nullptr) known.constants = Constants::Make();
  Connection::Statement statement{
      .sql = form.TextFor(known.constants->name()), .select_only = true, .keep_plan = true};
  known.constants->Set(std::move(form.constants));
  return statement;
}

std::optional<Failure> AskerConnection::Run(const std::string& sql,
                                            const std::vector<Value>& parameters,
                                            std::vector<ResultColumn>* columns,
                                            const Connection::ChunkReader& reader) {
  const Connection::Statement kept = StatementOf(sql, parameters);
  std::optional<Failure> failure = runs_.Run(kept, columns, reader);
  // It was described as it is, and has been charged: what cannot be planned in the other form, from
  // which no row was read, is run in its own.
  if (failure && failure->type == DUCKDB_ERROR_BINDER && kept.sql != sql) {
    failure =
        runs_.Run({.sql = sql, .parameters = parameters, .select_only = true}, columns, reader);
  }
  return failure;
}

}  // namespace tacit::engine::duckdb
