#include <algorithm>
#include <optional>

#include "engine/duckdb/rules/rules.h"
#include "sql/walk.h"

// A clamped number x' of x in low..high compares with a as x does, where low < a <= high: below
// low, x' = low is less than a as well, and above high, x' = high is not. So `x >= a` can be asked
// of what is stored clamped, and then one column is read where it was two, and what passes is known
// to be in its range without another look. x <= b likewise, where low <= b < high.
namespace tacit::engine::duckdb {
namespace {

std::optional<Int128> WholeNumber(const sql::Expression& expression) {
  const auto* literal = sql::As<sql::Literal>(expression);
  if (literal == nullptr || literal->kind != sql::LiteralKind::kInteger) return std::nullopt;
  return ParseInt128(literal->text);
}

// The whole numbers that pass a condition, both ends included.
struct Passed {
  std::optional<Int128> low, high;
};

// Filters are normalised: the larger side of a comparison is the right one.
std::optional<Passed> PassedBy(const sql::Expression& filter, const sql::ColumnReference& column) {
  const auto is_column = [&](const sql::Expression& part) {
    const auto* reference = sql::As<sql::ColumnReference>(part);
    return reference != nullptr && *reference == column;
  };
  if (const auto* between = sql::As<sql::Between>(filter)) {
    const std::optional<Int128> low = WholeNumber(between->low);
    const std::optional<Int128> high = WholeNumber(between->high);
    if (between->negated || !is_column(between->operand) || !low || !high) return std::nullopt;
    return Passed{.low = low, .high = high};
  }
  const auto* comparison = sql::As<sql::Operator>(filter);
  if (comparison == nullptr || comparison->arguments.size() != 2) return std::nullopt;
  const bool column_first = is_column(comparison->arguments[0]);
  if (!column_first && !is_column(comparison->arguments[1])) return std::nullopt;
  const std::optional<Int128> number = WholeNumber(comparison->arguments[column_first ? 1 : 0]);
  if (!number) return std::nullopt;
  const std::string& symbol = comparison->symbol;
  if (symbol == "=") return Passed{.low = number, .high = number};
  if (symbol != "<" && symbol != "<=") return std::nullopt;
  const int apart = symbol == "<" ? 1 : 0;
  return column_first ? Passed{.low = std::nullopt, .high = *number - apart}
                      : Passed{.low = *number + apart, .high = std::nullopt};
}

bool IsSameOnGrid(const Passed& passed, const policy::Grid& grid) {
  return (!passed.low || (grid.low_steps < *passed.low && *passed.low <= grid.high_steps)) &&
         (!passed.high || (grid.low_steps <= *passed.high && *passed.high < grid.high_steps));
}

}  // namespace

// proof: engine/duckdb/rules/rules.md#numbers-on-their-grid-are-stored
policy::Grid AskOnGrid(const sql::ColumnReference& column, const sql::ColumnReference& on_grid,
                       const policy::Grid& grid, std::vector<sql::Expression>& filters) {
  policy::Grid passing = grid;
  for (sql::Expression& filter : filters) {
    const std::optional<Passed> passed = PassedBy(filter, column);
    if (!passed || !IsSameOnGrid(*passed, grid)) continue;
    if (passed->low) passing.low_steps = std::max(passing.low_steps, *passed->low);
    if (passed->high) passing.high_steps = std::min(passing.high_steps, *passed->high);
    filter = sql::Transform(filter, [&](const sql::Expression& node) {
      return sql::As<sql::ColumnReference>(node) ? sql::MakeExpression(on_grid, node->position)
                                                 : node;
    });
  }
  return passing;
}

}  // namespace tacit::engine::duckdb
