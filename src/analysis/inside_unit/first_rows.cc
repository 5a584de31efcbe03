#include "analysis/inside_unit/first_rows.h"

#include <algorithm>
#include <optional>

#include "analysis/expressions/columns.h"
#include "analysis/expressions/resolve.h"
#include "analysis/inside_unit/infer_inside.h"
#include "analysis/inside_unit/unit_query.h"
#include "analysis/query/stars.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

std::optional<Integer> WholeNumber(const Expression& expression) {
  const auto* literal = sql::As<sql::Literal>(expression);
  if (literal == nullptr || literal->kind != sql::LiteralKind::kInteger) return std::nullopt;
  const Result<Rational> value = ParseRational(literal->text);
  if (!value.ok() || value->get_den() != 1) return std::nullopt;
  return value->get_num();
}

// How many of the numbers 1, 2, 3, ... a conjunct lets through; nothing when it says nothing. Read
// exactly: what one unit can add rests on it.
std::optional<Integer> NumbersLeft(const Expression& conjunct, const sql::ColumnReference& column) {
  const auto is_column = [&](const Expression& e) {
    const auto* bare = BareColumn(e);
    return bare != nullptr && *bare == column;
  };
  if (const auto* between = sql::As<sql::Between>(conjunct)) {
    const std::optional<Integer> high = WholeNumber(between->high);
    if (between->negated || !is_column(between->operand) || !high) return std::nullopt;
    return *high;
  }
  const auto* comparison = sql::As<sql::Operator>(conjunct);
  if (comparison == nullptr || comparison->arguments.size() != 2) return std::nullopt;
  const bool first = is_column(comparison->arguments[0]);
  if (!first && !is_column(comparison->arguments[1])) return std::nullopt;
  const std::optional<Integer> number = WholeNumber(comparison->arguments[first ? 1 : 0]);
  if (!number) return std::nullopt;
  const std::string& symbol = comparison->symbol;
  if (symbol == "=") return Integer(1);
  if (symbol == (first ? "<=" : ">=")) return *number;
  if (symbol == (first ? "<" : ">")) return Integer(*number - 1);
  return std::nullopt;
}

}  // namespace

void NarrowByRowNumber(const Known& known, Rows& rows) {
  const auto* query = As<UnitQuery>(rows.source);
  if (query == nullptr) return;
  for (size_t i = 0; i < query->items.size(); ++i) {
    const sql::ColumnReference column{query->alias, "c" + std::to_string(i + 1)};
    if (!ColumnOf(known, column).numbers_rows) continue;
    for (const Expression& filter : rows.filters) {
      std::optional<Integer> left = NumbersLeft(filter, column);
      if (!left) continue;
      if (*left < 1) left = 1;
      if (*left < rows.rows_per_unit) rows.rows_per_unit = *left;
    }
  }
}

// proof: analysis/inside_unit/unit_query.md#claim
Result<ProtectedRows> FirstOfUnit(Known& known, const sql::QueryNode& node,
                                  const sql::Select& select, const ProtectedRows& input,
                                  const Environment& environment) {
  std::vector<Expression> keys;
  for (const Expression& key : select.distinct_on) {
    TACIT_TRY(keys.emplace_back(),
              ResolveOverRows(known, key, input, environment, Use::kProjection));
  }
  const auto is_unit = [&](const Expression& key) { return NamesUnit(known, key); };
  if (!input.rows.unit || std::none_of(keys.begin(), keys.end(), is_unit)) {
    return Refuse(rules::kDistinctOn, select.distinct_on.front()->position,
                  "DISTINCT ON cannot choose among protected rows of several people",
                  "begin its list with the column that is the privacy unit, or count: " +
                      ExampleCount(input.rows));
  }
  std::vector<sql::SelectItem> items = ExpandStars(select, input);
  sql::WindowCall number;
  number.function.name = "row_number";
  number.window.partition_by = select.distinct_on;
  TACIT_TRY(number.window.order_by, sql::ResolveOrderBy(node.order_by, items));
  // Which row is the first tells what it was chosen by.
  for (const sql::OrderItem& item : number.window.order_by) {
    TACIT_TRY(keys.emplace_back(), ResolveInsideUnit(known, item.expression, input, environment));
  }
  for (const Expression& key : keys) {
    if (!NamesUnit(known, key)) TACIT_CHECK(CheckNotHidden(known, key));
  }
  items.push_back({MakeExpression(std::move(number), node.position), "first"});
  TACIT_TRY(ProtectedRows rows, MakeUnitQuery(known, input, items, {}, false, environment));
  rows.rows.filters.push_back(MakeExpression(
      sql::Operator{"=",
                    {rows.columns.back().expression,
                     MakeExpression(sql::Literal{sql::LiteralKind::kInteger, "1", {}})}}));
  rows.columns.pop_back();
  NarrowByRowNumber(known, rows.rows);
  return rows;
}

}  // namespace tacit::analysis
