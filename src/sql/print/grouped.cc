#include "sql/print/grouped.h"

#include <algorithm>
#include <numeric>

#include "sql/error_at.h"
#include "sql/walk.h"

namespace tacit::sql {
namespace {

bool IsOwnColumn(const BoundColumn& column, const Scope& scope) {
  return std::any_of(scope.columns.begin(), scope.columns.end(), [&](const ScopeColumn& known) {
    return known.column.name == column.column &&
           (column.table.empty() || column.table == known.table);
  });
}

Error Ungrouped(const BoundColumn& column, Position position) {
  const std::string name =
      column.table.empty() ? column.column : column.table + "." + column.column;
  Error error =
      ErrorAt(ErrorCode::kInvalidQuery, position,
              "column \"" + name +
                  "\" must appear in the GROUP BY clause or be used in an aggregate function",
              "add it to GROUP BY, or aggregate it: max(" + column.column + ")");
  error.rule = "ungrouped_column";
  return error;
}

Error NoGroupKey(Position position) {
  Error error = ErrorAt(ErrorCode::kInvalidQuery, position,
                        "the arguments of grouping() must be what the query groups by");
  error.rule = "ungrouped_column";
  return error;
}

}  // namespace

bool IsGrouped(const QueryNode& node, const Select& select, const std::vector<SelectItem>& items) {
  if (!select.group_by.empty() || select.having) return true;
  for (const SelectItem& item : items) {
    if (HasAggregate(item.expression)) return true;
  }
  for (const OrderItem& item : node.order_by) {
    if (HasAggregate(item.expression)) return true;
  }
  return false;
}

std::string GroupByText(const std::vector<std::string>& keys,
                        const std::vector<std::vector<size_t>>& sets) {
  const auto list = [&](const std::vector<size_t>& numbers) {
    std::string text;
    for (const size_t i : numbers) text += (text.empty() ? "(" : ", (") + keys[i] + ")";
    return text;
  };
  if (keys.empty()) return "";
  if (sets.empty()) {
    std::vector<size_t> all(keys.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return " GROUP BY " + list(all);
  }
  std::string text;
  for (const std::vector<size_t>& set : sets)
    text += (text.empty() ? "(" : ", (") + list(set) + ")";
  return " GROUP BY GROUPING SETS (" + text + ")";
}

std::optional<Error> UngroupedColumn(const Bound& expression, const std::vector<Bound>& keys,
                                     const Scope& scope) {
  if (!expression || std::find(keys.begin(), keys.end(), expression) != keys.end()) return {};
  std::optional<Error> error;
  const auto look = [&](const Bound& part) {
    if (!error) error = UngroupedColumn(part, keys, scope);
  };
  if (const auto* column = As<BoundColumn>(expression)) {
    if (IsOwnColumn(*column, scope)) return Ungrouped(*column, expression->position);
  } else if (const auto* apply = As<BoundApply>(expression)) {
    for (const Bound& argument : apply->arguments) look(argument);
  } else if (const auto* cast = As<BoundCast>(expression)) {
    look(cast->operand);
  } else if (const auto* choice = As<BoundCase>(expression)) {
    for (const BoundBranch& branch : choice->branches) {
      look(branch.when);
      look(branch.then);
    }
    look(choice->otherwise);
  } else if (const auto* query = As<BoundQuery>(expression)) {
    look(query->operand);
  } else if (const auto* grouping = As<BoundAggregate>(expression);
             grouping != nullptr && grouping->name == "grouping") {
    for (const Bound& argument : grouping->arguments) {
      if (std::find(keys.begin(), keys.end(), argument) == keys.end()) {
        return NoGroupKey(expression->position);
      }
    }
  } else if (const auto* call = As<BoundAggregate>(expression); call != nullptr && call->window) {
    // A window runs over the groups: what it reads must be grouped or aggregated as well.
    for (const Bound& argument : call->arguments) look(argument);
    for (const Bound& key : call->window->partition_by) look(key);
    for (const BoundOrder& item : call->window->order_by) look(item.expression);
  }
  return error;
}

}  // namespace tacit::sql
