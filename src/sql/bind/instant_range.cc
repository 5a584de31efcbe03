#include "sql/bind/instant_range.h"

#include <utility>

#include "sql/constants/calendar.h"

namespace tacit::sql {
namespace {

using RangeOfPart = std::function<Range(const Bound&)>;
using End = std::optional<Rational>;

constexpr int kDaySeconds = 86'400;

// An end as microseconds; nothing outside what an int64 holds.
std::optional<int64_t> MicrosecondsOf(const End& seconds) {
  if (!seconds) return std::nullopt;
  const Integer whole = FloorOf(Rational(*seconds * 1'000'000));
  return whole.fits_slong_p() ? std::optional<int64_t>(whole.get_si()) : std::nullopt;
}

End SecondsOf(std::optional<int64_t> microseconds) {
  if (!microseconds) return std::nullopt;
  return Rational(MakeRational(*microseconds) / 1'000'000);
}

// What never falls where its operand rises, of both ends.
template <class Rising>
Range OfEnds(const Range& range, const Rising& rising) {
  const auto at = [&](const End& end) -> std::optional<int64_t> {
    const std::optional<int64_t> microseconds = MicrosecondsOf(end);
    return microseconds ? rising(*microseconds) : std::nullopt;
  };
  return {.low = SecondsOf(at(range.low)), .high = SecondsOf(at(range.high))};
}

Range WholeDaysOf(const Range& seconds) {
  Range days;
  if (seconds.low) days.low = Rational(FloorOf(Rational(*seconds.low / kDaySeconds)));
  if (seconds.high) days.high = Rational(CeilOf(Rational(*seconds.high / kDaySeconds)));
  return days;
}

Range YearOf(const Range& range) {
  Range years{.low = Rational(1), .high = Rational(9999)};
  for (const auto& [end, year] : {std::pair(&range.low, &years.low), {&range.high, &years.high}}) {
    const std::optional<int64_t> microseconds = MicrosecondsOf(*end);
    const std::optional<int64_t> found =
        microseconds ? FieldOf("year", *microseconds) : std::nullopt;
    if (found) *year = Rational(static_cast<long>(*found));
  }
  return years;
}

// The whole years of an age of so many seconds: a year has 365 days, or 366.
Range YearsOfAge(const Range& seconds) {
  const Rational shortest = 365 * kDaySeconds;
  Range years;
  if (seconds.low) years.low = Rational(FloorOf(Rational(*seconds.low / shortest)));
  if (seconds.high) years.high = Rational(CeilOf(Rational(*seconds.high / shortest)));
  // The longer year: of 366 days may be made less than one.
  if (years.low && *years.low > 0) *years.low -= 1;
  if (years.high && *years.high < 0) *years.high += 1;
  return years;
}

std::optional<Range> OfField(const BoundApply& apply, const RangeOfPart& range_of) {
  const auto* literal = As<Literal>(apply.arguments[0]);
  if (literal == nullptr) return std::nullopt;
  const std::string& field = literal->text;
  const Bound& time = apply.arguments[1];
  if (IsInstant(time->type)) {
    if (field == "epoch") return range_of(time);
    return field == "year" ? std::optional(YearOf(range_of(time))) : std::nullopt;
  }
  const auto* made_by = As<BoundApply>(time);
  if (made_by == nullptr || made_by->arguments.size() != 2) return std::nullopt;
  const Bound& later = made_by->arguments[0];
  const Bound& earlier = made_by->arguments[1];
  const std::string_view name = made_by->function->name;
  if ((name != "-" && name != "age") || !IsInstant(later->type) || !IsInstant(earlier->type)) {
    return std::nullopt;
  }
  const Range between = Difference(range_of(later), range_of(earlier));
  if (name == "age") return field == "year" ? std::optional(YearsOfAge(between)) : std::nullopt;
  if (field == "epoch") return between;
  return field == "day" ? std::optional(WholeDaysOf(between)) : std::nullopt;
}

std::optional<Range> OfSum(const BoundApply& apply, bool minus, const RangeOfPart& range_of) {
  const Bound& left = apply.arguments[0];
  const Bound& right = apply.arguments[1];
  if (left->type.kind == TypeKind::kDate && right->type.kind == TypeKind::kDate) {
    return WholeDaysOf(Difference(range_of(left), range_of(right)));
  }
  if (right->type.kind == TypeKind::kDate && !minus) {
    return Sum(Product(range_of(left), PointRange(kDaySeconds)), range_of(right));
  }
  if (!IsInstant(left->type)) return std::nullopt;
  if (left->type.kind == TypeKind::kDate && right->type.IsInteger()) {
    const Range days = Product(range_of(right), PointRange(kDaySeconds));
    return minus ? Difference(range_of(left), days) : Sum(range_of(left), days);
  }
  const auto* literal = As<Literal>(right);
  if (literal == nullptr || literal->kind != LiteralKind::kInterval) return std::nullopt;
  const Interval& by = literal->interval;
  const Interval moved =
      minus ? Interval{.months = -by.months, .days = -by.days, .microseconds = -by.microseconds}
            : by;
  return OfEnds(range_of(left), [&](int64_t instant) { return AddInterval(instant, moved); });
}

}  // namespace

std::optional<Range> RangeFromInstants(const BoundApply& apply, const RangeOfPart& range_of) {
  const std::string_view name = apply.function->name;
  if (apply.arguments.size() != 2) return std::nullopt;
  std::optional<Range> range;
  if (name == "extract" || name == "date_part") range = OfField(apply, range_of);
  if (name == "+" || name == "-") range = OfSum(apply, name == "-", range_of);
  const auto* unit = name == "date_trunc" ? As<Literal>(apply.arguments[0]) : nullptr;
  if (unit != nullptr) {
    range = OfEnds(range_of(apply.arguments[1]),
                   [&](int64_t instant) { return Truncated(unit->text, instant); });
  }
  // Beyond the calendar it is NULL.
  if (range) range->may_be_null = true;
  return range;
}

}  // namespace tacit::sql
