#include "analysis/analyzer.h"
#include "analysis/table_scan.h"
#include "analysis/types.h"
#include "base/mutant.h"
#include "policy/stored_types.h"
#include "sql/print/quote.h"

// A protected table enters the query: the policy's facts become facts about t1.column. The claim
// about its rows, and why the cap keeps it, is in scan.md.
namespace tacit::analysis {
namespace {

// Why 128: common tables that each name the one before twice double what is read, and analysing it
// must end soon.
constexpr int kScansMax = 128;

// A stored column of a name of our own would stand for what it is not.
bool IsOwnName(const std::string& column) {
  return policy::FoldedName(column).starts_with("tacit_");
}

// A column whose values name the person, directly or on the way there.
bool IsOnUnitPath(const policy::UnitPath& path, const std::string& table,
                  const std::string& column) {
  if (path.hops.empty()) return policy::SameName(column, path.root_column);
  return policy::SameName(path.hops.front().from_table, table) &&
         policy::SameName(path.hops.front().via, column);
}

// The column's value is the unit's: the unit column itself, or a foreign key that refers to it.
bool EqualsUnit(const policy::UnitPath& path, const std::string& table, const std::string& column) {
  if (!IsOnUnitPath(path, table, column)) return false;
  if (path.hops.empty()) return true;
  return path.hops.size() == 1 && policy::SameName(path.hops.front().to_column, path.root_column);
}

RowColumn DescribeColumn(const policy::Table& table, const policy::SchemaColumn& stored,
                         const policy::UnitPath& path) {
  RowColumn column{.table = table.name,
                   .column = stored.name,
                   .stored_type = stored.type,
                   .type = QueryTypeOf(stored.type),
                   .range = {},
                   .step = std::nullopt,
                   .keys = std::nullopt,
                   .hidden = table.IsHidden(stored.name),
                   .is_unit = IsOnUnitPath(path, table.name, stored.name),
                   .equals_unit = EqualsUnit(path, table.name, stored.name)};
  const policy::Column* declared = table.Find(stored.name);
  if (declared == nullptr) return column;
  column.keys = declared->keys;
  if (declared->bounds) {
    column.range = sql::Range{declared->bounds->low, declared->bounds->high};
    column.step = declared->step ? *declared->step
                                 : policy::DefaultStep(*declared->bounds, stored.type.IsWhole());
  }
  return column;
}

// Who somebody is, and which parent a row has, is told by comparing: the doors refuse such a policy
// whole (policy::CheckUnruledColumns), and so does a question.
Result<Done> CheckUnitTypes(const policy::UnitPath& path, const policy::Schema& schema,
                            sql::Position position) {
  const auto check = [&](const std::string& table, const std::string& column) -> Result<Done> {
    const policy::SchemaColumn* found = schema.Find(table, column);
    if (found == nullptr || found->without_rule.empty()) return Done{};
    const Error error = policy::UnruledColumn(*schema.Find(table), *found);
    return Refuse(rules::kTypeWithoutRule, position, error.public_message, error.hint);
  };
  if (!path.root_column.empty()) TACIT_CHECK(check(path.root_table, path.root_column));
  for (const policy::UnitHop& hop : path.hops) {
    TACIT_CHECK(check(hop.from_table, hop.via));
    TACIT_CHECK(check(hop.to_table, hop.to_column));
  }
  return Done{};
}

// Rows of a parent that two people have would follow whoever is there: adding one moves all rows
// that name the key. That no two can is the database's word, or was seen by prepare, whose copy
// carries the unit beside each row; it is never looked up in the rows of a query.
Result<Done> CheckParentKeys(const policy::UnitPath& path, const policy::SchemaTable& stored,
                             const policy::Schema& schema, sql::Position position) {
  for (const policy::UnitHop& hop : path.hops) {
    const policy::SchemaColumn* via = schema.Find(hop.from_table, hop.via);
    const policy::SchemaColumn* key = schema.Find(hop.to_table, hop.to_column);
    if (via == nullptr || key == nullptr || policy::AreSameKeys(via->type, key->type) ||
        TACIT_MUTANT("foreign_key_of_another_type")) {
      continue;
    }
    const Error error = policy::OtherKeyType(hop);
    return Refuse(rules::kParentKey, position, error.public_message, error.hint);
  }
  if (stored.prepared || TACIT_MUTANT("parent_key_not_unique")) return Done{};
  for (size_t i = 0; i < path.hops.size(); ++i) {
    if (!path.NeedsUniqueKey(i)) continue;
    const policy::UnitHop& hop = path.hops[i];
    const policy::SchemaColumn* key = schema.Find(hop.to_table, hop.to_column);
    if (key != nullptr && key->unique) continue;
    return Refuse(
        rules::kParentKey, position,
        "a row of " + stored.name + " belongs to whom " + hop.to_table + "." + hop.to_column +
            " names, and nothing keeps that column unique",
        "the owner can run tacit prepare, which looks, or have the database keep it so: " +
            UniqueIndexSql(hop));
  }
  return Done{};
}

}  // namespace

std::string UniqueIndexSql(const policy::UnitHop& hop) {
  const auto quote = sql::QuoteIdentifierIfNeeded;
  return "CREATE UNIQUE INDEX " + quote("tacit_key_" + hop.to_table + "_" + hop.to_column) +
         " ON " + quote(hop.to_table) + " (" + quote(hop.to_column) + ")";
}

TableScan MakeTableScan(const policy::Policy& policy, const policy::Table& table,
                        const policy::SchemaTable& stored) {
  const policy::UnitPath path = policy.PathOf(table);
  const policy::SchemaColumn* unit = stored.Find(path.root_column);
  TableScan scan{.alias = "",
                 .table = stored.name,
                 .stored_columns = {},
                 .opaque_columns = {},
                 .is_public = false,
                 .hops = path.hops,
                 .unit_column = path.root_column,
                 .rows_per_unit = ToInteger(table.rows_per_unit),
                 .groups_per_unit = ToInteger(table.groups_per_unit),
                 .rows_per_group = ToInteger(table.rows_per_group),
                 .rows_max = ToInteger(table.rows_max),
                 .prepared = stored.prepared,
                 .unit_is_unique = path.hops.empty() && unit != nullptr && unit->unique,
                 .unique_on = {}};
  for (const policy::SchemaColumn& column : stored.columns) {
    if (IsOwnName(column.name)) continue;
    scan.stored_columns.push_back(column.name);
    if (column.type.kind == TypeKind::kOpaque) scan.opaque_columns.insert(column.name);
  }
  return scan;
}

// The type of the unit that a table's rows carry.
ValueType Analyzer::UnitTypeOf(const policy::UnitPath& path,
                               const policy::SchemaTable& stored) const {
  const policy::SchemaTable* root =
      path.hops.empty() ? &stored : schema_.Find(path.hops.back().to_table);
  const std::string& name =
      path.root_column.empty() ? path.hops.back().to_column : path.root_column;
  const policy::SchemaColumn* column = root == nullptr ? nullptr : root->Find(name);
  return column == nullptr ? kOpaqueType : column->type;
}

Result<ProtectedRows> Analyzer::ScanTable(const policy::Table& table, const std::string& qualifier,
                                          sql::Position position) {
  TACIT_ASSERT(!table.is_public);
  const policy::SchemaTable* stored = schema_.Find(table.name);
  if (stored == nullptr) {
    return Refuse(rules::kUnknownTable, position,
                  "the table " + table.name + " is in the policy but not in the database",
                  "the owner can run tacit check");
  }
  if (scans_ >= kScansMax) {
    return Refuse(rules::kTooLarge, position,
                  "the query reads protected tables more than 128 times",
                  "a common table is read once for every time it is named: name it less often");
  }
  if (policy_.server.unprepared == policy::Unprepared::kRefuse && table.IsCapped() &&
      !stored->prepared) {
    return Refuse(rules::kNotPrepared, position,
                  "the table " + table.name + " is not prepared under the policy in force",
                  "the owner can run tacit prepare");
  }
  const policy::UnitPath path = policy_.PathOf(table);
  Result<Done> leads = CheckUnitTypes(path, schema_, position);
  if (leads.ok()) leads = CheckParentKeys(path, *stored, schema_, position);
  if (!leads.ok()) return WrongPath(table, path, std::move(leads).error());
  TableScan scan = MakeTableScan(policy_, table, *stored);
  // Whether anybody has a second row is no business of a plan, which everyone may see for free;
  // only what prepare stores is made with it.
  scan.unit_is_unique = false;
  scan.alias = "t" + std::to_string(++scans_);
  ProtectedRows result;
  for (const policy::SchemaColumn& column : stored->columns) {
    if (IsOwnName(column.name)) continue;
    const sql::ColumnReference reference{scan.alias, column.name};
    columns_.emplace(std::pair(scan.alias, column.name), DescribeColumn(table, column, path));
    result.columns.push_back({.table = qualifier,
                              .name = policy::FoldedName(column.name),
                              .expression = MakeExpression(reference),
                              .merged = false});
  }
  // The unit as the scan gives it: one column, whatever the way there.
  if (!path.root_column.empty() || !path.hops.empty()) {
    result.rows.unit = MakeExpression(sql::ColumnReference{scan.alias, kUnitColumn});
    columns_.emplace(std::pair(scan.alias, kUnitColumn),
                     RowColumn{.table = table.name,
                               .column = path.root_column,
                               .stored_type = UnitTypeOf(path, *stored),
                               .type = {.kind = sql::TypeKind::kText, .precision = 0, .scale = 0},
                               .range = {},
                               .step = std::nullopt,
                               .keys = std::nullopt,
                               .hidden = true,
                               .is_unit = true,
                               .equals_unit = true});
  }
  result.rows.rows_per_unit = scan.rows_per_unit;
  result.rows.source = RowSource(RowSourceNode{std::move(scan)});
  return result;
}

}  // namespace tacit::analysis
