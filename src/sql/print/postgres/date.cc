#include "sql/print/postgres/parts.h"
#include "sql/print/quote.h"

// Days and times without a zone, or in UTC: each engine has zones of its own edition. Decades,
// intervals and what is made of them are DuckDB's alone.
namespace tacit::sql::postgres {
namespace {

Text PrintExtract(const Application& a) {
  const std::string& field = a.literal(0)->text;
  if (a.type(1).kind == TypeKind::kInterval || field == "decade") return std::nullopt;
  // More digits than a double has.
  if (field == "epoch" && a.result.kind == TypeKind::kDouble) return std::nullopt;
  return CastText("extract(" + field + " FROM " + InCalendar(a.text[1], a.type(1)) + ")", a.result);
}

bool IsUtc(const Literal* zone) { return zone != nullptr && zone->text == "UTC"; }

Text PrintCutOff(const Application& a) {
  const std::string& unit = a.literal(0)->text;
  if (unit == "decade") return std::nullopt;
  const std::string trunc = "date_trunc(" + QuoteString(unit) + ", ";
  const std::string instant = InCalendar(a.text[1], a.type(1));
  if (a.type(1).kind != TypeKind::kTimestampTz) return trunc + instant + ")";
  if (a.text.size() == 3 && !IsUtc(a.literal(2))) return std::nullopt;
  return "timezone('UTC', " + trunc + "timezone('UTC', " + instant + ")))";
}

Text PrintZone(const Application& a) {
  if (!IsUtc(a.literal(0))) return std::nullopt;
  return "timezone('UTC', " + InCalendar(a.text[1], a.type(1)) + ")";
}

// The patterns that are accepted are PostgreSQL's, and mean what it says.
Text PrintToChar(const Application& a) {
  return "to_char(" + InCalendar(a.text[0], a.type(0)) + ", " + QuoteString(a.literal(1)->text) +
         ")";
}

}  // namespace

std::string InCalendar(const std::string& operand, const Type& type) {
  const char* calendar =
      type.kind == TypeKind::kDate ? " BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
      : type.kind == TypeKind::kTimestampTz
          ? " BETWEEN TIMESTAMPTZ '0001-01-01 00:00:00+00' AND TIMESTAMPTZ '9999-12-31 "
            "23:59:59.999999+00'"
          : " BETWEEN TIMESTAMP '0001-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999'";
  return "CASE WHEN " + operand + calendar + " THEN " + operand + " END";
}

Renderings DateRenderings() {
  return {{"extract", PrintExtract},
          {"date_part", PrintExtract},
          {"date_trunc", PrintCutOff},
          {"timezone", PrintZone},
          {"to_char", PrintToChar}};
}

}  // namespace tacit::sql::postgres
