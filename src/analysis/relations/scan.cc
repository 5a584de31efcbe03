#include "analysis/relations/scan.h"

#include "analysis/relations/unit_path.h"
#include "analysis/rules.h"
#include "analysis/table_scan.h"
#include "analysis/texts/hidden_names.h"
#include "analysis/types.h"
#include "base/assert.h"
#include "policy/keys/fit.h"
#include "sql/functions/function.h"
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

// What the owner declared of dates or times, or the calendar of their keys, in seconds.
sql::Range RangeOfInstants(const policy::Column& declared, const sql::Type& type) {
  if (declared.span) return sql::Range{declared.span->low, declared.span->high};
  if (!declared.keys) return {};
  const auto* calendar = std::get_if<policy::KeyCalendar>(&*declared.keys);
  if (calendar == nullptr) return {};
  const int64_t last = type.kind == sql::TypeKind::kDate ? 86'400 : 1;
  return sql::Range{MakeRational(calendar->first * 3600),
                    MakeRational(calendar->End() * 3600 - last)};
}

// The database's word does for types of which every stored value is read as a value: an infinite
// time is read as NULL.
bool IsNeverStoredAsNull(const policy::SchemaColumn& stored) {
  return stored.not_null && (stored.type.kind == TypeKind::kBoolean || stored.type.IsNumber());
}

bool IsLeftOutAsNull(const policy::Table& table, const policy::SchemaColumn& stored) {
  const policy::Column* declared = table.Find(stored.name);
  return declared != nullptr && declared->required && !declared->hidden &&
         !IsNeverStoredAsNull(stored);
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
  column.required = IsLeftOutAsNull(table, stored);
  column.never_null = column.required || IsNeverStoredAsNull(stored);
  if (declared == nullptr) return column;
  if (declared->keys) column.keys = policy::KeysAs(*declared->keys, stored.type);
  if (sql::IsInstant(column.type)) column.range = RangeOfInstants(*declared, column.type);
  if (declared->bounds) {
    column.range = sql::Range{declared->bounds->low, declared->bounds->high};
    column.step = declared->step ? *declared->step
                                 : policy::DefaultStep(*declared->bounds, stored.type.IsWhole());
    column.sum_per_unit = declared->sum_per_unit;
  }
  return column;
}

// Rows in which a required column is NULL count nowhere, whatever is asked: then the number of rows
// is the number of values of each of them.
// proof: analysis/relations/scan.md#required-columns
std::vector<Expression> RequiredOf(const policy::Table& table, const policy::SchemaTable& stored,
                                   const std::string& alias) {
  std::vector<Expression> filters;
  for (const policy::SchemaColumn& column : stored.columns) {
    if (!IsLeftOutAsNull(table, column)) continue;
    filters.push_back(MakeExpression(
        sql::IsNull{MakeExpression(sql::ColumnReference{alias, column.name}), true}));
  }
  return filters;
}

// The unit as every scan gives it: one column, whatever the way there.
RowColumn DescribeUnit(const Known& known, const policy::Table& table,
                       const policy::SchemaTable& stored, const policy::UnitPath& path) {
  return RowColumn{.table = table.name,
                   .column = path.root_column,
                   .stored_type = UnitTypeOf(known.schema, path, stored),
                   .type = {.kind = sql::TypeKind::kText, .precision = 0, .scale = 0},
                   .range = {},
                   .step = std::nullopt,
                   .keys = std::nullopt,
                   .hidden = true,
                   .is_unit = true,
                   .equals_unit = true};
}

}  // namespace

std::string UniqueIndexSql(const policy::UnitHop& hop) {
  const auto quote = sql::QuoteIdentifierIfNeeded;
  return "CREATE UNIQUE INDEX " + quote("tacit_key_" + hop.to_table + "_" + hop.to_column) +
         " ON " + quote(hop.to_table) + " (" + quote(hop.to_column) + ")";
}

// proof: analysis/relations/scan.md#claim
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

// proof: analysis/relations/scan.md#claim
Result<ProtectedRows> ScanTable(Known& known, const policy::Table& table,
                                const std::string& qualifier, sql::Position position) {
  TACIT_ASSERT(!table.is_public);
  const policy::SchemaTable* stored = known.schema.Find(table.name);
  if (stored == nullptr) {
    return Refuse(rules::kUnknownTable, position,
                  "the table " + table.name + " is in the policy but not in the database",
                  "the owner can run tacit check");
  }
  if (known.scans >= kScansMax) {
    return Refuse(rules::kTooLarge, position,
                  "the query reads protected tables more than 128 times",
                  "a common table is read once for every time it is named: name it less often");
  }
  if (known.policy.server.unprepared == policy::Unprepared::kRefuse && table.IsCapped() &&
      !stored->prepared) {
    return Refuse(rules::kNotPrepared, position,
                  "the table " + table.name + " is not prepared under the policy in force",
                  "the owner can run tacit prepare");
  }
  const policy::UnitPath path = known.policy.PathOf(table);
  Result<Done> leads = CheckUnitPath(known.schema, path, *stored, position);
  if (!leads.ok()) return WrongPath(known, table, path, std::move(leads).error());
  TableScan scan = MakeTableScan(known.policy, table, *stored);
  // Whether anybody has a second row is no business of a plan, which everyone may see for free;
  // only what prepare stores is made with it.
  scan.unit_is_unique = false;
  scan.alias = NextAlias(known);
  ProtectedRows result;
  for (const policy::SchemaColumn& column : stored->columns) {
    if (IsOwnName(column.name)) continue;
    result.columns.push_back({.table = qualifier,
                              .name = column.name,
                              .expression = AddColumn(known, {scan.alias, column.name},
                                                      DescribeColumn(table, column, path)),
                              .merged = false});
  }
  if (!path.root_column.empty() || !path.hops.empty()) {
    result.rows.unit =
        AddColumn(known, {scan.alias, kUnitColumn}, DescribeUnit(known, table, *stored, path));
  }
  result.rows.filters = RequiredOf(table, *stored, scan.alias);
  result.rows.rows_per_unit = scan.rows_per_unit;
  result.rows.source = RowSource(RowSourceNode{std::move(scan)});
  return result;
}

}  // namespace tacit::analysis
