#include "plan/duckdb/prepared.h"

#include <map>
#include <set>

#include "analysis/blocks/block_map.h"
#include "analysis/table_scan.h"
#include "analysis/types.h"
#include "plan/duckdb/exact_sql.h"

namespace tacit::plan::duckdb {
namespace {

using analysis::Measure;
using analysis::MeasureKind;

// Why 2^50: below it a double is within half a step of the grid, so that clamping a stored integer
// again gives what clamping the number itself gives.
constexpr Int128 kExactStepsMax = Int128{1} << 50;

bool IsSmall(const policy::Grid& grid) {
  return grid.low_steps >= -kExactStepsMax && grid.high_steps <= kExactStepsMax;
}

bool Contains(const policy::Grid& a, const policy::Grid& b) {
  return a.step == b.step && a.low_steps <= b.low_steps && b.high_steps <= a.high_steps;
}

// A filter can narrow a range: the stored integer is then clamped once more, unless the filter is
// asked of it.
bool Serves(const policy::Grid& stored, const policy::Grid& wanted) {
  return Contains(stored, wanted) && (Contains(wanted, stored) || IsSmall(stored));
}

bool IsSummed(const Measure& measure) {
  return measure.kind == MeasureKind::kSum || measure.kind == MeasureKind::kSumOfSquares ||
         measure.kind == MeasureKind::kQuantile;
}

std::optional<policy::Grid> StoredGrid(const analysis::RowColumn& column) {
  if (!column.step || !column.range.IsBounded() || !column.stored_type.IsNumber()) {
    return std::nullopt;
  }
  const Result<policy::Grid> grid =
      policy::MakeGrid({*column.range.low, *column.range.high}, *column.step);
  if (!grid.ok()) return std::nullopt;
  return *grid;
}

std::optional<policy::Grid> StoredGrid(const policy::Column* declared, const ValueType& type) {
  if (declared == nullptr || !declared->bounds || !type.IsNumber()) return std::nullopt;
  const Result<policy::Grid> grid = policy::GridOf(*declared, type);
  if (!grid.ok()) return std::nullopt;
  return *grid;
}

analysis::RowColumn DescribeGrid(const analysis::RowColumn& column) {
  analysis::RowColumn described = column;
  described.column = GridColumn(column.column);
  described.stored_type = kBigintType;
  described.type = analysis::QueryTypeOf(kBigintType);
  return described;
}

Error NameTaken(const std::string& table, const std::string& column) {
  return InvalidArgument("the column " + column + " of " + table + " has a name that is reserved",
                         "names that begin with tacit_ are: rename the column");
}

// The table's columns and its grid columns, from a relation called tacit_base.
Result<std::string> PrintColumns(const policy::Table& table, const policy::SchemaTable& stored) {
  std::string items;
  for (const policy::SchemaColumn& column : stored.columns) {
    if (policy::FoldedName(column.name).starts_with("tacit_")) {
      return NameTaken(stored.name, column.name);
    }
    items += (items.empty() ? "" : ", ") + ("tacit_base." + Quote(column.name));
  }
  for (const policy::SchemaColumn& column : stored.columns) {
    const std::optional<policy::Grid> grid = StoredGrid(table.Find(column.name), column.type);
    if (!grid) continue;
    Measure measure;
    measure.kind = MeasureKind::kSum;
    measure.type = analysis::QueryTypeOf(column.type);
    measure.grid = *grid;
    items += ", " + PrintSummand("tacit_base." + Quote(column.name), measure) + " AS " +
             Quote(GridColumn(column.name));
  }
  return items;
}

// A row that is not the first of its unit follows the one before it; a first one has a larger unit
// than that. So no unit begins twice, whatever the order that rows are read in. Numbers are places
// in that order.
std::string PrintBrokenRows(const std::string& unit, const analysis::TableScan& scan) {
  std::string items;
  const auto add = [&](const std::string& column, const std::string& name) {
    items += (items.empty() ? "" : ", ") + column + " AS " + name + ", lag(" + column +
             ") OVER () AS " + name + "_before";
  };
  add(unit, "unit");
  add(kRankColumn, "rank");
  items += std::string(", ") + kNumberColumn + " AS number, row_number() OVER () AS place";
  return "SELECT count(*) FROM (SELECT " + items + " FROM " + kCopyMark +
         ") AS neighbours WHERE NOT coalesce(rank <= " + scan.rows_per_unit.get_str() +
         " AND CASE WHEN rank = 1 THEN unit IS NOT NULL AND (unit_before IS NULL OR unit_before < "
         "unit) ELSE unit = unit_before AND rank = rank_before + 1 END AND number + rank = place + "
         "1, false)";
}

Result<PreparedTable> PrepareTable(const policy::Policy& policy, const policy::Table& table,
                                   const policy::SchemaTable& stored) {
  PreparedTable prepared{
      .name = stored.name, .select = "", .order = std::nullopt, .broken_rows = ""};
  if (table.is_public) {
    prepared.select = "SELECT * FROM " + Quote(stored.name);
    return prepared;
  }
  analysis::TableScan scan = analysis::MakeTableScan(policy, table, stored);
  scan.prepared = false;
  TACIT_TRY(std::string columns, PrintColumns(table, stored));
  if (scan.hops.empty() && scan.unit_column.empty()) {
    prepared.select = "SELECT " + columns + " FROM " + Quote(stored.name) + " AS tacit_base";
    return prepared;
  }
  if (!scan.hops.empty()) columns += std::string(", ") + kUnitColumn;
  for (const char* column : {kRankColumn, kNumberColumn}) columns += std::string(", ") + column;
  prepared.order = PrintRowOrder(scan);
  prepared.select = "SELECT " + columns + " FROM (" + PrintPlacedRows(scan) + ") AS tacit_base";
  prepared.broken_rows =
      PrintBrokenRows(scan.hops.empty() ? Quote(scan.unit_column) : kUnitColumn, scan);
  return prepared;
}

}  // namespace

std::string GridColumn(const std::string& column) { return "tacit_grid_" + column; }

bool IsGridColumn(const std::string& name) { return name.starts_with("tacit_grid_"); }

Result<std::vector<PreparedTable>> PreparedTables(const policy::Policy& policy,
                                                  const policy::Schema& schema) {
  std::vector<PreparedTable> tables;
  for (const policy::Table& table : policy.tables) {
    const policy::SchemaTable* stored = schema.Find(table.name);
    if (stored == nullptr) {
      return InvalidArgument(At(policy, table.place) + ": the database has no table " + table.name,
                             "run tacit check");
    }
    TACIT_TRY(tables.emplace_back(), PrepareTable(policy, table, *stored));
  }
  return tables;
}

analysis::Block OverPreparedColumns(const analysis::Block& block) {
  std::set<std::string> prepared;
  analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
    if (scan.prepared && !scan.is_public) prepared.insert(scan.alias);
  });
  analysis::Block changed = block;
  std::map<std::string, policy::Grid> passing;  // of the grid columns in use: what filters leave
  for (Measure& measure : changed.measures) {
    const auto* reference = sql::As<sql::ColumnReference>(measure.argument);
    if (reference == nullptr || !prepared.contains(reference->table)) continue;
    if (!IsSummed(measure) && measure.kind != MeasureKind::kValues) continue;
    const analysis::RowColumn column = block.ColumnOf(*reference);
    const std::optional<policy::Grid> grid = StoredGrid(column);
    if (!grid || (IsSummed(measure) && !Serves(*grid, measure.grid))) continue;
    const sql::ColumnReference on_grid{reference->table, GridColumn(column.column)};
    const auto [found, is_new] = passing.emplace(on_grid.table + "." + on_grid.column, *grid);
    if (is_new) {
      changed.columns.emplace_back(on_grid, DescribeGrid(column));
      const bool whole = column.stored_type.kind == ValueKind::kInteger && grid->step == 1;
      if (whole) found->second = AskOnGrid(*reference, on_grid, *grid, changed.rows.filters);
    }
    measure.argument = sql::MakeExpression(on_grid, measure.argument->position);
    if (!IsSummed(measure)) continue;
    measure.on_grid = Contains(measure.grid, found->second);
    // Otherwise it is a whole number to be clamped, one step each.
    measure.type = analysis::QueryTypeOf(kBigintType);
    measure.grid.step = 1;
  }
  return changed;
}

}  // namespace tacit::plan::duckdb
