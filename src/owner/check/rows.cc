#include "analysis/table_scan.h"
#include "owner/check/rules.h"
#include "owner/prepare/parent_keys.h"

namespace tacit::owner {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::QuoteName;
using policy::Table;

// A single whole number, or nothing when the statement failed (said elsewhere: a missing name).
std::optional<int64_t> Ask(Connection& connection, const std::string& sql) {
  engine::ResultTable table;
  if (connection.Query({.sql = sql}, 1, &table) || table.rows.empty()) return std::nullopt;
  const engine::Value cell = table.rows[0][0];
  const auto* value = std::get_if<int64_t>(&cell);
  return value != nullptr ? std::optional<int64_t>(*value) : std::nullopt;
}

std::string MostRowsOf(const std::string& table, const std::string& column) {
  return "SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM " + QuoteName(table) +
         " WHERE " + QuoteName(column) + " IS NOT NULL GROUP BY " + QuoteName(column) + ")";
}

// Each table's own hop; those further on are other tables' own.
void CheckParentKey(const policy::Policy& policy, const Table& table, const policy::Schema& schema,
                    Connection& connection, Findings& findings) {
  const policy::UnitPath path = policy.PathOf(table);
  if (path.hops.empty() || !path.NeedsUniqueKey(0)) return;
  const policy::UnitHop& hop = path.hops[0];
  const policy::SchemaColumn* key = schema.Find(hop.to_table, hop.to_column);
  if (key == nullptr || key->unique) return;  // a missing one is said elsewhere
  const std::string name = hop.to_table + "." + hop.to_column;
  const Result<bool> several = LeadsToTwo(hop.to_table, hop.to_column, path.ReadAt(0), connection);
  if (several.ok() && *several) {
    Add(findings, Severity::kError, table.unit_place,
        name + " is not unique, so a row of " + table.name + " would belong to several people",
        "lead the path to a column whose values lead to one person each: to: TABLE.COLUMN");
  } else if (!schema.Find(table.name)->prepared) {
    Add(findings, Severity::kWarning, table.unit_place,
        "nothing keeps " + name + " unique: queries that read " + table.name + " are refused",
        "run tacit prepare " + policy.folder +
            ", or have the database keep it so: " + analysis::UniqueIndexSql(hop));
  }
}

void CheckUnitRows(const Table& table, Connection& connection, Findings& findings) {
  if (const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit)) {
    const std::optional<int64_t> most = Ask(connection, MostRowsOf(table.name, unit->column));
    if (most && *most > table.rows_per_unit) {
      Add(findings, table.rows_per_unit == 1 ? Severity::kWarning : Severity::kNote,
          table.unit_place,
          "some people have more rows in " + table.name + " than rows_per_unit " +
              std::to_string(table.rows_per_unit) + ": the others are left out of every answer",
          "raise rows_per_unit if those rows matter; noise grows with it");
    }
    return;
  }
  const auto* reached = std::get_if<policy::UnitIsReached>(&table.unit);
  if (reached == nullptr) return;
  const std::optional<int64_t> lost =
      Ask(connection,
          "SELECT count(*) FROM (SELECT 1 FROM " + QuoteName(table.name) + " AS c WHERE " +
              "NOT EXISTS (SELECT 1 FROM " + QuoteName(reached->to_table) + " AS p WHERE p." +
              QuoteName(reached->to_column) + " = c." + QuoteName(reached->via) + ") LIMIT 1)");
  if (lost && *lost > 0) {
    Add(findings, Severity::kNote, table.unit_place,
        "some rows of " + table.name + " have no row in " + reached->to_table +
            ": they are left out of every answer",
        "complete " + reached->to_table + " if those rows matter");
  }
}

void CheckRequired(const Table& table, const policy::SchemaTable& stored, Connection& connection,
                   Findings& findings) {
  for (const policy::Column& column : table.columns) {
    const policy::SchemaColumn* own = stored.Find(column.name);
    if (!column.required || own == nullptr) continue;
    const std::string name = QuoteName(own->name);
    std::string sql =
        "SELECT count(*) FROM " + QuoteName(table.name) + " WHERE " + name + " IS NULL";
    if (own->type.IsFloat()) sql += " OR isnan(" + name + ")";
    const std::optional<int64_t> without = Ask(connection, sql);
    if (!without || *without == 0) continue;
    Add(findings, Severity::kNote, column.place,
        "some rows of " + table.name + " have no " + column.name +
            ", which is required: they are left out of every answer",
        "fill them in, or remove required if those rows matter");
  }
}

void CheckDelta(const policy::Policy& policy, const Table& table, Connection& connection,
                Findings& findings) {
  std::string sql = "SELECT count(*) FROM " + QuoteName(table.name);
  if (const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit)) {
    sql = "SELECT count(DISTINCT " + QuoteName(unit->column) + ") FROM " + QuoteName(table.name);
  }
  const std::optional<int64_t> people = Ask(connection, sql);
  if (!people || *people < 2) return;
  const Rational square = MakeRational(Int128{*people} * *people);
  if (Rational(policy.privacy.budget.delta.value * square) > 1) {
    Add(findings, Severity::kNote, policy.privacy.budget_place,
        "the budget's delta is above 1/n^2 for the people of " + table.name,
        "evaluators ask for delta below one in the square of the number of people");
  }
}

// Whether a question fits the engine is decided by what is declared: it has to be true.
void CheckRowsMax(const Table& table, Connection& connection, Findings& findings) {
  if (table.rows_max == 0) return;
  const std::optional<int64_t> rows =
      Ask(connection, "SELECT count(*) FROM " + QuoteName(table.name));
  if (!rows || *rows <= table.rows_max) return;
  Add(findings, Severity::kError, table.place,
      "the table " + table.name + " holds more rows than its rows_max",
      "declare what it can grow to: rows_max is a public number, so choose it well above");
}

}  // namespace

void CheckRows(const policy::Policy& policy, const policy::Schema& schema, Connection& connection,
               Wanted wanted, Findings& findings) {
  for (const Table& table : policy.tables) {
    if (schema.Find(table.name) == nullptr) continue;
    CheckRowsMax(table, connection, findings);
    if (table.is_public) continue;
    CheckParentKey(policy, table, schema, connection, findings);
    if (wanted == Wanted::kErrors) continue;
    CheckUnitRows(table, connection, findings);
    CheckRequired(table, *schema.Find(table.name), connection, findings);
    if (policy.PathOf(table).hops.empty()) CheckDelta(policy, table, connection, findings);
  }
}

}  // namespace tacit::owner
