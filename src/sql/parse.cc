#include "sql/parse.h"

#include "sql/parse/raw_tree.h"
#include "sql/parse/statement.h"

namespace tacit::sql {
namespace {

Result<Statement> ConvertOnly(const PgQuery__ParseResult& parsed, std::string_view text) {
  if (parsed.n_stmts == 0) return grammar::Invalid("the query is empty", -1);
  if (parsed.n_stmts > 1) {
    return grammar::Unsupported("more than one statement at once", parsed.stmts[1]->stmt_location,
                                "send one statement at a time");
  }
  const PgQuery__RawStmt& raw = *parsed.stmts[0];
  return grammar::ConvertStatement(*raw.stmt, text, raw.stmt_location);
}

}  // namespace

Result<Statement> Parse(std::string_view text) {
  std::optional<Result<Statement>> statement;
  TACIT_CHECK(grammar::WithRawTree(
      text, [&](const grammar::RawTree& tree) { statement = ConvertOnly(*tree, text); }));
  return std::move(*statement);
}

}  // namespace tacit::sql
