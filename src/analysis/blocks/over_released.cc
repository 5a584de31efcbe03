#include "analysis/blocks/over_released.h"

#include "analysis/aggregates/rules.h"
#include "analysis/blocks/keys/listed_values.h"
#include "analysis/blocks/levels.h"
#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/rules.h"
#include "analysis/subqueries/public_expression.h"
#include "analysis/texts/hidden_names.h"
#include "sql/print/canonical/canonical.h"
#include "sql/print/quote.h"
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

// What other databases call otherwise, in PostgreSQL's words; else what there is.
std::string InsteadOf(const sql::AggregateCall& call) {
  const std::string argument =
      call.arguments.empty() ? "x" : sql::PrintCanonical(call.arguments[0]);
  if (call.name == "median") {
    return "write percentile_cont(0.5) WITHIN GROUP (ORDER BY " + argument + ")";
  }
  // A truth value is one person's to turn; how often it holds is not.
  if (call.name == "bool_and" || call.name == "bool_or") {
    return "write avg((" + argument + ")::int): how often it holds, " +
           (call.name == "bool_and" ? "1 where it always does" : "0 where it never does");
  }
  return "these have one: " + ListOf(AggregatesWithRules());
}

Result<Expression> ReleasedColumnFor(GroupedQuery& grouped, const sql::AggregateCall& call,
                                     sql::Position position) {
  Block& block = grouped.block;
  if (call.name == "grouping") return GroupingOf(grouped, call, position);
  if (MentionsReleased(call)) {
    return Refuse(rules::kNestedAggregate, position, "aggregates cannot be nested",
                  "aggregate in two steps: the first in a subquery of FROM, with a name for its "
                  "result, and the second over that name");
  }
  for (const auto& [known, index] : grouped.known_calls) {
    if (known == call) return ReleasedReference(block.released[index].name, position);
  }
  const AggregateRule* rule = FindAggregateRule(call.name);
  if (rule == nullptr) {
    return Refuse(rules::kAggregateWithoutRule, position,
                  "the aggregate " + call.name + " has no rule over protected rows",
                  InsteadOf(call));
  }
  if (call.within_group != rule->within_group || (!call.order_by.empty() && !rule->within_group)) {
    return Refuse(rules::kAggregateWithoutRule, position,
                  "an ORDER BY inside " + call.name + " has no rule over protected rows",
                  "leave it out");
  }
  TACIT_TRY(const std::optional<Expression> values, CountListedValues(grouped, call, position));
  if (values) {
    grouped.value_counts.push_back(*values);
    return ReleasedReference("q" + std::to_string(grouped.value_counts.size()), position);
  }
  TACIT_TRY(ReleasedColumn column, rule->release(grouped, call, position));
  column.name = "c" + std::to_string(block.released.size() + 1);
  column.text = sql::PrintCanonical(MakeExpression(call, position));
  grouped.known_calls.emplace_back(call, block.released.size());
  block.released.push_back(column);
  return ReleasedReference(column.name, position);
}

Result<Expression> ReplaceAggregates(GroupedQuery& grouped, const Expression& written) {
  std::optional<Error> error;
  Expression replaced = sql::Transform(written, [&](const Expression& node) -> Expression {
    const auto* call = sql::As<sql::AggregateCall>(node);
    if (call == nullptr || error) return node;
    Result<Expression> released = ReleasedColumnFor(grouped, *call, node->position);
    if (released.ok()) return *released;
    error = std::move(released).error();
    return node;
  });
  if (error) return *error;
  return replaced;
}

// Subqueries stay where they are, rewritten; columns become what they mean over the scans.
Result<Expression> ReplaceColumns(GroupedQuery& grouped, const Expression& expression) {
  TACIT_TRY(const Expression rewritten,
            RewritePublic(grouped.known, expression, grouped.environment));
  std::optional<Error> error;
  Expression resolved = sql::Transform(rewritten, [&](const Expression& node) -> Expression {
    if (!sql::As<sql::ColumnReference>(node) || IsReleased(node) || error) return node;
    Result<Expression> column = ArgumentOf(grouped, node, Use::kProjection);
    if (column.ok()) return *column;
    error = std::move(column).error();
    return node;
  });
  if (error) return *error;
  return WithOneSpelling(grouped.known, resolved);
}

Error UngroupedColumn(const Known& known, const sql::ColumnReference& reference,
                      sql::Position position) {
  const bool named = !IsConstant(reference) && MayName(known, ColumnOf(known, reference));
  if (!named) {
    return Refuse(rules::kUngroupedColumn, position,
                  "a column is neither a group key nor inside an aggregate",
                  "add it to GROUP BY, or show an aggregate instead");
  }
  const RowColumn& column = ColumnOf(known, reference);
  const std::string name = sql::QuoteIdentifierIfNeeded(column.column);
  // What has no bounds has no average either.
  const bool bounded = column.type.IsNumber() && column.range.low && column.range.high;
  return Refuse(rules::kUngroupedColumn, position,
                "the column " + name + " is neither a group key nor inside an aggregate",
                "add it to GROUP BY, or aggregate it: " +
                    (bounded ? "avg(" + name + ")" : "count(DISTINCT " + name + ")"));
}

}  // namespace

Result<Expression> OverReleased(GroupedQuery& grouped, const Expression& written) {
  TACIT_TRY(const Expression without_aggregates, ReplaceAggregates(grouped, written));
  TACIT_TRY(const Expression resolved,
            ReplaceColumns(grouped, WithPatterns(without_aggregates, grouped.written_patterns)));
  const Expression over_keys = WithPatterns(resolved, grouped.key_patterns);
  std::optional<Error> error;
  sql::Visit(over_keys, [&](const Expression& node) {
    const auto* reference = sql::As<sql::ColumnReference>(node);
    if (reference != nullptr && !IsReleased(node) && !error) {
      error = UngroupedColumn(grouped.known, *reference, node->position);
    }
    return true;
  });
  if (error) return *error;
  return over_keys;
}

}  // namespace tacit::analysis
