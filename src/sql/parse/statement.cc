#include "sql/parse/statement.h"

#include <cstring>
#include <string>

#include "sql/parse/buy.h"
#include "sql/parse/learn.h"

namespace tacit::sql::grammar {
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
  bool verbose = false;
  for (size_t i = 0; i < explain.n_options; ++i) {
    const PgQuery__DefElem& option = *explain.options[i]->def_elem;
    if (std::strcmp(option.defname, "verbose") == 0 && option.arg == nullptr) {
      verbose = true;
      continue;
    }
    const bool analyze = std::strcmp(option.defname, "analyze") == 0;
    return Unsupported(std::string("EXPLAIN with the option ") + option.defname, option.location,
                       analyze ? "EXPLAIN alone is free and shows price and error"
                               : "write EXPLAIN alone, or EXPLAIN VERBOSE");
  }
  if (std::optional<Query> buys = ConvertBuy(*explain.query)) {
    return Statement{.explain = true, .verbose = verbose, .query = std::move(*buys)};
  }
  TACIT_TRY(std::optional<Query> learns, ConvertLearn(*explain.query));
  if (learns) return Statement{.explain = true, .verbose = verbose, .query = std::move(*learns)};
  Converter converter;
  TACIT_TRY(Query query, converter.ConvertQuery(explain.query));
  return Statement{.explain = true, .verbose = verbose, .query = std::move(query)};
}

}  // namespace

Result<Statement> ConvertStatement(const Node& node, std::string_view text, int position) {
  if (node.node_case == PG_QUERY__NODE__NODE_EXPLAIN_STMT) {
    return ConvertExplain(*node.explain_stmt);
  }
  if (node.node_case != PG_QUERY__NODE__NODE_SELECT_STMT) {
    return Unsupported(StatementName(text, position), position,
                       "only SELECT and EXPLAIN SELECT are answered");
  }
  if (std::optional<Query> buys = ConvertBuy(node)) {
    return Statement{.explain = false, .verbose = false, .query = std::move(*buys)};
  }
  TACIT_TRY(std::optional<Query> learns, ConvertLearn(node));
  if (learns) return Statement{.explain = false, .verbose = false, .query = std::move(*learns)};
  Converter converter;
  TACIT_TRY(Query query, converter.ConvertQuery(&node));
  return Statement{.explain = false, .verbose = false, .query = std::move(query)};
}

}  // namespace tacit::sql::grammar
