#include "owner/in_place/verify.h"

#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "base/secrets/digest.h"
#include "base/whole_file.h"
#include "engine/duckdb/engine.h"
#include "engine/duckdb/files/file_views.h"
#include "engine/duckdb/values/read_schema.h"
#include "owner/files.h"
#include "owner/in_place/same_columns.h"
#include "owner/prepare/distinct_columns.h"

namespace tacit::owner {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::Database;
using engine::duckdb::FoundTables;
using engine::duckdb::QuoteName;

// Table and column, as the schema spells them.
using KeyColumns = std::set<std::pair<std::string, std::string>>;

// A byte that no name holds separates them in the file.
constexpr char kBetweenNames = '\t';

void AddColumn(const policy::Schema& schema, const std::string& table, const std::string& column,
               KeyColumns& columns) {
  const policy::SchemaTable* stored = schema.Find(table);
  const policy::SchemaColumn* found = stored == nullptr ? nullptr : stored->Find(column);
  if (found != nullptr) columns.emplace(stored->name, found->name);
}

// What it makes a difference for, if no value of it stands twice.
KeyColumns ColumnsOfPeople(const policy::Policy& policy, const policy::Schema& schema) {
  KeyColumns columns;
  for (const policy::Table& table : policy.tables) {
    if (table.is_public) continue;
    if (const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit)) {
      AddColumn(schema, table.name, unit->column, columns);
    }
    for (const policy::UnitHop& hop : policy.PathOf(table).hops) {
      AddColumn(schema, hop.to_table, hop.to_column, columns);
    }
  }
  return columns;
}

std::string SubjectOfFiles(const FoundTables& found, const KeyColumns& asked) {
  std::string text = "tacit verified 1\n" + found.identity() + "\n";
  for (const auto& [table, column] : asked) {
    text += std::to_string(table.size()) + ":" + table + kBetweenNames + column + "\n";
  }
  return Sha256Hex(text);
}

// Decodes every value, and computes with each as questions would.
Result<Done> ReadEverything(const policy::SchemaTable& table, Connection& connection) {
  std::string columns;
  for (const policy::SchemaColumn& column : table.columns) {
    columns += (columns.empty() ? "" : ", ") + QuoteName(column.name);
  }
  if (columns.empty()) return Done{};
  const auto failure =
      connection.Execute("SELECT bit_xor(hash(" + columns + ")) FROM " + QuoteName(table.name));
  if (failure) return engine::duckdb::UnreadableFiles(table.name, *failure);
  return Done{};
}

Result<KeyColumns> FindUnique(const policy::Schema& schema, const KeyColumns& asked,
                              Connection& connection) {
  KeyColumns unique;
  for (const policy::SchemaTable& table : schema.tables) {
    policy::SchemaTable wanted{.name = table.name, .columns = {}};
    for (const policy::SchemaColumn& column : table.columns) {
      if (asked.contains({table.name, column.name})) wanted.columns.push_back(column);
    }
    TACIT_TRY(const std::vector<std::string> found,
              FindDistinctColumns(wanted, QuoteName(table.name), connection));
    for (const std::string& column : found) unique.emplace(table.name, column);
  }
  return unique;
}

std::string VerifiedPath(const policy::DuckdbSettings& data) { return data.path + "-verified"; }

// Nothing where something else was verified, or nothing.
std::optional<KeyColumns> ReadVerified(const policy::DuckdbSettings& data,
                                       const std::string& subject) {
  const std::string text = WholeFile(VerifiedPath(data)).value_or("");
  const std::vector<std::string_view> lines = LinesOf(text);
  if (lines.empty() || lines[0] != subject) return std::nullopt;
  KeyColumns unique;
  for (size_t i = 1; i < lines.size(); ++i) {
    const size_t between = lines[i].find(kBetweenNames);
    if (between == std::string_view::npos) return std::nullopt;
    unique.emplace(lines[i].substr(0, between), lines[i].substr(between + 1));
  }
  return unique;
}

// Only saves the work of the next time: what cannot be written is not kept.
void WriteVerified(const policy::DuckdbSettings& data, const std::string& subject,
                   const KeyColumns& unique) {
  std::string text = subject + "\n";
  for (const auto& [table, column] : unique) text += table + kBetweenNames + column + "\n";
  (void)::unlink(VerifiedPath(data).c_str());
  (void)WriteNewFile(VerifiedPath(data), text, S_IRUSR | S_IWUSR).ok();
}

Result<KeyColumns> VerifyFound(const FoundTables& found, const policy::Schema& schema,
                               const KeyColumns& asked, const Database& database) {
  TACIT_TRY(Connection connection, database.Connect());
  TACIT_CHECK(CheckSameColumns(found, connection));
  for (const policy::SchemaTable& table : schema.tables) {
    TACIT_CHECK(ReadEverything(table, connection));
  }
  TACIT_TRY(KeyColumns unique, FindUnique(schema, asked, connection));
  TACIT_CHECK(found.CheckUnchanged());
  return unique;
}

}  // namespace

Result<VerifiedFiles> VerifyFiles(const policy::Policy& policy) {
  const auto& data = std::get<policy::DuckdbSettings>(policy.engine);
  TACIT_TRY(FoundTables tables, FoundTables::Find(data));
  const auto found = std::make_shared<const FoundTables>(std::move(tables));
  VerifiedFiles verified{.source = engine::duckdb::SourceOf(data), .schema = {}};
  verified.source.identity = found->identity();
  engine::duckdb::Limits limits = engine::duckdb::ExactLimits(data);
  limits.deadline = std::chrono::milliseconds(0);
  TACIT_TRY(const Database database, Database::OpenFiles(found, limits));
  {
    TACIT_TRY(Connection connection, database.Connect());
    TACIT_TRY(verified.schema, engine::duckdb::ReadSchema(connection));
  }
  const KeyColumns asked = ColumnsOfPeople(policy, verified.schema);
  const std::string subject = SubjectOfFiles(*found, asked);
  std::optional<KeyColumns> unique = ReadVerified(data, subject);
  if (!unique) {
    TACIT_TRY(unique, VerifyFound(*found, verified.schema, asked, database));
    WriteVerified(data, subject, *unique);
  }
  for (policy::SchemaTable& table : verified.schema.tables) {
    for (policy::SchemaColumn& column : table.columns) {
      column.unique = unique->contains({table.name, column.name});
    }
  }
  return verified;
}

}  // namespace tacit::owner
