#include "sql/print/postgres/parts.h"
#include "sql/print/quote.h"

namespace tacit::sql::postgres {
namespace {

Text PrintInfix(const Application& a) { return InfixText(a); }
Text PrintIn(const Application& a) { return InText(a); }

// PostgreSQL's own LIKE gives up a % as soon as a later one cannot match: its time is bounded by
// the product of both lengths, and patterns are literals.
Text PrintLike(const Application& a) {
  return "(" + a.text[0] + " LIKE " + QuoteString(a.literal(1)->text) + ")";
}

Text PrintAnd(const Application& a) { return Connected(a, "AND"); }
Text PrintOr(const Application& a) { return Connected(a, "OR"); }
Text PrintNot(const Application& a) { return "(NOT " + a.text[0] + ")"; }
Text PrintIsNull(const Application& a) { return "(" + a.text[0] + " IS NULL)"; }
Text PrintIsTrue(const Application& a) { return "(" + a.text[0] + " IS TRUE)"; }
Text PrintIsFalse(const Application& a) { return "(" + a.text[0] + " IS FALSE)"; }
Text PrintIsDistinct(const Application& a) {
  return "(" + a.text[0] + " IS DISTINCT FROM " + a.text[1] + ")";
}
Text PrintBetween(const Application& a) {
  return "(" + a.text[0] + " BETWEEN " + a.text[1] + " AND " + a.text[2] + ")";
}
Text PrintNamed(const Application& a) {
  return CallText(std::string(a.apply.function->name), a.text);
}

}  // namespace

Renderings ComparisonRenderings() {
  return {
      {"=", PrintInfix},        {"<>", PrintInfix},        {"<", PrintInfix},
      {"<=", PrintInfix},       {">", PrintInfix},         {">=", PrintInfix},
      {"in", PrintIn},          {"between", PrintBetween}, {"is distinct from", PrintIsDistinct},
      {"is null", PrintIsNull}, {"is true", PrintIsTrue},  {"is false", PrintIsFalse},
      {"and", PrintAnd},        {"or", PrintOr},           {"not", PrintNot},
      {"like", PrintLike},      {"coalesce", PrintNamed},  {"nullif", PrintNamed},
      {"least", PrintNamed},    {"greatest", PrintNamed}};
}

}  // namespace tacit::sql::postgres
