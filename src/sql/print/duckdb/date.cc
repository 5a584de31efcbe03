#include "base/mutant.h"
#include "sql/print/duckdb/parts.h"
#include "sql/print/quote.h"

namespace tacit::sql::duckdb {
namespace {

// PostgreSQL's seconds have six decimals; DuckDB's are whole, its microseconds hold the rest.
std::string Millionths(const std::string& microseconds) {
  return "CAST((CAST(" + microseconds +
         " AS DECIMAL(20,0)) * CAST('0.000001' AS DECIMAL(6,6))) AS DECIMAL(26,6))";
}

// Of equal intervals, such as 1 year and 360 days, the largest or the first of a group is whichever
// came first: their seconds have to be the same, so a month has 30 days here as it has in
// comparisons. Beyond 200,000 years the engine's microseconds would overflow, and it raises.
std::string Seconds(const std::string& interval) {
  if (TACIT_MUTANT("epoch_of_a_spelling")) return "CAST(epoch(" + interval + ") AS DECIMAL(26,6))";
  return Millionths("epoch_us(CASE WHEN " + interval +
                    " BETWEEN to_years(-200000) AND to_years(200000) THEN " + interval + " END)");
}

std::string FieldText(const Application& a) {
  const std::string& field = a.literal(0)->text;
  if (a.type(1).kind == TypeKind::kInterval) return Seconds(a.text[1]);
  const std::string instant = InCalendar(a.text[1], a.type(1));
  if (field == "epoch") return Millionths("epoch_us(" + instant + ")");
  if (field == "second") return Millionths("date_part('microsecond', " + instant + ")");
  return "date_part(" + QuoteString(field) + ", " + instant + ")";
}

std::string RenderExtract(const Application& a) {
  return "CAST(" + FieldText(a) + " AS " + TypeName(a.result) + ")";
}

std::string RenderDateTrunc(const Application& a) {
  return "date_trunc(" + QuoteString(a.literal(0)->text) + ", " + InCalendar(a.text[1], a.type(1)) +
         ")";
}

std::string RenderMakeDate(const Application& a) {
  return TryCast("CASE WHEN " + a.text[0] +
                     " BETWEEN 1 AND 9999 THEN format('{:04d}-{:02d}-{:02d}', " + a.text[0] + ", " +
                     a.text[1] + ", " + a.text[2] + ") END",
                 a.result);
}

}  // namespace

std::string InCalendar(const std::string& operand, const Type& type) {
  const bool date = type.kind == TypeKind::kDate;
  return "CASE WHEN " + operand +
         (date ? " BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
               : " BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999'") +
         " THEN " + operand + " END";
}

Renderings DateRenderings() {
  return {{"extract", RenderExtract},
          {"date_part", RenderExtract},
          {"date_trunc", RenderDateTrunc},
          {"make_date", RenderMakeDate}};
}

}  // namespace tacit::sql::duckdb
