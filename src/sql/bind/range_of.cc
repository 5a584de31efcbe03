#include "sql/bind/bind.h"
#include "sql/bind/bind_literal.h"

// Where the values of a bound expression lie.
namespace tacit::sql {
namespace {

// How many characters a text can have, where the query itself says so.
std::optional<int64_t> LengthLimit(const Bound& text) {
  if (const auto* literal = As<Literal>(text)) {
    return literal->kind == LiteralKind::kString
               ? std::optional(static_cast<int64_t>(literal->text.size()))
               : std::nullopt;
  }
  const auto* apply = As<BoundApply>(text);
  if (apply == nullptr) return std::nullopt;
  const std::string_view name = apply->function->name;
  const std::vector<Bound>& given = apply->arguments;
  const bool cuts = name == "left" || name == "right" ||
                    ((name == "substring" || name == "substr") && given.size() == 3);
  if (cuts) {
    const std::optional<int64_t> length =
        IntegerLiteral({given.back()->type, As<Literal>(given.back()), {}});
    return length && *length >= 0 ? length : std::nullopt;
  }
  const bool keeps = name == "btrim" || name == "ltrim" || name == "rtrim";
  return keeps ? LengthLimit(given[0]) : std::nullopt;
}

// A time's date is the midnight before it.
Range WholeDays(const Range& range) {
  const Rational day = 86'400;
  Range days;
  if (range.low) days.low = Rational(Rational(FloorOf(Rational(*range.low / day))) * day);
  if (range.high) days.high = range.high;
  return days;
}

// These give one of their operands back. To any other function a date is no number of seconds.
bool KeepsInstants(const Function& function) { return function.family == "conditional"; }

}  // namespace

Range RangeOf(const Bound& bound, const ColumnRange& column_range, const NarrowBy& narrow) {
  if (const auto* literal = As<Literal>(bound)) return LiteralRange(*literal);
  if (const auto* column = As<BoundColumn>(bound)) return column_range(*column);
  if (const auto* cast = As<BoundCast>(bound)) {
    if (cast->operand->type.kind == TypeKind::kBoolean && bound->type.IsNumber()) {
      Range truth{.low = Rational(0), .high = Rational(1)};
      truth.may_be_null = true;
      return truth;
    }
    const bool instants = IsInstant(cast->operand->type) && IsInstant(bound->type);
    const bool numbers = cast->operand->type.IsNumber() && bound->type.IsNumber();
    if (!instants && !numbers) return {};
    const Range range = RangeOf(cast->operand, column_range, narrow);
    if (instants) return bound->type.kind == TypeKind::kDate ? WholeDays(range) : range;
    if (bound->type.IsInteger() && !cast->operand->type.IsInteger())
      return RoundedOutward(range, 0);
    const bool rounds = bound->type.kind == TypeKind::kNumeric;
    Range result = rounds ? RoundedOutward(range, bound->type.scale) : range;
    // A literal that fits keeps being a value; anything else may overflow into NULL.
    result.may_be_null = As<Literal>(cast->operand) == nullptr || range.may_be_null;
    return result;
  }
  if (const auto* choice = As<BoundCase>(bound)) {
    Range range = RangeOf(choice->otherwise, column_range, narrow);
    const auto* otherwise = As<Literal>(choice->otherwise);
    const bool null = otherwise != nullptr && otherwise->kind == LiteralKind::kNull;
    bool first = null;
    for (const BoundBranch& branch : choice->branches) {
      const ColumnRange inside = narrow ? narrow(branch.when, column_range) : column_range;
      const Range then = RangeOf(branch.then, inside, narrow);
      range = first ? then : UnionOf(range, then);
      first = false;
    }
    if (null) range.may_be_null = true;
    return range;
  }
  const auto* apply = As<BoundApply>(bound);
  if (apply == nullptr || apply->function->range == nullptr) return {};
  std::vector<Argument> arguments;
  for (const Bound& argument : apply->arguments) {
    const bool hidden = IsInstant(argument->type) && !KeepsInstants(*apply->function);
    arguments.push_back({argument->type, As<Literal>(argument),
                         hidden ? Range{} : RangeOf(argument, column_range, narrow)});
    if (arguments.back().type.kind == TypeKind::kText) {
      if (const auto limit = LengthLimit(argument)) arguments.back().length_max = *limit;
    }
  }
  return apply->function->range(arguments, bound->type);
}

}  // namespace tacit::sql
