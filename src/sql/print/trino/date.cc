#include "sql/print/quote.h"
#include "sql/print/trino/parts.h"

// Days and times without a zone, or in UTC: each engine has zones of its own edition.
namespace tacit::sql::trino {
namespace {

std::string Called(const std::string& name, const std::string& instant) {
  return name + "(" + instant + ")";
}

// Seconds since 1970, with six digits behind the point.
std::string Epoch(const std::string& instant) {
  return "(CAST(date_diff('second', TIMESTAMP '1970-01-01 00:00:00', date_trunc('second', " +
         instant + ")) AS decimal(20,6)) + CAST('0.' || " + "substr(CAST(" + instant +
         " AS varchar), -6) AS decimal(7,6)))";
}

Text FieldText(const std::string& field, const std::string& instant) {
  const auto plain = [&](const char* name) { return Called(name, instant); };
  if (field == "isoyear") return plain("year_of_week");
  if (field == "dow") return "(" + plain("day_of_week") + " % 7)";
  if (field == "isodow") return plain("day_of_week");
  if (field == "doy") return plain("day_of_year");
  if (field == "decade") return "(" + plain("year") + " / 10)";
  if (field == "century") return "((" + plain("year") + " + 99) / 100)";
  if (field == "second") return "CAST(" + SecondsText(instant) + " AS decimal(8,6))";
  if (field == "microsecond") {
    return "CAST(replace(" + SecondsText(instant) + ", '.', '') AS bigint)";
  }
  if (field == "epoch") return Epoch(instant);
  for (const char* same : {"year", "quarter", "month", "week", "day", "hour", "minute"}) {
    if (field == same) return plain(same);
  }
  return std::nullopt;
}

Text PrintExtract(const Application& a) {
  const std::string& field = a.literal(0)->text;
  if (a.type(1).kind == TypeKind::kInterval) return std::nullopt;
  // More digits than a double has.
  if (field == "epoch" && a.result.kind == TypeKind::kDouble) return std::nullopt;
  const auto text = FieldText(field, InCalendar(a.text[1], a.type(1)));
  if (!text) return std::nullopt;
  return CastText(*text, a.result);
}

bool IsUtc(const Literal* zone) { return zone != nullptr && zone->text == "UTC"; }

std::string CutAt(const std::string& unit, const std::string& instant) {
  if (unit == "microsecond") return instant;
  if (unit == "decade") {
    return "date_add('year', -(year(" + instant + ") % 10), date_trunc('year', " + instant + "))";
  }
  return "date_trunc(" + QuoteString(unit) + ", " + instant + ")";
}

Text PrintCutOff(const Application& a) {
  const std::string& unit = a.literal(0)->text;
  const std::string instant = InCalendar(a.text[1], a.type(1));
  if (a.type(1).kind != TypeKind::kTimestampTz) return CutAt(unit, instant);
  if (a.text.size() == 3 && !IsUtc(a.literal(2))) return std::nullopt;
  return OfUtc(CutAt(unit, ToUtc(instant)));
}

Text PrintZone(const Application& a) {
  if (!IsUtc(a.literal(0))) return std::nullopt;
  const std::string instant = InCalendar(a.text[1], a.type(1));
  return a.type(1).kind == TypeKind::kTimestampTz ? ToUtc(instant) : OfUtc(instant);
}

}  // namespace

std::string InCalendar(const std::string& operand, const Type& type) {
  const char* calendar =
      type.kind == TypeKind::kDate ? " BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"
      : type.kind == TypeKind::kTimestampTz
          ? " BETWEEN TIMESTAMP '0001-01-01 00:00:00.000000 UTC' AND TIMESTAMP '9999-12-31 "
            "23:59:59.999999 UTC'"
          : " BETWEEN TIMESTAMP '0001-01-01 00:00:00.000000' AND TIMESTAMP '9999-12-31 "
            "23:59:59.999999'";
  return "CASE WHEN " + operand + calendar + " THEN " + operand + " END";
}

std::string ToUtc(const std::string& instant) {
  return "CAST(" + instant + " AT TIME ZONE 'UTC' AS timestamp(6))";
}

std::string OfUtc(const std::string& timestamp) {
  return "with_timezone(" + timestamp + ", 'UTC')";
}

// Of a year of four digits: 2024-02-29 12:34:56.123456.
std::string SecondsText(const std::string& timestamp) {
  return "substr(CAST(" + timestamp + " AS varchar), 18)";
}

Renderings DateRenderings() {
  return {{"extract", PrintExtract},
          {"date_part", PrintExtract},
          {"date_trunc", PrintCutOff},
          {"timezone", PrintZone},
          {"to_char", PrintToChar}};
}

}  // namespace tacit::sql::trino
