#include "engine/duckdb/functions/own_functions.h"
#include "engine/duckdb/prepare/prepared_tables.h"
#include "engine/duckdb/statement/dialect.h"
#include "engine/statement/printer.h"

// A row's place is found from its number, its unit and its hash alone, so that the sort compares a
// few bytes and moves a few more; the rows themselves are then sorted by one integer. Everything
// that takes long runs on all cores: windows over the sorted rows would bind what follows to one.
namespace tacit::engine::duckdb {
namespace {

using analysis::kUnitColumn;
using statement::kNumberColumn;
using statement::kRankColumn;
using statement::UnitRows;

// Where the database keeps units apart, there is no order inside one.
UnitRows PlacedRows(const tree::Scan& scan) {
  UnitRows rows = statement::PrintUnitRows(scan, 1, StatementDialect());
  if (rows.hash.empty()) rows.hash = "CAST(0 AS UBIGINT)";
  return rows;
}

constexpr char kPlace[] = "tacit_place";

std::string PrintRows(const UnitRows& rows) {
  return " FROM " + rows.table + rows.parents + " WHERE " + rows.unit + " IS NOT NULL";
}

std::string PrintSorted(const UnitRows& rows, const std::string& then_by) {
  const std::string sorted = "SELECT " + rows.row + " AS tacit_row, " + rows.unit + " AS " +
                             kUnitColumn + ", " + rows.hash + " AS tacit_hash" + PrintRows(rows) +
                             " ORDER BY " + kUnitColumn + ", tacit_hash" + then_by;
  return std::string("SELECT tacit_row, ") + kUnitColumn + " IS DISTINCT FROM lag(" + kUnitColumn +
         ") OVER () AS tacit_begins, tacit_hash FROM (" + sorted + ") AS tacit_sorted";
}

// Rows that differ only in what DISTINCT does not tell apart are not told apart by ORDER BY either.
std::string PrintCollisions(const UnitRows& rows) {
  const std::string different = "SELECT DISTINCT " + rows.unit + " AS " + kUnitColumn + ", " +
                                rows.hash + " AS tacit_hash, " + rows.columns + PrintRows(rows) +
                                " AND " + kRowTiesFunction + "(" + rows.row +
                                ", CAST($2 AS BIGINT))";
  return "SELECT count(*) FROM (SELECT 1 FROM (" + different + ") AS tacit_tied GROUP BY " +
         kUnitColumn + ", tacit_hash HAVING count(*) > 1) AS tacit_collided";
}

}  // namespace

RowOrder PrintRowOrder(const tree::Scan& scan) {
  const UnitRows rows = PlacedRows(scan);
  return {.rows = "SELECT coalesce(max(" + rows.row + ") + 1, 0) FROM " + rows.table,
          .by_hash = PrintSorted(rows, ""),
          .collisions = PrintCollisions(rows),
          .by_values = PrintSorted(rows, ", " + rows.columns),
          .uses_deployment_key = !scan.unit_is_unique,
          .rows_per_unit = scan.rows_per_unit};
}

std::string PrintPlacedRows(const tree::Scan& scan) {
  const UnitRows rows = PlacedRows(scan);
  const std::string place =
      std::string(kRowPlaceFunction) + "(" + rows.row + ", CAST($1 AS BIGINT))";
  const std::string unit = scan.hops.empty() ? "" : ", " + rows.unit + " AS " + kUnitColumn;
  const std::string placed = "SELECT tacit_base.*" + unit + ", " + place + " AS " + kPlace +
                             " FROM " + rows.table + rows.parents + " WHERE " + place +
                             " IS NOT NULL ORDER BY " + kPlace;
  const std::string bits = std::to_string(kRankBits);
  return std::string("SELECT *, CAST(") + kPlace + " & " +
         std::to_string((int64_t{1} << kRankBits) - 1) + " AS INTEGER) + 1 AS " + kRankColumn +
         ", " + kPlace + " >> " + bits + " AS " + kNumberColumn + " FROM (" + placed +
         ") AS tacit_placed";
}

}  // namespace tacit::engine::duckdb
