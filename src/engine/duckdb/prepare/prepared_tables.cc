#include "engine/duckdb/prepare/prepared_tables.h"

#include "analysis/table_scan.h"
#include "analysis/types.h"
#include "engine/duckdb/statement/dialect.h"
#include "plan/tree/make.h"
#include "sql/print/quote.h"

namespace tacit::engine::duckdb {
namespace {

using analysis::kUnitColumn;
using sql::QuoteIdentifier;
using statement::kNumberColumn;
using statement::kRankColumn;

std::optional<policy::Grid> StoredGrid(const policy::Column* declared, const ValueType& type) {
  if (declared == nullptr || !declared->bounds || !type.IsNumber()) return std::nullopt;
  const Result<policy::Grid> grid = policy::GridOf(*declared, type);
  if (!grid.ok()) return std::nullopt;
  return *grid;
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
    items += (items.empty() ? "" : ", ") + ("tacit_base." + QuoteIdentifier(column.name));
  }
  for (const policy::SchemaColumn& column : stored.columns) {
    const std::optional<policy::Grid> grid = StoredGrid(table.Find(column.name), column.type);
    if (!grid) continue;
    tree::Aggregate summed;
    summed.measure.kind = analysis::MeasureKind::kSum;
    summed.measure.type = analysis::QueryTypeOf(column.type);
    summed.measure.grid = *grid;
    items += ", " + PrintSummand("tacit_base." + QuoteIdentifier(column.name), summed) + " AS " +
             QuoteIdentifier(GridColumn(column.name));
  }
  return items;
}

// A row that is not the first of its unit follows the one before it; a first one has a larger unit
// than that. So no unit begins twice, whatever the order that rows are read in. Numbers are places
// in that order.
std::string PrintBrokenRows(const std::string& unit, const tree::Scan& scan) {
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
    prepared.select = "SELECT * FROM " + QuoteIdentifier(stored.name);
    return prepared;
  }
  const analysis::TableScan stated = analysis::MakeTableScan(policy, table, stored);
  TACIT_TRY(std::string columns, PrintColumns(table, stored));
  if (stated.hops.empty() && stated.unit_column.empty()) {
    prepared.select =
        "SELECT " + columns + " FROM " + QuoteIdentifier(stored.name) + " AS tacit_base";
    return prepared;
  }
  const tree::Scan scan = plan::tree::Makers::ScanOf(stated, true);
  if (!scan.hops.empty()) columns += std::string(", ") + kUnitColumn;
  for (const char* column : {kRankColumn, kNumberColumn}) columns += std::string(", ") + column;
  prepared.order = PrintRowOrder(scan);
  prepared.select = "SELECT " + columns + " FROM (" + PrintPlacedRows(scan) + ") AS tacit_base";
  prepared.broken_rows =
      PrintBrokenRows(scan.hops.empty() ? QuoteIdentifier(scan.unit_column) : kUnitColumn, scan);
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

}  // namespace tacit::engine::duckdb
