#include "owner/check/rules.h"
#include "policy/stored_types.h"
#include "policy/yaml/words.h"
#include "sql/print/quote.h"

namespace tacit::owner {
namespace {

using policy::Column;
using policy::Policy;
using policy::SchemaColumn;
using policy::SchemaTable;
using policy::Table;

std::string NearestColumn(const SchemaTable& table, const std::string& name) {
  std::vector<std::string_view> known;
  for (const SchemaColumn& column : table.columns) known.push_back(column.name);
  const std::optional<std::string> nearest = policy::yaml::NearestWord(name, known);
  return nearest ? "did you mean " + *nearest + "?" : "name one of its columns";
}

const SchemaColumn* NeedColumn(const SchemaTable& table, const std::string& name,
                               const policy::Place& place, Findings& findings) {
  const SchemaColumn* column = table.Find(name);
  if (column == nullptr) {
    Add(findings, Severity::kError, place,
        "table " + table.name + " has no column " + name + " in the database",
        NearestColumn(table, name));
  }
  return column;
}

void CheckUnit(const Table& table, const SchemaTable& stored, const policy::Schema& schema,
               Findings& findings) {
  if (const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit)) {
    NeedColumn(stored, unit->column, table.unit_place, findings);
  }
  const auto* reached = std::get_if<policy::UnitIsReached>(&table.unit);
  if (reached == nullptr) return;
  const SchemaColumn* via = NeedColumn(stored, reached->via, table.unit_place, findings);
  const SchemaTable* target = schema.Find(reached->to_table);
  if (target == nullptr) return;  // said at that table
  const SchemaColumn* to = NeedColumn(*target, reached->to_column, table.unit_place, findings);
  if (via == nullptr || to == nullptr) return;
  if (!policy::AreSameKeys(via->type, to->type)) {
    Add(findings, Severity::kError, table.unit_place,
        stored.name + "." + via->name + " (" + PostgresName(via->type) + ") leads to " +
            target->name + "." + to->name + " (" + PostgresName(to->type) +
            "), which is of another type",
        "store both with one type");
  }
}

// Of types that cannot have rules: an error where the policy counts on the column.
void CheckUnruled(const Policy& policy, const policy::Schema& schema, Findings& findings) {
  const Result<Done> used = policy::CheckUnruledColumns(policy, schema);
  if (!used.ok()) {
    Add(findings, Severity::kError, {1, 1}, used.error().public_message, used.error().hint);
  }
  for (const SchemaTable& stored : schema.tables) {
    const Table* table = policy.Find(stored.name);
    if (table == nullptr) continue;
    for (const SchemaColumn& column : stored.columns) {
      if (column.without_rule.empty() || table->IsHidden(column.name)) continue;
      const Error error = policy::UnruledColumn(stored, column);
      if (!used.ok() && used.error().public_message == error.public_message) continue;
      Add(findings, Severity::kWarning, table->place,
          error.public_message + ": nobody can ask about it", error.hint);
    }
  }
}

void CheckColumn(const Table& table, const Column& column, const SchemaColumn& stored,
                 const Policy& policy, const policy::Schema& schema, Findings& findings) {
  const std::string name = table.name + "." + column.name;
  const bool is_instant = stored.type.kind == TypeKind::kDate ||
                          stored.type.kind == TypeKind::kTimestamp ||
                          stored.type.kind == TypeKind::kTimestampTz;
  if (column.span && !is_instant) {
    Add(findings, Severity::kError, column.place,
        name + " has bounds that are dates, but is " + PostgresName(stored.type),
        "remove the bounds");
  }
  if (column.bounds && !stored.type.IsNumber()) {
    Add(findings, Severity::kError, column.place,
        name + " has bounds, but is " + PostgresName(stored.type) + " and no number",
        "remove the bounds");
  } else if (column.bounds) {
    const Result<policy::Grid> grid = policy::GridOf(column, stored.type);
    if (!grid.ok()) {
      Add(findings, Severity::kError, column.place, name + ": " + grid.error().public_message,
          grid.error().hint);
    }
  } else if (stored.type.IsNumber() && !column.hidden && !column.keys) {
    Add(findings, Severity::kNote, column.place,
        name + " has no bounds: sum(" + sql::QuoteIdentifierIfNeeded(column.name) + ") and avg(" +
            sql::QuoteIdentifierIfNeeded(column.name) + ") will be refused",
        "declare bounds: [LOW, HIGH] from what you know, not from the rows");
  }
  if (column.required && stored.type.kind == TypeKind::kOpaque) {
    Add(findings, Severity::kError, column.place,
        name + " is required, but is of a type that has no rules here", "remove required");
  }
  if (column.keys) {
    CheckKeys(table, column, stored.type, policy, schema, findings);
  } else if (!column.hidden &&
             (stored.type.kind == TypeKind::kText || stored.type.kind == TypeKind::kBoolean)) {
    Add(findings, Severity::kNote, column.place,
        name + " has no key list: its groups are shown by threshold, small ones not at all",
        "declare keys: [A, B] where the groups are public knowledge");
  }
}

}  // namespace

void CheckSchema(const Policy& policy, const policy::Schema& schema, Findings& findings) {
  for (const Table& table : policy.tables) {
    const SchemaTable* stored = schema.Find(table.name);
    if (stored == nullptr) {
      Add(findings, Severity::kError, table.place,
          "there is no table " + table.name + " in the database",
          "correct the name, or take the table out of the policy");
      continue;
    }
    if (table.is_public) continue;
    CheckUnit(table, *stored, schema, findings);
    for (const Column& column : table.columns) {
      const SchemaColumn* found = NeedColumn(*stored, column.name, column.place, findings);
      if (found != nullptr) CheckColumn(table, column, *found, policy, schema, findings);
    }
  }
  CheckUnruled(policy, schema, findings);
  for (const SchemaTable& stored : schema.tables) {
    if (policy.Find(stored.name) == nullptr) {
      Add(findings, Severity::kNote, {1, 1},
          "table " + stored.name + " is in the database and not in the policy",
          "nobody can ask about it; list it under tables if they should");
    }
  }
}

}  // namespace tacit::owner
