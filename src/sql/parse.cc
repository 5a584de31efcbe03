#include "sql/parse.h"

#include <cstring>
#include <string>

#include "sql/parse/raw_tree.h"

namespace tacit::sql {
namespace {

// "CreateStmt" as the analyst would say it: the first word of the text.
std::string StatementName(std::string_view text, int begin) {
  std::string word;
  for (size_t i = static_cast<size_t>(begin); i < text.size() && word.size() < 20; ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) {
      word += static_cast<char>(c >= 'a' ? c - 'a' + 'A' : c);
    } else if (!word.empty() || (c != ' ' && c != '\n' && c != '\t' && c != '(')) {
      break;
    }
  }
  return word.empty() ? "this statement" : word;
}

Result<Statement> ConvertExplain(const PgQuery__ExplainStmt& explain) {
  for (size_t i = 0; i < explain.n_options; ++i) {
    const PgQuery__DefElem& option = *explain.options[i]->def_elem;
    const bool analyze = std::strcmp(option.defname, "analyze") == 0;
    return grammar::Unsupported(
        std::string("EXPLAIN with the option ") + option.defname, option.location,
        analyze ? "EXPLAIN alone is free and shows price and error" : "write EXPLAIN alone");
  }
  grammar::Converter converter;
  TACIT_TRY(Query query, converter.ConvertQuery(explain.query));
  return Statement{.explain = true, .query = std::move(query)};
}

Result<Statement> ConvertStatement(const PgQuery__ParseResult& parsed, std::string_view text) {
  if (parsed.n_stmts == 0) return grammar::Invalid("the query is empty", -1);
  if (parsed.n_stmts > 1) {
    return grammar::Unsupported("more than one statement at once", parsed.stmts[1]->stmt_location,
                                "send one statement at a time");
  }
  const PgQuery__RawStmt& raw = *parsed.stmts[0];
  const PgQuery__Node* node = raw.stmt;
  if (node->node_case == PG_QUERY__NODE__NODE_EXPLAIN_STMT) {
    return ConvertExplain(*node->explain_stmt);
  }
  if (node->node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    return grammar::Unsupported(StatementName(text, raw.stmt_location), raw.stmt_location,
                                "only SELECT and EXPLAIN SELECT are answered");
  }
  grammar::Converter converter;
  TACIT_TRY(Query query, converter.ConvertQuery(node));
  return Statement{.explain = false, .query = std::move(query)};
}

}  // namespace

Result<Statement> Parse(std::string_view text) {
  std::optional<Result<Statement>> statement;
  TACIT_CHECK(grammar::WithRawTree(
      text, [&](const PgQuery__ParseResult& tree) { statement = ConvertStatement(tree, text); }));
  return std::move(*statement);
}

}  // namespace tacit::sql
