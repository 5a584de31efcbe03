#include "plan/tree/make.h"

#include "analysis/table_scan.h"
#include "analysis/types.h"
#include "engine/postgres/prepared/copies.h"
#include "engine/postgres/statement/dialect.h"
#include "engine/statement/printer.h"
#include "sql/print/quote.h"

namespace tacit::engine::postgres {
namespace {

namespace tree = plan::tree;

std::optional<policy::Grid> GridOfColumn(const policy::Column* declared, const ValueType& type) {
  if (declared == nullptr || !declared->bounds || !type.IsNumber()) return std::nullopt;
  const Result<policy::Grid> grid = policy::GridOf(*declared, type);
  if (!grid.ok()) return std::nullopt;
  return *grid;
}

// Nothing where PostgreSQL has no words for it: questions are then refused as they are without a
// copy.
std::optional<std::string> PrintGrid(const std::string& value, const CatalogColumn& column,
                                     const policy::Table& table) {
  const auto grid = GridOfColumn(table.Find(column.seen.name), column.seen.type);
  if (!grid) return std::nullopt;
  tree::Aggregate summed;
  summed.measure.kind = analysis::MeasureKind::kSum;
  summed.measure.type = analysis::QueryTypeOf(column.seen.type);
  summed.measure.grid = *grid;
  const sql::PostgresDialect words;
  const PostgresAggregateWords sums(words);
  const std::string steps = statement::PrintSummand(value, summed, sums);
  if (!words.missing().empty()) return std::nullopt;
  return "CAST(" + steps + " AS bigint)";
}

}  // namespace

Result<CopyText> PrintCopy(const policy::Policy& policy, const policy::Table& table,
                           const Catalog& catalog) {
  const CatalogTable* stored = catalog.Find(table.name);
  const policy::Schema schema = catalog.Seen();
  const policy::SchemaTable* seen = schema.Find(table.name);
  if (stored == nullptr || seen == nullptr) {
    return InvalidArgument(At(policy, table.place) + ": the database has no table " + table.name,
                           "run tacit check");
  }
  tree::Scan scan = tree::Makers::ScanOf(analysis::MakeTableScan(policy, table, *seen), true);
  scan.unit_is_unique = KeepsUnitsUnique(catalog, scan);
  const PostgresStatement words(catalog);
  const statement::UnitRows rows = statement::PrintUnitRows(scan, 1, words);
  CopyText copy{
      .select = "", .uses_key = !scan.unit_is_unique, .grids = {}, .roots = {stored->name}};
  for (const policy::UnitHop& hop : scan.hops) {
    const CatalogTable* parent = catalog.Find(hop.to_table);
    copy.roots.push_back(parent != nullptr ? parent->name : hop.to_table);
  }
  const std::string base = sql::QuoteIdentifier("tacit_base");
  std::string items;
  for (size_t i = 0; i < stored->columns.size(); ++i) {
    items += base + "." + words.Words().Identifier(stored->columns[i].seen.name) + " AS " +
             CopyColumn(i) + ", ";
  }
  const std::string rank = scan.unit_is_unique
                               ? "CAST(1 AS bigint)"
                               : "row_number() OVER (PARTITION BY " + rows.unit + " ORDER BY " +
                                     rows.hash + ", " + rows.columns + ")";
  std::string grids;
  for (size_t i = 0; i < stored->columns.size(); ++i) {
    const auto grid = PrintGrid(CopyColumn(i), stored->columns[i], table);
    if (!grid) continue;
    grids += ", " + *grid + " AS " + GridOfCopy(i);
    copy.grids.push_back(i);
  }
  copy.select = "SELECT *" + grids + " FROM (SELECT " + items + rows.unit + " AS " +
                analysis::kUnitColumn + ", " + rank + " AS " + statement::kRankColumn + " FROM " +
                rows.table + rows.parents + " WHERE " + rows.unit +
                " IS NOT NULL) AS ranked WHERE " + statement::kRankColumn +
                " <= " + scan.rows_per_unit.get_str() + " ORDER BY " + analysis::kUnitColumn +
                ", " + statement::kRankColumn;
  if (!words.missing().empty()) {
    return InvalidArgument("the table " + table.name + " cannot be prepared: PostgreSQL has no " +
                           words.missing());
  }
  return copy;
}

}  // namespace tacit::engine::postgres
