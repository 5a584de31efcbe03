#include "owner/prepare.h"

#include <algorithm>
#include <filesystem>

#include "engine/duckdb/prepare/distinct_columns.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "engine/duckdb/prepare/prepared_tables.h"
#include "engine/duckdb/values/read_schema.h"
#include "engine/row_key.h"
#include "owner/check.h"
#include "owner/in_place/stage.h"
#include "owner/in_place/verify.h"
#include "owner/prepare/distinct_columns.h"
#include "owner/prepare/on_postgres.h"
#include "owner/prepare/parent_keys.h"
#include "owner/prepare/store_table.h"
#include "owner/working_folder.h"
#include "policy/stored_types.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;
using engine::duckdb::Connection;
using engine::duckdb::Database;
using engine::duckdb::FoundTables;
using engine::duckdb::QuoteLiteral;
using engine::duckdb::QuoteName;

std::string BuildingFolderOf(const std::string& data_path) {
  return engine::duckdb::PreparedPath(data_path) + ".building";
}

// How the copy is laid out. Rows that are stored in an order share the file's blocks between
// columns of the same row group, so that a query over a few of many columns reads, and keeps in
// memory, others beside them: up to twice as much as it needs. Row groups of twice the usual size
// halve that. But threads share out row groups, so that a table of few would be read by few
// threads.
Result<std::string> LayoutOf(const std::string& data_path, Connection& connection) {
  constexpr int64_t kManyRows = 10'000'000;
  engine::ResultTable sizes;
  const auto failure = connection.Query(
      {.sql = "SELECT CAST(coalesce(max(estimated_size), 0) AS BIGINT) FROM duckdb_tables() WHERE "
              "database_name = 'tacit_source'"},
      1, &sizes);
  if (failure) return CannotPrepare(data_path, *failure);
  if (std::get<int64_t>(sizes.rows.at(0).at(0)) < kManyRows) return std::string();
  return std::string(" (STORAGE_VERSION 'v1.2.0', ROW_GROUP_SIZE 245760)");
}

// How much work each table is: its values, and a little for itself.
Result<std::vector<double>> WeightsOf(const std::vector<engine::duckdb::PreparedTable>& tables,
                                      const policy::Schema& schema, Connection& connection) {
  std::vector<double> weights;
  for (const engine::duckdb::PreparedTable& table : tables) {
    engine::ResultTable rows;
    const auto failure = connection.Query(
        {.sql = "SELECT CAST(coalesce(max(estimated_size), 0) AS BIGINT) FROM duckdb_tables() "
                "WHERE database_name = 'tacit_source' AND table_name = " +
                QuoteLiteral(table.name)},
        1, &rows);
    if (failure) return CannotPrepare("table " + table.name, *failure);
    const auto columns = static_cast<double>(schema.Find(table.name)->columns.size());
    weights.push_back(1000 +
                      columns * static_cast<double>(std::get<int64_t>(rows.rows.at(0).at(0))));
  }
  return weights;
}

// A session that reads the data as `source` and writes the copy as `copy`.
Result<Connection> OpenBoth(const policy::DuckdbSettings& data, const policy::Schema& schema,
                            const WorkingFolder& building, int threads, const Progress& progress) {
  const std::string& data_path = data.path;
  TACIT_TRY(const Database database, Database::OpenForImport(":memory:", {.threads = threads}));
  TACIT_TRY(Connection connection, database.Connect());
  const auto run = [&](const std::string& statement) -> Result<Done> {
    if (const auto failure = connection.Execute(statement))
      return CannotPrepare(data_path, *failure);
    return Done{};
  };
  TACIT_CHECK(run("SET temp_directory = " + QuoteLiteral(building.FileNamed("spill"))));
  if (data.ReadsFiles()) {
    TACIT_TRY(const FoundTables found, FoundTables::Find(data));
    TACIT_CHECK(run("ATTACH " + QuoteLiteral(building.FileNamed("source")) + " AS tacit_source"));
    TACIT_CHECK(StageFiles(found, schema, "tacit_source", connection, progress));
  } else {
    TACIT_CHECK(run("ATTACH " + QuoteLiteral(data_path) + " AS tacit_source (READ_ONLY)"));
  }
  TACIT_TRY(const std::string layout, LayoutOf(data_path, connection));
  TACIT_CHECK(
      run("ATTACH " + QuoteLiteral(building.FileNamed("copy")) + " AS tacit_copy" + layout));
  TACIT_CHECK(run("USE tacit_source"));
  return connection;
}

Result<policy::Schema> SchemaOf(const policy::Policy& policy, const policy::DuckdbSettings& data) {
  if (data.ReadsFiles()) {
    TACIT_TRY(VerifiedFiles verified, VerifyFiles(policy));
    return std::move(verified.schema);
  }
  TACIT_TRY(const Database database, Database::OpenReadOnly(data.path, {.threads = 1}));
  TACIT_TRY(Connection connection, database.Connect());
  return engine::duckdb::ReadSchema(connection);
}

using engine::duckdb::UniqueColumn;

// Tab and newline separate them in the manifest.
bool CanBeListed(const std::string& name) {
  return std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < 32; });
}

std::string NameInCopy(const policy::SchemaTable& table) {
  return "tacit_copy.main." + QuoteName(table.name);
}

// Joined by one of them, a row meets one row at most without having to look for the first.
Result<std::vector<UniqueColumn>> FindPublicKeys(const policy::SchemaTable& table,
                                                 Connection& connection) {
  TACIT_TRY(const std::vector<std::string> columns,
            FindDistinctColumns(table, NameInCopy(table), connection));
  std::vector<UniqueColumn> keys;
  for (const std::string& column : columns) {
    if (CanBeListed(table.name + column)) keys.push_back({.table = table.name, .column = column});
  }
  return keys;
}

// Tables with several rows a person: those of one row are joined on the person alone.
Result<Done> MarkDistinctColumns(const policy::SchemaTable& table, Connection& connection) {
  const std::string copy = NameInCopy(table);
  TACIT_TRY(const std::vector<std::string> columns, FindDistinctColumns(table, copy, connection));
  for (const std::string& column : columns) {
    const auto failure =
        connection.Execute(engine::duckdb::MarkDistinctSql(copy, QuoteName(column)));
    if (failure) return CannotPrepare("table " + table.name, *failure);
  }
  return Done{};
}

}  // namespace

bool IsPrepared(const policy::Policy& policy, std::string_view deployment_key) {
  const auto* duckdb = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (const auto* server = std::get_if<policy::PostgresSettings>(&policy.engine)) {
    return IsPreparedOnServer(policy, *server, deployment_key);
  }
  return duckdb != nullptr &&
         engine::duckdb::FindPreparedCopy(policy, duckdb->path, deployment_key).has_value();
}

void RemoveUnfinished(const policy::Policy& policy) {
  const auto* duckdb = std::get_if<policy::DuckdbSettings>(&policy.engine);
  std::error_code ignored;
  if (duckdb == nullptr || !fs::exists(BuildingFolderOf(duckdb->path), ignored)) return;
  // Whoever is at work there holds it; otherwise it goes as it is let go of.
  (void)WorkingFolder::Enter(BuildingFolderOf(duckdb->path), "tacit prepare").ok();
}

Result<std::vector<std::string>> Prepare(const policy::Policy& policy,
                                         std::string_view deployment_key, const Progress& progress,
                                         int threads) {
  const auto* duckdb = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (std::holds_alternative<policy::PostgresSettings>(policy.engine)) {
    return InvalidArgument(
        "tables that a PostgreSQL server holds are prepared by their owner, never by a gateway",
        "run  tacit prepare DIR --dsn ...  with a role that owns them, and  engine: {kind: "
        "postgres, ..., prepared: tacit_prepared}");
  }
  if (duckdb == nullptr) {
    return InvalidArgument(
        "tables that a server holds are not prepared: Tacit writes nothing there",
        "answers are right without it; write  server: {unprepared: allow}  where the time that a "
        "question takes may tell of people with many rows, else  server: {unprepared: refuse}");
  }
  // Taken first: a change of the data while the copy is made leaves a copy that is not believed.
  const std::optional<std::string> fingerprint =
      engine::duckdb::PreparedFingerprint(policy, duckdb->path, deployment_key);
  TACIT_TRY(const policy::Schema schema, SchemaOf(policy, *duckdb));
  TACIT_CHECK(policy::CheckUnruledColumns(policy, schema));
  TACIT_CHECK(policy::CheckKeyTypes(policy, schema));
  TACIT_CHECK(RefuseErrors(policy));
  TACIT_TRY(const std::vector<engine::duckdb::PreparedTable> tables,
            engine::duckdb::PreparedTables(policy, schema));
  TACIT_TRY(const WorkingFolder building,
            WorkingFolder::Enter(BuildingFolderOf(duckdb->path), "tacit prepare"));
  std::vector<std::string> names;
  std::vector<UniqueColumn> unique_columns;
  // Why 30: about the part of the time that reading files takes.
  const double staged = duckdb->ReadsFiles() ? 30 : 0;
  {
    TACIT_TRY(Connection connection,
              OpenBoth(*duckdb, schema, building, threads, Between(progress, 0, staged)));
    {
      const Reporter reporter(connection, "keys", Between(progress, staged, staged));
      TACIT_CHECK(CheckParentKeys(policy, schema, connection));
    }
    TACIT_TRY(const std::vector<double> weights, WeightsOf(tables, schema, connection));
    const std::string row_key = engine::RowKey(deployment_key);
    for (size_t i = 0; i < tables.size(); ++i) {
      const engine::duckdb::PreparedTable& table = tables[i];
      const Progress part = PartOf(Between(progress, staged, 100), weights, i);
      TACIT_CHECK(StoreTable(
          table, {.schema = "tacit_copy.main", .folder = building.path(), .key = row_key},
          connection, Between(part, 0, 98)));
      names.push_back(table.name);
      const Reporter reporter(connection, table.name, Between(part, 98, 98));
      const policy::Table& declared = *policy.Find(table.name);
      if (!declared.is_public && declared.rows_per_unit > 1) {
        TACIT_CHECK(MarkDistinctColumns(*schema.Find(table.name), connection));
      }
      if (!declared.is_public) continue;
      TACIT_TRY(const std::vector<UniqueColumn> found,
                FindPublicKeys(*schema.Find(table.name), connection));
      unique_columns.insert(unique_columns.end(), found.begin(), found.end());
    }
    for (const char* statement : {"CHECKPOINT tacit_copy", "USE memory", "DETACH tacit_copy"}) {
      if (const auto failure = connection.Execute(statement))
        return CannotPrepare("the copy", *failure);
    }
  }
  if (progress && !progress("", 100)) return CannotPrepare("", {DUCKDB_ERROR_INTERRUPT, ""});
  if (!fingerprint) return CannotPrepare("the tables", {DUCKDB_ERROR_IO, "their files came later"});
  TACIT_CHECK(engine::duckdb::InstallPreparedCopy(building.FileNamed("copy"), duckdb->path,
                                                  *fingerprint, unique_columns));
  return names;
}

}  // namespace tacit::owner
