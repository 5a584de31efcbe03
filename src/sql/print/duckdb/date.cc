#include "base/mutant.h"
#include "sql/functions/patterns/pattern.h"
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
  if (a.type(1).kind == TypeKind::kInterval) {
    if (field == "epoch") return Seconds(a.text[1]);
    return "date_part(" + QuoteString(field) + ", " + a.text[1] + ")";
  }
  const std::string instant = InCalendar(a.text[1], a.type(1));
  if (field == "epoch") return Millionths("epoch_us(" + instant + ")");
  if (field == "second") return Millionths("date_part('microsecond', " + instant + ")");
  return "date_part(" + QuoteString(field) + ", " + instant + ")";
}

std::string RenderExtract(const Application& a) {
  return "CAST(" + FieldText(a) + " AS " + TypeName(a.result) + ")";
}

// In the zone, as a timestamp without one; and back.
std::string InZone(const std::string& zone, const std::string& instant, const Type& type) {
  return "timezone(" + QuoteString(zone) + ", " + InCalendar(instant, type) + ")";
}

std::string RenderDateTrunc(const Application& a) {
  const std::string unit = "date_trunc(" + QuoteString(a.literal(0)->text) + ", ";
  if (a.type(1).kind != TypeKind::kTimestampTz) {
    return unit + InCalendar(a.text[1], a.type(1)) + ")";
  }
  const std::string zone = a.text.size() == 3 ? a.literal(2)->text : "UTC";
  return "timezone(" + QuoteString(zone) + ", " + unit + InZone(zone, a.text[1], a.type(1)) + "))";
}

std::string RenderZone(const Application& a) {
  return InZone(a.literal(0)->text, a.text[1], a.type(1));
}

std::string RenderToChar(const Application& a) {
  const std::string instant = InCalendar(a.text[0], a.type(0));
  const auto written = [&instant](const std::string& format) {
    return "strftime(" + instant + ", " + QuoteString(format) + ")";
  };
  std::string text;
  const std::vector<TimePart> parts = TimePartsOf(a.literal(1)->text).value();
  for (const TimePart& part : parts) {
    if (!text.empty()) text += " || ";
    switch (part.kind) {
      case TimePart::Kind::kFormat:
        text += written(part.format);
        break;
      case TimePart::Kind::kUpper:
        text += "upper(" + written(part.format) + ")";
        break;
      case TimePart::Kind::kLower:
        text += "lower(" + written(part.format) + ")";
        break;
      case TimePart::Kind::kLowerPadded:
        text += "rpad(lower(" + written(part.format) + "), 9, ' ')";
        break;
      case TimePart::Kind::kPadded:
        text += "rpad(" + written(part.format) + ", 9, ' ')";
        break;
      case TimePart::Kind::kUpperPadded:
        text += "rpad(upper(" + written(part.format) + "), 9, ' ')";
        break;
      case TimePart::Kind::kQuarter:
        text += "CAST(date_part('quarter', " + instant + ") AS VARCHAR)";
        break;
    }
  }
  return "(" + text + ")";
}

// The microseconds since the origin, less what is over; % has the sign of what is divided.
std::string RenderBin(const Application& a) {
  const Interval& stride = a.literal(0)->interval;
  const std::string length =
      std::to_string(stride.days * int64_t{86'400'000'000} + stride.microseconds);
  const std::string instant = "epoch_us(" + InCalendar(a.text[1], a.type(1)) + ")";
  const std::string over = "(" + instant + " - epoch_us(" + a.text[2] + ")) % " + length;
  const std::string bin =
      "make_timestamp(" + instant + " - ((" + over + " + " + length + ") % " + length + "))";
  // Years without a number have no clocks.
  return a.type(1).kind == TypeKind::kTimestampTz
             ? "timezone('UTC', " + InCalendar(bin, kTimestampType) + ")"
             : bin;
}

std::string RenderAge(const Application& a) {
  return "age(" + InCalendar(a.text[0], a.type(0)) + ", " + InCalendar(a.text[1], a.type(1)) + ")";
}

std::string RenderMakeDate(const Application& a) {
  return TryCast("CASE WHEN " + a.text[0] +
                     " BETWEEN 1 AND 9999 THEN format('{:04d}-{:02d}-{:02d}', " + a.text[0] + ", " +
                     a.text[1] + ", " + a.text[2] + ") END",
                 a.result);
}

// As PostgreSQL: to the nearest microsecond.
std::string RenderToTimestamp(const Application& a) {
  const std::string seconds = "CASE WHEN " + a.text[0] +
                              " BETWEEN -62135596800 AND 253402300799 THEN " + a.text[0] + " END";
  return "timezone('UTC', make_timestamp(CAST(round((" + seconds + ") * 1000000) AS BIGINT)))";
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
  return {{"extract", RenderExtract},
          {"date_part", RenderExtract},
          {"date_trunc", RenderDateTrunc},
          {"timezone", RenderZone},
          {"to_char", RenderToChar},
          {"date_bin", RenderBin},
          {"age", RenderAge},
          {"make_date", RenderMakeDate},
          {"to_timestamp", RenderToTimestamp}};
}

}  // namespace tacit::sql::duckdb
