#include "analysis/blocks/block_builder.h"

#include "sql/print/canonical.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

Expression ReleasedReference(const std::string& column, sql::Position position) {
  return MakeExpression(sql::ColumnReference{kReleasedMarker, column}, position);
}

bool IsReleased(const Expression& node) {
  const auto* reference = sql::As<sql::ColumnReference>(node);
  return reference != nullptr && reference->table == kReleasedMarker;
}

bool MentionsReleased(const sql::AggregateCall& call) {
  bool found = false;
  const auto look = [&](const Expression& expression) {
    sql::Visit(expression, [&](const Expression& node) {
      found = found || IsReleased(node);
      return true;
    });
  };
  for (const Expression& argument : call.arguments) look(argument);
  for (const sql::OrderItem& item : call.order_by) look(item.expression);
  if (call.filter) look(call.filter);
  return found;
}

std::string ListOf(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

Result<Expression> BlockBuilder::Argument(const Expression& written, Use use) {
  return analyzer_.ResolveOverRows(written, input_, environment_, use);
}

Result<Expression> BlockBuilder::Filter(const sql::AggregateCall& call) {
  if (!call.filter) return Expression();
  return analyzer_.ResolveOverRows(call.filter, input_, environment_, Use::kFilter);
}

Result<Inferred> BlockBuilder::Infer(const Expression& argument, const Expression& filter) const {
  std::vector<Expression> filters = block_.rows.filters;
  for (const Expression& conjunct : sql::SplitConjuncts(filter)) filters.push_back(conjunct);
  return analyzer_.Infer(argument, filters);
}

const RowColumn* BlockBuilder::BareColumnOf(const Expression& argument) const {
  const auto* reference = BareColumn(argument);
  const bool stored = reference != nullptr && !IsConstant(*reference);
  return stored ? &analyzer_.ColumnOf(*reference) : nullptr;
}

std::optional<size_t> BlockBuilder::FindMeasure(const Measure& measure) const {
  for (size_t i = 0; i < block_.measures.size(); ++i) {
    if (SameMeasure(block_.measures[i], measure)) return i;
  }
  return std::nullopt;
}

size_t BlockBuilder::AddMeasure(Measure measure) {
  if (const auto known = FindMeasure(measure)) return *known;
  block_.measures.push_back(std::move(measure));
  return block_.measures.size() - 1;
}

Result<Expression> BlockBuilder::ReleasedColumnFor(const sql::AggregateCall& call,
                                                   sql::Position position) {
  if (MentionsReleased(call)) {
    return Refuse(rules::kNestedAggregate, position, "aggregates cannot be nested",
                  "aggregate the first result in an outer query: SELECT sum(n) FROM (SELECT k, "
                  "count(*) AS n FROM t GROUP BY k) q");
  }
  for (const auto& [known, index] : known_calls_) {
    if (known == call) return ReleasedReference(block_.released[index].name, position);
  }
  const AggregateRule* rule = FindAggregateRule(call.name);
  if (rule == nullptr) {
    return Refuse(rules::kAggregateWithoutRule, position,
                  "the aggregate " + call.name + " has no rule over protected rows",
                  "these have one: " + ListOf(AggregatesWithRules()));
  }
  if (call.within_group != rule->within_group || (!call.order_by.empty() && !rule->within_group)) {
    return Refuse(rules::kAggregateWithoutRule, position,
                  "an ORDER BY inside " + call.name + " has no rule over protected rows",
                  "leave it out");
  }
  TACIT_TRY(ReleasedColumn column, rule->release(*this, call, position));
  column.name = "c" + std::to_string(block_.released.size() + 1);
  column.text = sql::PrintCanonical(MakeExpression(call, position));
  known_calls_.emplace_back(call, block_.released.size());
  block_.released.push_back(column);
  return ReleasedReference(column.name, position);
}

Result<Expression> BlockBuilder::ReplaceAggregates(const Expression& written) {
  std::optional<Error> error;
  Expression replaced = sql::Transform(written, [&](const Expression& node) -> Expression {
    const auto* call = sql::As<sql::AggregateCall>(node);
    if (call == nullptr || error) return node;
    Result<Expression> released = ReleasedColumnFor(*call, node->position);
    if (released.ok()) return *released;
    error = std::move(released).error();
    return node;
  });
  if (error) return *error;
  return replaced;
}

// Subqueries stay where they are, rewritten; columns become what they mean over the scans.
Result<Expression> BlockBuilder::ReplaceColumns(const Expression& expression) {
  TACIT_TRY(const Expression rewritten, analyzer_.RewritePublic(expression, environment_));
  std::optional<Error> error;
  Expression resolved = sql::Transform(rewritten, [&](const Expression& node) -> Expression {
    if (!sql::As<sql::ColumnReference>(node) || IsReleased(node) || error) return node;
    Result<Expression> column = Argument(node, Use::kProjection);
    if (column.ok()) return *column;
    error = std::move(column).error();
    return node;
  });
  if (error) return *error;
  return resolved;
}

Result<Expression> BlockBuilder::OverReleased(const Expression& written) {
  TACIT_TRY(const Expression without_aggregates, ReplaceAggregates(written));
  TACIT_TRY(const Expression resolved, ReplaceColumns(without_aggregates));
  Expression over_keys = sql::Transform(resolved, [&](const Expression& node) -> Expression {
    for (const auto& [pattern, column] : key_patterns_) {
      if (node == pattern) return column;
    }
    return node;
  });
  std::optional<Error> error;
  sql::Visit(over_keys, [&](const Expression& node) {
    const auto* reference = sql::As<sql::ColumnReference>(node);
    if (reference != nullptr && !IsReleased(node) && !error) {
      const bool named =
          !IsConstant(*reference) && analyzer_.MayName(analyzer_.ColumnOf(*reference));
      const std::string name = named ? analyzer_.ColumnOf(*reference).column : "x";
      error = Refuse(rules::kUngroupedColumn, node->position,
                     "the column " + name + " is neither a group key nor inside an aggregate",
                     "add it to GROUP BY, or aggregate it: avg(" + name + ")");
    }
    return true;
  });
  if (error) return *error;
  return over_keys;
}

Result<Done> BlockBuilder::AddKey(const Expression& written) {
  TACIT_TRY(Expression key, Argument(written, Use::kKey));
  if (sql::ColumnsIn(key).empty()) return Done{};
  for (const Key& known : block_.keys) {
    if (known.expression == key) return Done{};
  }
  TACIT_TRY(const Inferred inferred, analyzer_.Infer(key));
  // First of all what the query lists: every row has one of those, whatever the owner declared.
  std::vector<Expression> outcomes = OutcomesOf(key, block_.rows.source);
  std::vector<KeySource> sources;
  if (outcomes.empty()) {
    TACIT_TRY(sources, PublicSourcesOf(key, analyzer_));
  }
  block_.keys.push_back({.expression = std::move(key),
                         .type = inferred.type,
                         .sources = std::move(sources),
                         .outcomes = std::move(outcomes)});
  return Done{};
}

}  // namespace tacit::analysis
