#include "analysis/blocks/grouped_query.h"

#include "analysis/expressions/columns.h"
#include "analysis/expressions/resolve.h"
#include "sql/walk.h"

namespace tacit::analysis {

GroupedQuery Group(Known& known, const ProtectedRows& input, const Environment& environment) {
  GroupedQuery grouped{.known = known, .input = input, .environment = environment, .block = {}};
  grouped.block.rows = input.rows;
  return grouped;
}

Expression WithPatterns(const Expression& expression,
                        const std::vector<std::pair<Expression, Expression>>& patterns) {
  return sql::Transform(expression, [&](const Expression& node) -> Expression {
    for (const auto& [pattern, column] : patterns) {
      if (node == pattern) return column;
    }
    return node;
  });
}

Result<Expression> ArgumentOf(GroupedQuery& grouped, const Expression& written, Use use) {
  return ResolveOverRows(grouped.known, written, grouped.input, grouped.environment, use);
}

Result<Expression> FilterOf(GroupedQuery& grouped, const sql::AggregateCall& call) {
  if (!call.filter) return Expression();
  return ArgumentOf(grouped, call.filter, Use::kFilter);
}

Result<Inferred> InferArgument(const GroupedQuery& grouped, const Expression& argument,
                               const Expression& filter) {
  std::vector<Expression> filters = grouped.block.rows.filters;
  for (const Expression& conjunct : sql::SplitConjuncts(filter)) filters.push_back(conjunct);
  return Infer(grouped.known, argument, filters);
}

const RowColumn* BareColumnOf(const GroupedQuery& grouped, const Expression& argument) {
  const auto* reference = BareColumn(argument);
  const bool stored = reference != nullptr && !IsConstant(*reference);
  return stored ? &ColumnOf(grouped.known, *reference) : nullptr;
}

std::optional<size_t> FindMeasure(const GroupedQuery& grouped, const ExactMeasure& measure) {
  const std::vector<ExactMeasure>& measures = grouped.block.measures;
  for (size_t i = 0; i < measures.size(); ++i) {
    if (SameMeasure(measures[i], measure)) return i;
  }
  return std::nullopt;
}

size_t AddMeasure(GroupedQuery& grouped, ExactMeasure measure) {
  if (const auto known = FindMeasure(grouped, measure)) return *known;
  grouped.block.measures.push_back(std::move(measure));
  return grouped.block.measures.size() - 1;
}

}  // namespace tacit::analysis
