#include "engine/trino/statement/dialect.h"

// The row hash's bytes of a value, as DuckDB keeps it (engine/duckdb/functions/row_hash.cc).
namespace tacit::engine::trino {
namespace {

std::string Narrow(const std::string& number, int bytes) {
  if (bytes == 8) return "to_big_endian_64(CAST(" + number + " AS bigint))";
  const std::string four = "to_big_endian_32(CAST(" + number + " AS integer))";
  return bytes == 4 ? four : "substr(" + four + ", 3)";
}

// Steps of the scale in as many bytes as DuckDB keeps of so many digits.
std::string NumericBytes(const std::string& value, const ValueType& type) {
  if (type.precision <= 18) {
    const std::string steps =
        "(" + value + " * DECIMAL '1" + std::string(static_cast<size_t>(type.scale), '0') + "')";
    return Narrow(steps, type.precision <= 4 ? 2 : type.precision <= 9 ? 4 : 8);
  }
  // Two words of 64 bits. A negative number's bits are those of -1 less it, turned round: so no
  // number on the way has more than 38 digits.
  const std::string steps =
      "CAST(replace(CAST(" + value + " AS varchar), '.', '') AS decimal(38,0))";
  const std::string is_negative = "(" + value + " < 0)";
  const std::string size =
      "(CASE WHEN " + is_negative + " THEN -1 - " + steps + " ELSE " + steps + " END)";
  const std::string word = "DECIMAL '18446744073709551616'";
  const std::string upper =
      "CAST((" + size + " - " + size + " % " + word + ") / " + word + " AS bigint)";
  const std::string half = "DECIMAL '4294967296'";
  const std::string low = "(" + size + " % " + word + ")";
  const std::string high_half =
      "CAST((" + low + " - " + low + " % " + half + ") / " + half + " AS bigint)";
  const std::string low_half = "CAST(" + low + " % " + half + " AS bigint)";
  const auto turned = [&](const std::string& number) {
    return "to_big_endian_64(CASE WHEN " + is_negative + " THEN bitwise_not(" + number + ") ELSE " +
           number + " END)";
  };
  return turned(upper) + " || substr(" + turned(high_half) + ", 5) || substr(" + turned(low_half) +
         ", 5)";
}

// Microseconds since an instant, from whole milliseconds and the last three digits.
std::string Micros(const std::string& value, const char* since) {
  return "to_big_endian_64(date_diff('millisecond', " + std::string(since) +
         ", date_trunc('millisecond', " + value + ")) * 1000 + CAST(substr(CAST(" + value +
         " AS varchar), -3) AS bigint))";
}

std::string Bytes(const std::string& value, Stored stored, const ValueType& type) {
  switch (stored) {
    case Stored::kBoolean:
      return "CASE WHEN " + value + " THEN X'01' ELSE X'00' END";
    case Stored::kSmallint:
      return Narrow(value, 2);
    case Stored::kInteger:
      return Narrow(value, 4);
    case Stored::kBigint:
      return Narrow(value, 8);
    case Stored::kNumeric:
      return NumericBytes(value, type);
    case Stored::kReal:
      return "to_ieee754_32(" + value + ")";
    case Stored::kDouble:
      return "to_ieee754_64(" + value + ")";
    case Stored::kText:
      return Narrow("length(to_utf8(" + value + "))", 4) + " || to_utf8(" + value + ")";
    case Stored::kDate:
      return Narrow("date_diff('day', DATE '1970-01-01', " + value + ")", 4);
    case Stored::kTime:
      return Micros(value, "TIME '00:00:00.000000'");
    case Stored::kTimestamp:
      return Micros(value, "TIMESTAMP '1970-01-01 00:00:00.000000'");
    case Stored::kTimestampTz:
      return Micros("CAST(" + value + " AT TIME ZONE 'UTC' AS timestamp(6))",
                    "TIMESTAMP '1970-01-01 00:00:00.000000'");
    case Stored::kUuid: {
      // As a number with its sign turned round, so that it sorts as texts do.
      const std::string bytes = "CAST(" + value + " AS varbinary)";
      return "to_big_endian_64(bitwise_xor(from_big_endian_64(substr(" + bytes +
             ", 1, 8)), BIGINT '-9223372036854775808')) || substr(" + bytes + ", 9)";
    }
    case Stored::kInterval:  // no table of Trino's holds one
      return "X''";
  }
  return "X''";
}

}  // namespace

std::string PrintBytes(const std::string& value, Stored stored, const ValueType& type) {
  return "CASE WHEN " + value + " IS NULL THEN X'00' ELSE X'01' || " + Bytes(value, stored, type) +
         " END";
}

}  // namespace tacit::engine::trino
