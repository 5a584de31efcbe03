#include "analysis/subqueries/public_expression.h"

#include <optional>

#include "analysis/query/query.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"
#include "sql/walk.h"

namespace tacit::analysis {

Result<sql::Query> AnalyzeSubquery(Known& known, const sql::Query& query, sql::Position position,
                                   const Environment& environment) {
  TACIT_TRY(Source source, AnalyzeQuery(known, query, environment));
  if (auto* rewritten = std::get_if<sql::Query>(&source)) return std::move(*rewritten);
  return Refuse(rules::kSubqueryOverRows, position,
                "protected rows cannot be used in a subquery of an expression, unless they are of "
                "the same person as the row around it",
                "ask for an aggregate instead, for example: " +
                    ExampleCount(std::get<ProtectedRows>(source).rows));
}

Result<Expression> RewritePublic(Known& known, const Expression& expression,
                                 const Environment& environment) {
  if (!expression) return expression;
  std::optional<Error> error;
  const auto subquery = [&](const sql::Query& query, sql::Position position) {
    Result<sql::Query> rewritten = AnalyzeSubquery(known, query, position, environment);
    if (rewritten.ok()) return std::move(rewritten).value();
    if (!error) error = std::move(rewritten).error();
    return query;
  };
  Expression result = sql::Transform(expression, [&](const Expression& node) {
    const sql::Position position = node->position;
    if (const auto* exists = sql::As<sql::Exists>(node)) {
      return MakeExpression(sql::Exists{subquery(exists->query, position)}, position);
    }
    if (const auto* scalar = sql::As<sql::ScalarQuery>(node)) {
      return MakeExpression(sql::ScalarQuery{subquery(scalar->query, position)}, position);
    }
    if (const auto* in = sql::As<sql::InQuery>(node)) {
      return MakeExpression(sql::InQuery{in->operand, subquery(in->query, position), in->negated},
                            position);
    }
    if (sql::As<sql::Parameter>(node) && !error) {
      error = Refuse(rules::kParameter, position, "the query has a parameter without a value",
                     "write the value in its place");
    }
    return node;
  });
  if (error) return *error;
  return result;
}

Result<Done> RewritePublicOrder(Known& known, std::vector<sql::OrderItem>& items,
                                const Environment& environment) {
  for (sql::OrderItem& item : items) {
    TACIT_TRY(item.expression, RewritePublic(known, item.expression, environment));
  }
  return Done{};
}

}  // namespace tacit::analysis
