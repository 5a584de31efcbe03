#include "sql/print/quote.h"
#include "sql/print/trino/parts.h"

// NaN is larger than every number and equal to itself, as DuckDB has it; Trino's operators follow
// IEEE 754. Only a column can hold one: what is computed is finite (Dialect::Read).
namespace tacit::sql::trino {
namespace {

bool MayBeNan(const Application& a, size_t i) {
  return a.type(i).IsFloat() && As<BoundColumn>(a.argument(i)) != nullptr;
}

std::string Compared(const std::string& x, const std::string& symbol, const std::string& y) {
  return "(" + x + " " + symbol + " " + y + ")";
}

// What the comparison of x and y is, by whether each is NaN.
std::string NanCompared(const Application& a, size_t first, const std::string& symbol,
                        size_t second) {
  const std::string& x = a.text[first];
  const std::string& y = a.text[second];
  if (!MayBeNan(a, first) && !MayBeNan(a, second)) return Compared(x, symbol, y);
  const auto is_nan = [&](size_t i) {
    return MayBeNan(a, i) ? "is_nan(" + a.text[i] + ")" : std::string("FALSE");
  };
  // As numbers: 1 for NaN and 0 for all others.
  const auto place = [&](size_t i) { return "CAST(" + is_nan(i) + " AS integer)"; };
  return "CASE WHEN " + x + " IS NULL OR " + y + " IS NULL THEN NULL WHEN " + is_nan(first) +
         " OR " + is_nan(second) + " THEN " + place(first) + " " + symbol + " " + place(second) +
         " ELSE " + Compared(x, symbol, y) + " END";
}

Text PrintInfix(const Application& a) {
  return NanCompared(a, 0, std::string(a.apply.function->name), 1);
}

Text PrintBetween(const Application& a) {
  return "(" + NanCompared(a, 0, ">=", 1) + " AND " + NanCompared(a, 0, "<=", 2) + ")";
}

Text PrintIn(const Application& a) {
  bool may_be_nan = false;
  for (size_t i = 1; i < a.text.size(); ++i) may_be_nan = may_be_nan || MayBeNan(a, i);
  if (!may_be_nan) return InText(a);
  std::string text;
  for (size_t i = 1; i < a.text.size(); ++i) {
    text += (i == 1 ? "(" : " OR ") + NanCompared(a, 0, "=", i);
  }
  return text + ")";
}

// PostgreSQL's escape character; patterns are literals. Before any other character it escapes that
// one, which Trino refuses to read.
Text PrintLike(const Application& a) {
  const std::string& written = a.literal(1)->text;
  std::string pattern;
  bool escapes = false;
  for (size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\\' && i + 1 < written.size()) {
      ++i;
      if (written[i] == '\\' || written[i] == '%' || written[i] == '_') {
        pattern += '\\';
        escapes = true;
      }
    }
    pattern += written[i];
  }
  return "(" + a.text[0] + " LIKE " + QuoteString(pattern) + (escapes ? " ESCAPE '\\'" : "") + ")";
}

Text PrintAnd(const Application& a) { return Connected(a, "AND"); }
Text PrintOr(const Application& a) { return Connected(a, "OR"); }
Text PrintNot(const Application& a) { return "(NOT " + a.text[0] + ")"; }
Text PrintIsNull(const Application& a) { return "(" + a.text[0] + " IS NULL)"; }
Text PrintIsTrue(const Application& a) { return "coalesce(" + a.text[0] + ", FALSE)"; }
Text PrintIsFalse(const Application& a) { return "coalesce(NOT " + a.text[0] + ", FALSE)"; }
Text PrintIsDistinct(const Application& a) {
  return "(" + a.text[0] + " IS DISTINCT FROM " + a.text[1] + ")";
}
Text PrintNullif(const Application& a) { return CallText("nullif", a.text); }

// Trino wants two.
Text PrintCoalesce(const Application& a) {
  return a.text.size() == 1 ? a.text[0] : CallText("coalesce", a.text);
}

// Trino's own are NULL where one of them is.
Text PrintExtreme(const Application& a) {
  if (a.text.size() == 1) return a.text[0];
  std::string list;
  for (const std::string& text : a.text) list += (list.empty() ? "" : ", ") + text;
  const char* name = a.apply.function->name == "least" ? "array_min" : "array_max";
  return std::string(name) + "(filter(ARRAY[" + list + "], one -> one IS NOT NULL))";
}

}  // namespace

Renderings ComparisonRenderings() {
  return {{"=", PrintInfix},
          {"<>", PrintInfix},
          {"<", PrintInfix},
          {"<=", PrintInfix},
          {">", PrintInfix},
          {">=", PrintInfix},
          {"in", PrintIn},
          {"between", PrintBetween},
          {"is distinct from", PrintIsDistinct},
          {"is null", PrintIsNull},
          {"is true", PrintIsTrue},
          {"is false", PrintIsFalse},
          {"and", PrintAnd},
          {"or", PrintOr},
          {"not", PrintNot},
          {"like", PrintLike},
          {"coalesce", PrintCoalesce},
          {"nullif", PrintNullif},
          {"least", PrintExtreme},
          {"greatest", PrintExtreme}};
}

}  // namespace tacit::sql::trino
