#include "harness/test_database.h"

#include <fstream>
#include <sstream>

#include "engine/duckdb/database/database.h"
#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/values/unruled_types.h"
#include "policy/load.h"

namespace tacit::golden {
namespace {

ValueType TypeNamed(const std::string& name) {
  if (name == "BOOLEAN") return kBooleanType;
  if (name == "SMALLINT") return kSmallintType;
  if (name == "INTEGER") return kIntegerType;
  if (name == "BIGINT") return kBigintType;
  if (name == "DOUBLE") return kDoubleType;
  if (name == "VARCHAR") return kTextType;
  if (name == "DATE") return kDateType;
  if (name == "TIMESTAMP") return kTimestampType;
  if (name == "TIMESTAMP WITH TIME ZONE") return {.kind = TypeKind::kTimestampTz};
  if (name == "INTERVAL") return kIntervalType;
  if (name.starts_with("DECIMAL(")) {
    ValueType type{.kind = TypeKind::kNumeric};
    std::sscanf(name.c_str(), "DECIMAL(%d,%d)", &type.precision, &type.scale);
    return type;
  }
  return kOpaqueType;
}

// As the engine does with texts that are equal and print differently.
void MakeOpaque(policy::Schema& schema, const std::string& table, const std::string& column) {
  for (policy::SchemaTable& stored : schema.tables) {
    for (policy::SchemaColumn& candidate : stored.columns) {
      if (stored.name == table && candidate.name == column) candidate.type = kOpaqueType;
    }
  }
}

}  // namespace

Result<TestDatabase> OpenTestDatabase(const std::string& folder, const std::string& name) {
  TestDatabase database;
  TACIT_TRY(database.policy, policy::Load(folder + "/" + name + ".yaml"));
  database.session =
      std::make_unique<sql::testing::DuckDbSession>(sql::testing::DuckDbSession::Functions::kNone);
  TACIT_CHECK(engine::duckdb::LoadLibrary());
  TACIT_CHECK(database.session->Query(std::string("SET disabled_optimizers = '") +
                                      engine::duckdb::kBrokenOptimizers + "'"));
  TACIT_CHECK(engine::duckdb::RegisterFunctions(database.session->connection()));
  std::ifstream file(folder + "/" + name + ".sql");
  std::stringstream text;
  text << file.rdbuf();
  std::string statement;
  while (std::getline(text, statement, ';')) {
    if (statement.find_first_not_of(" \n") == std::string::npos) continue;
    TACIT_CHECK(database.session->Query(statement));
  }
  TACIT_TRY(const auto columns,
            database.session->Query("SELECT table_name, column_name, data_type FROM "
                                    "information_schema.columns ORDER BY table_name, "
                                    "ordinal_position"));
  for (const auto& row : columns) {
    if (database.schema.Find(*row[0]) == nullptr) database.schema.tables.push_back({*row[0], {}});
    database.schema.tables.back().columns.push_back({*row[1], TypeNamed(*row[2])});
  }
  TACIT_TRY(const auto created,
            database.session->Query("SELECT table_name, sql FROM duckdb_tables() WHERE sql LIKE "
                                    "'%COLLATE%'"));
  for (const auto& row : created) {
    for (const std::string& column : engine::duckdb::CollatedColumns(*row[1])) {
      MakeOpaque(database.schema, *row[0], column);
    }
  }
  TACIT_TRY(const auto unique,
            database.session->Query("SELECT table_name, constraint_column_names[1] FROM "
                                    "duckdb_constraints() WHERE constraint_type = 'UNIQUE'"));
  for (const auto& row : unique) {
    for (policy::SchemaTable& table : database.schema.tables) {
      for (policy::SchemaColumn& column : table.columns) {
        if (table.name == *row[0] && column.name == *row[1]) column.unique = true;
      }
    }
  }
  TACIT_TRY(const auto filled,
            database.session->Query(
                "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT is_nullable"));
  for (const auto& row : filled) {
    for (policy::SchemaTable& table : database.schema.tables) {
      for (policy::SchemaColumn& column : table.columns) {
        if (table.name == *row[0] && column.name == *row[1]) column.not_null = true;
      }
    }
  }
  return database;
}

}  // namespace tacit::golden
