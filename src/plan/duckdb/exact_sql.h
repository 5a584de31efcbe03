#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "base/result.h"
#include "plan/private_plan.h"

// The exact query of a block in DuckDB's SQL. Everything that an engine computes from protected
// rows is written here and in the sql printer, and nowhere else.
namespace tacit::plan::duckdb {

struct ExactQuery {
  std::string sql;
  bool uses_deployment_key = false;  // its last parameter, after one for each constant
  std::optional<StreamedCap> stream;
  std::optional<DistinctJoins> distinct_joins;
  std::string sets_sql;  // Release::sets_sql
};

// Columns k1..., `units` if wished, m1...; rows in any order. All public keys: one row each.
Result<ExactQuery> ExactSql(const analysis::Block& block, bool with_units);

// The public keys of a block alone: k1, ... for those that are public. Reads no protected row.
Result<std::string> KeyListSql(const analysis::Block& block);

// ['F', 'M']: a mode's public values as a list of the column's type.
std::string PrintModeValues(const analysis::Measure& measure);

// ---- parts

// scan.cc
struct RowsText {
  std::string text;
  bool uses_deployment_key = false;
};
Result<RowsText> PrintSource(const analysis::Block& block, int deployment_key_parameter);
// All rows of a protected table, for what is stored of them.
struct UnitRows {
  std::string row;      // its number in the table
  std::string unit;     // NULL: none, and the row is not stored
  std::string table;    // as tacit_base
  std::string parents;  // joins with what leads to the unit
  std::string hash;     // a unit's rows are ordered by this ...
  std::string columns;  // ... and then by these
};
UnitRows PrintUnitRows(const analysis::TableScan& scan, int deployment_key_parameter);

// exact_sql.cc: whether every stored row is a unit of its own and can stand in several rows: people
// are then counted by its number in the table, as the scan's tacit_number. The number is the row's
// identity in one statement, and never an order.
bool TellsRowsApart(const analysis::Block& block);

// exact_sql.cc: rows as the aggregates see them, before the group cap: key, argument, factor and
// filter expressions as columns k1, a1, b1, f1, what tells units apart as u, and
// PrintOrders.
Result<RowsText> PrintUncapped(const analysis::Block& block);

// unit_cap.cc
// Scans and joins of scans: how many rows of a unit there are is a fact of the printed text.
bool IsPlain(const analysis::RowSource& source);
// Everything that the aggregates see of a row, as a list: k1, a1, ... Rows that are equal in it are
// the same to them.
std::string SeenColumns(const analysis::Block& block);
// The rows (k1..., a1..., b1..., f1..., u), of each unit no more than the block declares.
std::string PrintUnitCapped(const analysis::Block& block, const std::string& rows);

// stream.cc: whether the rows of a unit can be told apart by the ranks of the rows that they are
// made of: all from prepared tables of people, and public ones that a row meets once.
bool IsRanked(const analysis::RowSource& source);
// The group cap as one pass, where the block is made of prepared tables.
Result<std::optional<StreamedCap>> PrintStream(const analysis::Block& block, bool with_units);

// distinct_joins.cc: the block with people compared after joins by other columns; nothing where no
// join has any.
struct LoosenedJoins {
  analysis::Block block;
  std::vector<std::vector<StoredColumn>> by;  // DistinctJoins::by
};
std::optional<LoosenedJoins> LoosenJoins(const analysis::Block& block);

// group_cap.cc
// Ranks of the scans that the rows are joined from, as o1, o2, ...: what decides which rows stay.
std::vector<std::string> PrintOrders(const analysis::Block& block);
// What follows FROM: the rows whose public keys are in the block's list, as `rows`.
Result<std::string> PrintListedRows(const analysis::Block& block, const std::string& rows);
// The rows (k1..., a1..., f1..., u, o1...) that the block's group cap keeps.
Result<std::string> PrintCapped(const analysis::Block& block, const std::string& rows);

// exact_sql.cc: the first measure with the same expression in this place, whose column a1, b1 or f1
// serves both: what several measures are made of is computed once.
size_t FirstWith(const analysis::Block& block, size_t i, sql::Expression analysis::Measure::*part);

// The argument of a measure as it is computed for each row: numerics in double precision, where all
// measures that share it put it on a grid or count it.
Result<std::string> PrintArgument(const analysis::Block& block, size_t i);

// summand.cc
// The clamped grid integer of a summand, NULL for NULL.
std::string PrintSummand(const std::string& value, const analysis::Measure& measure);

// The sum of kSum, with `tail` after its aggregates. The centre is taken off all at once: less work
// than off every row.
std::string PrintSum(const std::string& value, const analysis::Measure& measure,
                     const std::string& tail);

// The product of both clamped and centred factors.
std::string PrintProduct(const std::string& value, const std::string& factor,
                         const analysis::Measure& measure);

// The number of a quantile's cells, or of a mode's values.
int64_t CellsOf(const analysis::Measure& measure);
// The counts of all cells as a LIST; `tail` is a FILTER clause or nothing.
std::string PrintCells(const std::string& value, const analysis::Measure& measure,
                       const std::string& tail);
std::string PrintNoCells(const analysis::Measure& measure);

// expression.cc
// The same arithmetic on numerics, in double precision: what is put on a grid next is rounded there
// by far more than this loses, and 128-bit products take several times as long.
Result<std::string> PrintInDoubles(const sql::Expression& number, const analysis::Block& block);
Result<std::string> PrintBelow(const sql::Expression& expression, const analysis::Block& block);
// A key as rows are grouped by it: equal ones have one form.
Result<std::string> PrintKey(const analysis::Key& key, const analysis::Block& block);
std::string Quote(const std::string& identifier);
std::string QuoteText(const std::string& text);
std::string DoubleText(const Rational& value);
// Numbers of up to 17 digits are exact quotients of integers; longer ones are doubles anyway: their
// digits.
std::optional<std::string> LongDoubleText(const Rational& value);
std::string TypeText(const sql::Type& type);
// (SELECT CAST($1 AS BIGINT) AS "v1", ...) AS "tacit_constant"; empty without constants. It gives a
// statement every parameter, whatever its expressions use.
std::string PrintConstants(const analysis::Block& block);

}  // namespace tacit::plan::duckdb
