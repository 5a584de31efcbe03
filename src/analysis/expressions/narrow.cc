#include "analysis/expressions/narrow.h"

#include <optional>

namespace tacit::analysis {
namespace {

const sql::BoundColumn* ColumnIn(const sql::Bound& bound) {
  if (const auto* column = sql::As<sql::BoundColumn>(bound)) return column;
  // A widening conversion, as in `small_integer < 100000`, keeps the value.
  const auto* cast = sql::As<sql::BoundCast>(bound);
  const bool widens = cast != nullptr && cast->operand->type.IsNumber() && bound->type.IsNumber() &&
                      (cast->operand->type.IsInteger() || !bound->type.IsInteger());
  const bool midnight = cast != nullptr && cast->operand->type.kind == sql::TypeKind::kDate &&
                        bound->type.kind == sql::TypeKind::kTimestamp;
  return widens || midnight ? sql::As<sql::BoundColumn>(cast->operand) : nullptr;
}

// The value of an expression without columns, where it is known exactly.
std::optional<Rational> ValueOf(const sql::Bound& bound) {
  if (!bound->type.IsNumber() && !sql::IsInstant(bound->type)) return std::nullopt;
  bool has_column = false;
  const sql::Range range = sql::RangeOf(bound, [&](const sql::BoundColumn&) {
    has_column = true;
    return sql::Range{};
  });
  if (has_column || !range.IsBounded() || *range.low != *range.high) return std::nullopt;
  return range.low;
}

std::string Turned(std::string_view symbol) {
  if (symbol == "<") return ">";
  if (symbol == "<=") return ">=";
  if (symbol == ">") return "<";
  if (symbol == ">=") return "<=";
  return std::string(symbol);
}

// What holds where a comparison of what is known does not.
std::string Opposite(std::string_view symbol) {
  if (symbol == "<") return ">=";
  if (symbol == "<=") return ">";
  if (symbol == ">") return "<=";
  if (symbol == ">=") return "<";
  return "";
}

sql::Range RangeOfComparison(const std::string& symbol, const Rational& value) {
  sql::Range range;
  if (symbol == "=" || symbol == ">" || symbol == ">=") range.low = value;
  if (symbol == "=" || symbol == "<" || symbol == "<=") range.high = value;
  return range;
}

}  // namespace

void NarrowedRanges::Meet(const sql::Bound& operand, const sql::Range& range) {
  const sql::BoundColumn* column = ColumnIn(operand);
  if (column == nullptr) return;
  sql::Range& known = ranges_[std::pair(column->table, column->column)];
  known = sql::IntersectionOf(known, range);
}

// Of a column that is not NULL. Where it is, there is no value to lie anywhere.
void NarrowedRanges::NarrowByComparison(const std::string& symbol,
                                        const std::vector<sql::Bound>& sides) {
  if (const auto value = ValueOf(sides[1])) Meet(sides[0], RangeOfComparison(symbol, *value));
  if (const auto value = ValueOf(sides[0])) {
    Meet(sides[1], RangeOfComparison(Turned(symbol), *value));
  }
}

void NarrowedRanges::NarrowByNot(const sql::Bound& condition) {
  const auto* apply = sql::As<sql::BoundApply>(condition);
  if (apply == nullptr) return;
  const std::string_view name = apply->function->name;
  if (name == "or") {
    for (const sql::Bound& argument : apply->arguments) NarrowByNot(argument);
  } else if (name == "not") {
    Narrow(apply->arguments[0]);
  } else if (const std::string opposite = Opposite(name); !opposite.empty()) {
    NarrowByComparison(opposite, apply->arguments);
  }
}

void NarrowedRanges::Narrow(const sql::Bound& condition) {
  const auto* apply = sql::As<sql::BoundApply>(condition);
  if (apply == nullptr) return;
  const std::string name(apply->function->name);
  const std::vector<sql::Bound>& arguments = apply->arguments;
  if (name == "and") {
    for (const sql::Bound& argument : arguments) Narrow(argument);
  } else if (name == "not") {
    NarrowByNot(arguments[0]);
  } else if (name == "between") {
    const std::optional<Rational> low = ValueOf(arguments[1]);
    const std::optional<Rational> high = ValueOf(arguments[2]);
    sql::Range range;
    range.low = low;
    range.high = high;
    Meet(arguments[0], range);
  } else if (name == "in") {
    std::optional<sql::Range> all;
    for (size_t i = 1; i < arguments.size(); ++i) {
      const std::optional<Rational> value = ValueOf(arguments[i]);
      if (!value) return;
      const sql::Range point = sql::PointRange(*value);
      all = all ? sql::UnionOf(*all, point) : point;
    }
    if (all) Meet(arguments[0], *all);
  } else if (name == "<" || name == "<=" || name == ">" || name == ">=" || name == "=") {
    NarrowByComparison(name, arguments);
  }
}

sql::Range NarrowedRanges::RangeOf(const sql::BoundColumn& column,
                                   const sql::Range& declared) const {
  const auto found = ranges_.find(std::pair(column.table, column.column));
  return found == ranges_.end() ? declared : sql::IntersectionOf(declared, found->second);
}

}  // namespace tacit::analysis
