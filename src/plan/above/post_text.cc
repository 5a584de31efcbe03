#include "plan/above/post_text.h"

#include <cstdio>

#include "sql/print/dialect.h"
#include "sql/print/quote.h"

namespace tacit::plan {

std::string QuoteName(const std::string& identifier) {
  return sql::DuckDbDialect().Identifier(identifier);
}

std::string WithTables(const std::string& tables, const std::string& text) {
  if (tables.empty()) return text;
  for (const std::string_view with : {"WITH RECURSIVE ", "WITH "}) {
    if (text.starts_with(with)) return std::string(with) + tables + ", " + text.substr(with.size());
  }
  return "WITH " + tables + " " + text;
}

std::string TypeText(const sql::Type& type) { return sql::DuckDbDialect().TypeName(type); }

std::optional<std::string> LongDoubleText(const Rational& value) {
  constexpr size_t kDigits = 17;
  if (mpz_sizeinbase(value.get_num_mpz_t(), 10) <= kDigits &&
      mpz_sizeinbase(value.get_den_mpz_t(), 10) <= kDigits) {
    return std::nullopt;
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", ToDoubleDown(value));
  return text;
}

std::string DoubleText(const Rational& value) {
  if (const auto text = LongDoubleText(value)) return "CAST('" + *text + "' AS DOUBLE)";
  const std::string whole = "CAST((" + value.get_num().get_str() + ") AS DOUBLE)";
  if (value.get_den() == 1) return whole;
  return whole + " / CAST(" + value.get_den().get_str() + " AS DOUBLE)";
}

namespace {

// As an engine reads it: digits and an exponent where a plain decimal would be too long. Keys are
// written as decimals, so their denominators divide a power of ten.
std::string NumberText(const Rational& number) {
  const std::string plain = ToString(number);
  if (plain.find('/') == std::string::npos) return plain;
  Integer power = 1;
  unsigned long digits = 0;
  // Why 400: no double is written with more digits behind its point than that, to its leading one.
  while (digits < 400 && power % number.get_den() != 0) {
    power *= 10;
    ++digits;
  }
  return Integer(number.get_num() * power / number.get_den()).get_str() + "e-" +
         std::to_string(digits);
}

}  // namespace

std::string KeyValueText(const policy::KeyValue& value) {
  using Kind = policy::KeyValue::Kind;
  if (value.kind == Kind::kNull) return "NULL";
  if (value.kind == Kind::kBoolean) return value.truth ? "true" : "false";
  if (value.kind == Kind::kNumber && value.number.get_den() == 1) {
    return value.number.get_num().get_str();
  }
  return sql::QuoteString(value.kind == Kind::kNumber ? NumberText(value.number) : value.text);
}

std::string ModeValuesText(const analysis::ExactMeasure& measure) {
  std::string list;
  for (const policy::KeyValue& value : measure.values) {
    list += (list.empty() ? "CAST(" : ", CAST(") + KeyValueText(value) + " AS " +
            TypeText(measure.type) + ")";
  }
  return "[" + list + "]";
}

}  // namespace tacit::plan
