#include "analysis/inside_unit/rules_inside.h"

#include <algorithm>
#include <array>
#include <optional>

#include "analysis/expressions/columns.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"
#include "analysis/texts/hidden_names.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// Aggregates whose value does not depend on the order of rows.
constexpr std::array<const char*, 13> kUnitAggregates = {
    "count",    "sum",    "avg",        "min",         "max",      "var_pop", "var_samp",
    "variance", "stddev", "stddev_pop", "stddev_samp", "bool_and", "bool_or"};
constexpr std::array<const char*, 8> kUnitWindows = {
    "row_number", "rank", "dense_rank", "lag", "lead", "first_value", "last_value", "ntile"};

template <class Names>
bool Has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Error WithoutRule(const std::string& name, sql::Position position) {
  return Refuse(rules::kAggregateWithoutRule, position,
                name + " has no rule inside one person's rows",
                "count, sum, avg, min, max, var_pop and stddev_pop have one");
}

}  // namespace

Result<Done> CheckGrouped(const Known& known, const Expression& item,
                          const std::vector<Expression>& keys) {
  std::optional<Error> error;
  sql::Visit(item, [&](const Expression& node) {
    if (error || std::find(keys.begin(), keys.end(), node) != keys.end()) return false;
    if (const auto* call = sql::As<sql::AggregateCall>(node)) {
      if (!Has(kUnitAggregates, call->name) || call->within_group || !call->order_by.empty()) {
        error = WithoutRule(call->name, node->position);
      }
      for (const Expression& argument : call->arguments) {
        if (sql::HasAggregate(argument)) {
          error = Refuse(rules::kNestedAggregate, node->position, "aggregates cannot be nested",
                         "aggregate in two steps, one query inside the other");
        }
      }
      return false;
    }
    const auto* reference = BareColumn(node);
    if (reference != nullptr && !IsConstant(*reference)) {
      const RowColumn& column = ColumnOf(known, *reference);
      error = Refuse(rules::kUngroupedColumn, node->position,
                     (MayName(known, column) ? "the column " + column.column
                                             : std::string("a hidden column")) +
                         " is neither a group key nor inside an aggregate",
                     "add it to GROUP BY, or aggregate it");
    }
    return true;
  });
  if (error) return *error;
  return Done{};
}

Result<Done> CheckWindows(const Known& known, const Expression& item, const Rows& rows) {
  std::optional<Error> error;
  sql::Visit(item, [&](const Expression& node) {
    const auto* call = sql::As<sql::WindowCall>(node);
    if (call == nullptr || error) return true;
    sql::Visit(node, [&](const Expression& inner) {
      if (!sql::As<sql::WindowCall>(inner) || inner == node || error) return true;
      error = Refuse(rules::kNestedAggregate, inner->position,
                     "a window function cannot be part of another one's window or arguments",
                     "compute the inner one in a subquery of FROM, and the other over its column");
      return true;
    });
    if (error) return true;
    const std::vector<Expression>& partition = call->window.partition_by;
    const bool inside_unit = std::any_of(partition.begin(), partition.end(),
                                         [&](const Expression& e) { return NamesUnit(known, e); });
    if (!call->window.base.empty() || !inside_unit || !rows.unit) {
      error = Refuse(rules::kWindowBelow, node->position,
                     "a window over protected rows must be partitioned by the privacy unit",
                     "write PARTITION BY and the column that is the unit, or aggregate first: " +
                         ExampleCount(rows));
    } else if (const std::optional<sql::Frame>& frame = call->window.frame;
               frame && frame->unit == sql::FrameUnit::kRange &&
               (frame->start_offset || frame->end_offset)) {
      // It is added to values of rows, which may not fit, and has to be the only order.
      error = Refuse(rules::kFunctionWithoutRule, node->position,
                     "a RANGE frame with an offset has no rule",
                     "count rows instead: ROWS BETWEEN 1 PRECEDING AND CURRENT ROW");
    } else if (!Has(kUnitWindows, call->function.name) &&
               !Has(kUnitAggregates, call->function.name)) {
      error = WithoutRule(call->function.name, node->position);
    }
    return true;
  });
  if (error) return *error;
  return Done{};
}

}  // namespace tacit::analysis
