#include <charconv>

#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/constants/zone.h"
#include "sql/parse/literal.h"

namespace tacit::sql::constants {
namespace {

// An integer of four bytes: sums and products of larger ones have types of their own.
std::optional<int32_t> SmallInteger(const Literal& literal) {
  if (literal.kind != LiteralKind::kInteger) return std::nullopt;
  int32_t value = 0;
  const char* end = literal.text.data() + literal.text.size();
  const auto read = std::from_chars(literal.text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

// 7, and 7.0 as R writes it.
std::optional<int32_t> WholeFactor(const Literal& literal) {
  if (literal.kind != LiteralKind::kNumeric) return SmallInteger(literal);
  const size_t point = literal.text.find('.');
  const bool whole = point != std::string::npos &&
                     literal.text.find_first_not_of('0', point + 1) == std::string::npos;
  if (!whole) return std::nullopt;
  return SmallInteger(Written(LiteralKind::kInteger, literal.text.substr(0, point)));
}

std::optional<Literal> IntervalLiteral(Int128 months, Int128 days, Int128 microseconds) {
  const std::optional<Interval> interval = MakeInterval(months, days, microseconds);
  if (!interval) return std::nullopt;
  return Literal{.kind = LiteralKind::kInterval, .text = "", .interval = *interval};
}

std::optional<Literal> OfIntegers(const std::string& symbol, int64_t left, int64_t right) {
  const auto truth = [](bool value) {
    return Written(LiteralKind::kBoolean, value ? "true" : "false");
  };
  if (symbol == "=") return truth(left == right);
  if (symbol == "<>") return truth(left != right);
  if (symbol == "<") return truth(left < right);
  if (symbol == "<=") return truth(left <= right);
  if (symbol == ">") return truth(left > right);
  if (symbol == ">=") return truth(left >= right);
  const bool divides = right != 0;  // where it does not, the engine gives NULL
  const int64_t value = symbol == "+"              ? left + right
                        : symbol == "-"            ? left - right
                        : symbol == "*"            ? left * right
                        : symbol == "/" && divides ? left / right
                        : symbol == "%" && divides ? left % right
                                                   : INT64_MAX;
  if (value > INT32_MAX || value < INT32_MIN) return std::nullopt;
  return Written(LiteralKind::kInteger, std::to_string(value));
}

std::optional<Literal> Times(const Interval& interval, int64_t factor) {
  return IntervalLiteral(Int128{interval.months} * factor, Int128{interval.days} * factor,
                         Int128{interval.microseconds} * factor);
}

std::optional<Literal> OfIntervals(const Interval& left, const Interval& right, int sign) {
  return IntervalLiteral(Int128{left.months} + sign * Int128{right.months},
                         Int128{left.days} + sign * Int128{right.days},
                         Int128{left.microseconds} + sign * Int128{right.microseconds});
}

// An instant and what is added to it or taken from it: a day later the clocks there show the same.
std::optional<Literal> OfInstant(const Literal& left, int64_t shown, const Literal& right,
                                 int sign) {
  const bool date = left.kind == LiteralKind::kDate;
  if (right.kind == LiteralKind::kInterval) {
    const std::optional<Literal> turned = Times(right.interval, sign);
    const std::optional<int64_t> moved =
        turned ? AddInterval(shown, turned->interval) : std::nullopt;
    return moved ? AsShown(date ? LiteralKind::kTimestamp : left.kind, *moved, left.zone)
                 : std::nullopt;
  }
  if (const auto days = SmallInteger(right); days && date) {
    const std::optional<int64_t> moved =
        AddInterval(shown, {.months = 0, .days = *days * sign, .microseconds = 0});
    return moved ? AsShown(left.kind, *moved, left.zone) : std::nullopt;
  }
  if (date && right.kind == left.kind && sign < 0) {
    return Written(LiteralKind::kInteger,
                   std::to_string((shown - *InstantOf(right)) / kDayMicroseconds));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Literal> FoldOperator(const std::string& symbol, const Literal& left,
                                    const Literal& right) {
  const auto joins = [](const Literal& literal) {
    return literal.kind == LiteralKind::kString || literal.kind == LiteralKind::kInteger;
  };
  const bool text = left.kind == LiteralKind::kString || right.kind == LiteralKind::kString;
  if (symbol == "||" && text && joins(left) && joins(right)) {
    Literal joined = Written(LiteralKind::kString, left.text + right.text);
    joined.zone = left.zone != nullptr ? left.zone : right.zone;
    return joined;
  }
  if (left.kind == LiteralKind::kString && right.kind == LiteralKind::kString &&
      (symbol == "=" || symbol == "<>")) {
    return Written(LiteralKind::kBoolean,
                   (left.text == right.text) == (symbol == "=") ? "true" : "false");
  }
  const std::optional<int32_t> first = SmallInteger(left);
  const std::optional<int32_t> second = SmallInteger(right);
  if (first && second) return OfIntegers(symbol, *first, *second);
  const bool plus = symbol == "+";
  if (symbol == "*") {
    const bool turned = right.kind == LiteralKind::kInterval;
    const std::optional<int32_t> times = WholeFactor(turned ? left : right);
    const Literal& one = turned ? right : left;
    if (one.kind == LiteralKind::kInterval && times) return Times(one.interval, *times);
  }
  if (!plus && symbol != "-") return std::nullopt;
  const int sign = plus ? 1 : -1;
  if (left.kind == LiteralKind::kInterval && right.kind == LiteralKind::kInterval) {
    return OfIntervals(left.interval, right.interval, sign);
  }
  if (const auto shown = ShownOf(left)) return OfInstant(left, *shown, right, sign);
  if (const auto shown = ShownOf(right); shown && plus) {
    return OfInstant(right, *shown, left, 1);
  }
  return std::nullopt;
}

}  // namespace tacit::sql::constants
