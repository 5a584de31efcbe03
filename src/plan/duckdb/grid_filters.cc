#include <charconv>
#include <optional>

#include "plan/duckdb/prepared.h"
#include "sql/walk.h"

// A clamped number x' of x in low..high compares with a as x does, where low < a <= high: below
// low, x' = low is less than a as well, and above high, x' = high is not. So `x >= a` can be asked
// of what is stored clamped, and then one column is read where it was two, and what passes is known
// to be in its range without another look. x <= b likewise, where low <= b < high.
namespace tacit::plan::duckdb {
namespace {

std::optional<Int128> WholeNumber(const sql::Expression& expression) {
  const auto* literal = sql::As<sql::Literal>(expression);
  if (literal == nullptr || literal->kind != sql::LiteralKind::kInteger) return std::nullopt;
  const char* end = literal->text.data() + literal->text.size();
  int64_t number = 0;
  const auto [read, problem] = std::from_chars(literal->text.data(), end, number);
  if (problem != std::errc() || read != end) return std::nullopt;
  return number;
}

// The whole numbers that pass a condition, both ends included.
struct Passed {
  std::optional<Int128> low, high;
};

std::optional<Passed> Comparison(const std::string& symbol, Int128 number) {
  if (symbol == ">=") return Passed{.low = number, .high = std::nullopt};
  if (symbol == ">") return Passed{.low = number + 1, .high = std::nullopt};
  if (symbol == "<=") return Passed{.low = std::nullopt, .high = number};
  if (symbol == "<") return Passed{.low = std::nullopt, .high = number - 1};
  if (symbol == "=") return Passed{.low = number, .high = number};
  return std::nullopt;
}

std::string Turned(const std::string& symbol) {
  if (symbol.starts_with("<")) return ">" + symbol.substr(1);
  if (symbol.starts_with(">")) return "<" + symbol.substr(1);
  return symbol;
}

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
  const sql::Expression& left = comparison->arguments[0];
  const sql::Expression& right = comparison->arguments[1];
  if (const auto number = WholeNumber(right); number && is_column(left)) {
    return Comparison(comparison->symbol, *number);
  }
  if (const auto number = WholeNumber(left); number && is_column(right)) {
    return Comparison(Turned(comparison->symbol), *number);
  }
  return std::nullopt;
}

bool IsSameOnGrid(const Passed& passed, const policy::Grid& grid) {
  return (!passed.low || (grid.low_steps < *passed.low && *passed.low <= grid.high_steps)) &&
         (!passed.high || (grid.low_steps <= *passed.high && *passed.high < grid.high_steps));
}

}  // namespace

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

}  // namespace tacit::plan::duckdb
