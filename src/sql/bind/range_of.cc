#include "sql/bind/bind.h"
#include "sql/bind/bind_literal.h"
#include "sql/bind/instant_range.h"
#include "sql/bind/text_length.h"

// Where the values of a bound expression lie.
namespace tacit::sql {
namespace {

// A time's date is the midnight before it.
Range WholeDays(const Range& range) {
  const Rational day = 86'400;
  Range days;
  if (range.low) days.low = Rational(Rational(FloorOf(Rational(*range.low / day))) * day);
  if (range.high) days.high = range.high;
  return days;
}

// Why 64: each of them is asked about a column before the next one is.
constexpr int kNegatedMax = 64;

// A branch is taken where its condition holds and none before it does: where those do not hold, or
// are NULL, because what they compare is.
Range OfCase(const BoundCase& choice, const ColumnRange& column_range, const NarrowBy& narrow) {
  std::optional<Range> all;
  bool may_be_null = false;
  ColumnRange left = column_range;  // where the branches before were not taken
  int not_taken_before = 0;
  const auto add = [&](const Bound& value, const ColumnRange& inside) {
    const auto* literal = As<Literal>(value);
    if (literal != nullptr && literal->kind == LiteralKind::kNull) {
      may_be_null = true;
      return;
    }
    const Range range = RangeOf(value, inside, narrow);
    all = all ? UnionOf(*all, range) : range;
  };
  for (const BoundBranch& branch : choice.branches) {
    add(branch.then, narrow ? narrow(branch.when, left) : left);
    if (!narrow || ++not_taken_before > kNegatedMax) continue;
    const BoundApply not_taken{.function = FindFunction("not"), .arguments = {branch.when}};
    left = narrow(Bound(BoundNode{
                      .kind = not_taken, .type = kBooleanType, .position = branch.when->position}),
                  left);
  }
  add(choice.otherwise, left);
  if (!all) return {};
  all->may_be_null = all->may_be_null || may_be_null;
  return *all;
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
  if (const auto* choice = As<BoundCase>(bound)) return OfCase(*choice, column_range, narrow);
  const auto* apply = As<BoundApply>(bound);
  if (apply == nullptr) return {};
  const auto of_part = [&](const Bound& part) { return RangeOf(part, column_range, narrow); };
  if (const auto range = RangeFromInstants(*apply, of_part)) return *range;
  if (apply->function->range == nullptr) return {};
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
