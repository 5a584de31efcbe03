#include "sql/functions/patterns/pattern.h"
#include "sql/print/duckdb/parts.h"
#include "sql/print/quote.h"

namespace tacit::sql::duckdb {
namespace {

// PostgreSQL's dot takes a line's end as well: RE2's s.
std::string Flags(const Application& a, size_t i) {
  std::string flags = "s";
  if (i < a.text.size()) {
    for (const char c : a.literal(i)->text) {
      if (flags.find(c) == std::string::npos) flags += c;
    }
  }
  return QuoteString(flags);
}

std::string RenderMatch(const Application& a) {
  return "regexp_matches(" + a.text[0] + ", " + a.text[1] + ", " + Flags(a, 2) + ")";
}

// NULL where nothing matches; of a pattern with groups the first one.
std::string RenderSubstr(const Application& a) {
  const char* group = HasGroup(a.literal(1)->text) ? "1" : "0";
  return "CASE WHEN regexp_matches(" + a.text[0] + ", " + a.text[1] +
         ", 's') THEN regexp_extract(" + a.text[0] + ", " + a.text[1] + ", " + group + ", 's') END";
}

std::string RenderReplacing(const Application& a) {
  return "left(regexp_replace(" + a.text[0] + ", " + a.text[1] + ", " + a.text[2] + ", " +
         Flags(a, 3) + "), 4096)";
}

std::string RenderCount(const Application& a) {
  return "CAST(list_aggregate(regexp_extract_all(" + a.text[0] + ", " + a.text[1] +
         ", 0, 's'), 'count') AS INTEGER)";
}

}  // namespace

Renderings RegexRenderings() {
  return {{"regexp_like", RenderMatch},
          {"regexp_substr", RenderSubstr},
          {"regexp_replace", RenderReplacing},
          {"regexp_count", RenderCount}};
}

}  // namespace tacit::sql::duckdb
