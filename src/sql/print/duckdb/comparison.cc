#include "sql/print/duckdb/parts.h"
#include "sql/print/quote.h"

namespace tacit::sql::duckdb {
namespace {

std::string Infix(const Application& a) {
  return "(" + a.text[0] + " " + std::string(a.apply.function->name) + " " + a.text[1] + ")";
}

std::string Connected(const Application& a, const char* word) {
  std::string text = "(" + a.text[0];
  for (size_t i = 1; i < a.text.size(); ++i) text += std::string(" ") + word + " " + a.text[i];
  return text + ")";
}

std::string RenderIn(const Application& a) {
  std::string text = "(" + a.text[0] + " IN (" + a.text[1];
  for (size_t i = 2; i < a.text.size(); ++i) text += ", " + a.text[i];
  return text + "))";
}

// A LIKE pattern as an RE2 expression, which RE2 matches in linear time.
std::string RegexOf(const std::string& pattern) {
  std::string regex;
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    if (c == '%') {
      regex += ".*";
      continue;
    }
    if (c == '_') {
      regex += '.';
      continue;
    }
    if (c == '\\') c = pattern[++i];
    const auto byte = static_cast<unsigned char>(c);
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!word && byte < 0x80) regex += '\\';
    regex += c;
  }
  return regex;
}

// DuckDB compiles a literal pattern of plain text and % into a linear matcher; with _ or an escape
// it would backtrack, so those become regular expressions for RE2.
std::string Like(const Application& a, bool case_insensitive) {
  const std::string& pattern = a.literal(1)->text;
  if (pattern.find_first_of("_\\") == std::string::npos) {
    if (!case_insensitive) return "(" + a.text[0] + " LIKE " + QuoteString(pattern) + ")";
    return "(lower(" + a.text[0] + ") LIKE lower(" + QuoteString(pattern) + "))";
  }
  return "regexp_full_match(" + a.text[0] + ", " + QuoteString(RegexOf(pattern)) + ", " +
         (case_insensitive ? "'si'" : "'s'") + ")";
}

std::string RenderLike(const Application& a) { return Like(a, false); }
std::string RenderIlike(const Application& a) { return Like(a, true); }
std::string RenderAnd(const Application& a) { return Connected(a, "AND"); }
std::string RenderOr(const Application& a) { return Connected(a, "OR"); }
std::string RenderNot(const Application& a) { return "(NOT " + a.text[0] + ")"; }
std::string RenderIsNull(const Application& a) { return "(" + a.text[0] + " IS NULL)"; }
std::string RenderIsTrue(const Application& a) {
  return "(" + a.text[0] + " IS NOT DISTINCT FROM TRUE)";
}
std::string RenderIsFalse(const Application& a) {
  return "(" + a.text[0] + " IS NOT DISTINCT FROM FALSE)";
}
std::string RenderIsDistinct(const Application& a) {
  return "(" + a.text[0] + " IS DISTINCT FROM " + a.text[1] + ")";
}
std::string RenderBetween(const Application& a) {
  return "(" + a.text[0] + " BETWEEN " + a.text[1] + " AND " + a.text[2] + ")";
}

}  // namespace

Renderings ComparisonRenderings() {
  return {{"=", Infix},
          {"<>", Infix},
          {"<", Infix},
          {"<=", Infix},
          {">", Infix},
          {">=", Infix},
          {"in", RenderIn},
          {"between", RenderBetween},
          {"is distinct from", RenderIsDistinct},
          {"is null", RenderIsNull},
          {"is true", RenderIsTrue},
          {"is false", RenderIsFalse},
          {"and", RenderAnd},
          {"or", RenderOr},
          {"not", RenderNot},
          {"like", RenderLike},
          {"ilike", RenderIlike},
          {"coalesce", RenderCall},
          {"nullif", RenderCall},
          {"least", RenderCall},
          {"greatest", RenderCall}};
}

}  // namespace tacit::sql::duckdb
