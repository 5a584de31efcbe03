#include "engine/postgres/statement/dialect.h"

namespace tacit::engine::postgres {
namespace {

std::string Marked(const std::string& value, const std::string& bytes) {
  return "CASE WHEN " + value + " IS NULL THEN '\\x00'::bytea ELSE '\\x01'::bytea || " + bytes +
         " END";
}

std::string PowerOfTen(int power) { return "1" + std::string(static_cast<size_t>(power), '0'); }

// Steps of the scale in as many bytes as DuckDB keeps of so many digits.
std::string NumericBytes(const std::string& value, const ValueType& type) {
  const std::string steps = "(" + value + " * " + PowerOfTen(type.scale) + ")";
  if (type.precision <= 4) return "int2send(CAST(" + steps + " AS smallint))";
  if (type.precision <= 9) return "int4send(CAST(" + steps + " AS integer))";
  if (type.precision <= 18) return "int8send(CAST(" + steps + " AS bigint))";
  // Two words of 64 bits: the upper one with its sign, the lower one in halves.
  const std::string moved = "(" + steps + " + 170141183460469231731687303715884105728)";
  const std::string upper =
      "int8send(CAST(div(" + moved + ", 18446744073709551616) - 9223372036854775808 AS bigint))";
  const std::string lower = "mod(" + moved + ", 18446744073709551616)";
  const auto half = [](const std::string& number) {
    return "substring(int8send(CAST(" + number + " AS bigint)) FROM 5)";
  };
  return upper + " || " + half("div(" + lower + ", 4294967296)") + " || " +
         half("mod(" + lower + ", 4294967296)");
}

// Microseconds since 1970; the infinities are the ends of 64 bits.
std::string InstantBytes(const std::string& value) {
  return "int8send(CASE WHEN " + value + " = 'infinity' THEN 9223372036854775807 WHEN " + value +
         " = '-infinity' THEN -9223372036854775807 ELSE CAST(extract(epoch FROM " + value +
         ") * 1000000 AS bigint) END)";
}

std::string Bytes(const std::string& value, Stored stored, const ValueType& type) {
  switch (stored) {
    case Stored::kBoolean:
      return "CASE WHEN " + value + " THEN '\\x01'::bytea ELSE '\\x00'::bytea END";
    case Stored::kSmallint:
      return "int2send(" + value + ")";
    case Stored::kInteger:
      return "int4send(" + value + ")";
    case Stored::kBigint:
      return "int8send(" + value + ")";
    case Stored::kNumeric:
      return NumericBytes(value, type);
    case Stored::kReal:
      return "float4send(" + value + ")";
    case Stored::kDouble:
      return "float8send(" + value + ")";
    case Stored::kText:
      return "int4send(octet_length(" + value + ")) || convert_to(" + value + ", 'UTF8')";
    case Stored::kDate:
      return "int4send(CASE WHEN " + value + " = 'infinity' THEN 2147483647 WHEN " + value +
             " = '-infinity' THEN -2147483647 ELSE " + value + " - DATE '1970-01-01' END)";
    case Stored::kTime:
      return "time_send(" + value + ")";
    case Stored::kTimestamp:
    case Stored::kTimestampTz:
      return InstantBytes(value);
    case Stored::kInterval:
      return "interval_send(" + value + ")";
    case Stored::kUuid: {
      // As a number with its sign turned round, so that it sorts as texts do.
      const std::string bytes = "uuid_send(" + value + ")";
      return "set_byte(" + bytes + ", 0, get_byte(" + bytes + ", 0) # 128)";
    }
  }
  return "NULL";
}

}  // namespace

std::string PrintBytes(const std::string& value, Stored stored, const ValueType& type) {
  return Marked(value, Bytes(value, stored, type));
}

}  // namespace tacit::engine::postgres
