#include "analysis/inside_unit/infer_inside.h"

#include <algorithm>
#include <optional>

#include "analysis/expressions/resolve.h"
#include "sql/walk.h"

namespace tacit::analysis {

Result<Expression> ResolveInsideUnit(Known& known, const Expression& expression,
                                     const ProtectedRows& input, const Environment& environment) {
  std::optional<Error> error;
  Expression resolved = sql::Transform(expression, [&](const Expression& node) -> Expression {
    if (error) return node;
    const bool keep = sql::As<sql::AggregateCall>(node) || sql::As<sql::WindowCall>(node);
    const bool leaf = sql::As<sql::ColumnReference>(node) || sql::As<sql::ScalarQuery>(node) ||
                      sql::As<sql::Exists>(node) || sql::As<sql::InQuery>(node) ||
                      sql::As<sql::Parameter>(node) || sql::As<sql::Star>(node);
    if (keep || !leaf) return node;
    Result<Expression> meaning = ResolveOverRows(known, node, input, environment, Use::kProjection);
    if (meaning.ok()) return *meaning;
    error = std::move(meaning).error();
    return node;
  });
  if (error) return *error;
  return resolved;
}

Result<Inferred> InferInsideUnit(const Known& known, const Expression& item, const Rows& rows) {
  TACIT_TRY(const sql::Bound bound, BindOverRows(known, item));
  Inferred inferred{.type = bound->type, .range = {}};
  const auto* call = sql::As<sql::AggregateCall>(item);
  const Rational count = Rational(rows.rows_per_unit);
  if (call == nullptr) {
    if (!sql::HasWindow(item) && !sql::HasAggregate(item)) return Infer(known, item, rows.filters);
    const auto* window = sql::As<sql::WindowCall>(item);
    const bool ranks = window != nullptr &&
                       (window->function.name == "row_number" || window->function.name == "rank" ||
                        window->function.name == "dense_rank");
    if (ranks) {
      inferred.range.low = 1;
      inferred.range.high = count;
    }
    return inferred;
  }
  if (call->name == "count") {
    inferred.range.low = 0;
    inferred.range.high = count;
    return inferred;
  }
  if (call->arguments.size() != 1) return inferred;
  TACIT_TRY(const Inferred argument, Infer(known, call->arguments[0], rows.filters));
  if (call->name == "min" || call->name == "max" || call->name == "avg") {
    inferred.range = argument.range;
  }
  if (call->name == "sum" && argument.range.IsBounded()) {
    inferred.range.low = Rational(count * std::min(Rational(0), *argument.range.low));
    inferred.range.high = Rational(count * std::max(Rational(0), *argument.range.high));
  }
  return inferred;
}

}  // namespace tacit::analysis
