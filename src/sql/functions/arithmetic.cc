#include <algorithm>

#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

using Types = std::vector<Type>;
using Arguments = std::vector<Argument>;
using Signed = std::optional<Signature>;

bool Are(const Types& types, TypeKind a, TypeKind b) {
  return types[0].kind == a && types[1].kind == b;
}

// An untyped literal beside a number is a number.
std::optional<Type> CommonNumber(const Types& types) {
  const std::optional<Type> common = CommonType(types);
  return common && common->IsNumber() ? common : std::nullopt;
}

// Sums keep every digit while 38 suffice, else they are doubles.
Signed SignNumbers(const Types& types, int extra_digits) {
  const std::optional<Type> common = CommonNumber(types);
  if (!common) return std::nullopt;
  if (common->kind != TypeKind::kNumeric) return Signature{{*common, *common}, *common};
  const Type wide = Numeric(common->precision + extra_digits, common->scale);
  if (wide.precision > kNumericPrecisionMax)
    return Signature{{kDoubleType, kDoubleType}, kDoubleType};
  return Signature{{wide, wide}, wide};
}

// An instant and an interval.
Signed SignMoved(const Types& types) {
  if (!IsInstant(types[0]) || types[1].kind != TypeKind::kInterval) return std::nullopt;
  const bool zoned = types[0].kind == TypeKind::kTimestampTz;
  const Type instant = zoned ? types[0] : kTimestampType;
  return Signature{{instant, kIntervalType}, instant};
}

Signed SignPlus(const Types& types) {
  if (Are(types, TypeKind::kDate, TypeKind::kInteger)) return Signature{types, kDateType};
  if (Are(types, TypeKind::kInteger, TypeKind::kDate)) return Signature{types, kDateType};
  if (const Signed moved = SignMoved(types)) return moved;
  return SignNumbers(types, 1);
}

Signed SignMinus(const Types& types) {
  if (Are(types, TypeKind::kDate, TypeKind::kInteger)) return Signature{types, kDateType};
  if (Are(types, TypeKind::kDate, TypeKind::kDate)) return Signature{types, kIntegerType};
  if (Are(types, TypeKind::kDate, TypeKind::kUnknown) ||
      Are(types, TypeKind::kUnknown, TypeKind::kDate)) {
    return Signature{{kDateType, kDateType}, kIntegerType};
  }
  if (const Signed moved = SignMoved(types)) return moved;
  if (IsInstant(types[0]) && IsInstant(types[1])) {
    // What lies between two instants is the same by all clocks.
    const bool zoned =
        types[0].kind == TypeKind::kTimestampTz || types[1].kind == TypeKind::kTimestampTz;
    const Type instant = zoned ? Simple(TypeKind::kTimestampTz) : kTimestampType;
    return Signature{{instant, instant}, kIntervalType};
  }
  return SignNumbers(types, 1);
}

// INTERVAL '1 day' * n
Signed SignRepeated(const Types& types) {
  const size_t place = types[0].kind == TypeKind::kInterval ? 0 : 1;
  if (types[place].kind != TypeKind::kInterval || !types[1 - place].IsNumber()) return std::nullopt;
  return Signature{types, kIntervalType};
}

Signed SignTimes(const Types& types) {
  if (const Signed repeated = SignRepeated(types)) return repeated;
  const std::optional<Type> common = CommonNumber(types);
  if (!common) return std::nullopt;
  if (common->kind != TypeKind::kNumeric) return Signature{{*common, *common}, *common};
  Types operands;
  for (const Type& type : types) {
    operands.push_back(type.kind == TypeKind::kUnknown ? *common : AsNumeric(type));
  }
  const Type wide =
      Numeric(operands[0].precision + operands[1].precision, operands[0].scale + operands[1].scale);
  if (wide.precision > kNumericPrecisionMax)
    return Signature{{kDoubleType, kDoubleType}, kDoubleType};
  return Signature{operands, wide};
}

// Integers truncate; a quotient with a numeric is a double (PostgreSQL: a numeric of 16 or more
// digits).
Signed SignDivide(const Types& types) {
  const std::optional<Type> common = CommonNumber(types);
  if (!common) return std::nullopt;
  const Type result = common->kind == TypeKind::kNumeric ? kDoubleType : *common;
  return Signature{{result, result}, result};
}

Signed SignModulo(const Types& types) {
  const std::optional<Type> common = CommonNumber(types);
  if (!common || common->IsFloat()) return std::nullopt;
  return Signature{{*common, *common}, *common};
}

Signed SignPower(const Types& types) {
  if (!CommonNumber(types)) return std::nullopt;
  return Signature{{kDoubleType, kDoubleType}, kDoubleType};
}

Signed SignNegate(const Types& types) {
  if (!types[0].IsNumber()) return std::nullopt;
  return Signature{types, types[0]};
}

std::string ComplainInterval(const Arguments& arguments) {
  const Argument& last = arguments.back();
  const bool instant = IsInstant(arguments[0].type);
  const bool interval = last.type.kind == TypeKind::kInterval;
  if (instant && interval && last.literal == nullptr && !last.is_repeated) {
    return "the interval must be written as a literal, such as INTERVAL '3 days', or INTERVAL "
           "'1 day' * n";
  }
  return "";
}

std::string ComplainRepeated(const Arguments& arguments) {
  const size_t place = arguments[0].type.kind == TypeKind::kInterval ? 0 : 1;
  if (arguments[place].type.kind != TypeKind::kInterval) return "";
  const Argument& factor = arguments[1 - place];
  if (arguments[place].literal == nullptr) {
    return "the interval must be written as a literal, such as INTERVAL '1 day' * n";
  }
  if (factor.type.IsInteger() || factor.is_whole) return "";
  return "an interval is taken a whole number of times, such as INTERVAL '1 day' * floor(x)";
}

bool Numbers(const Arguments& arguments) {
  return std::all_of(arguments.begin(), arguments.end(),
                     [](const Argument& argument) { return argument.type.IsNumber(); });
}

Range RangePlus(const Arguments& a, const Type&) {
  return Numbers(a) ? Sum(a[0].range, a[1].range) : Range{};
}
Range RangeMinus(const Arguments& a, const Type&) {
  return Numbers(a) ? Difference(a[0].range, a[1].range) : Range{};
}
Range RangeTimes(const Arguments& a, const Type&) {
  return Numbers(a) ? Product(a[0].range, a[1].range) : Range{};
}
Range RangeDivide(const Arguments& a, const Type& result) {
  return Quotient(a[0].range, a[1].range, result.IsInteger());
}
Range RangeModulo(const Arguments& a, const Type&) { return Remainder(a[0].range, a[1].range); }
Range RangeNegate(const Arguments& a, const Type&) {
  Range range = Negated(a[0].range);
  range.may_be_null = true;  // the smallest integer has no negative
  return range;
}

// x^2, x^3 and x^4, of which a sum of squares is made.
Range RangePower(const Arguments& a, const Type&) {
  const std::optional<int64_t> exponent = IntegerLiteral(a[1]);
  if (!exponent || *exponent < 1 || *exponent > 4) return {};
  Range range = a[0].range;
  for (int64_t i = 1; i < *exponent; ++i) range = Product(range, a[0].range);
  // A number times itself is not below zero.
  if (*exponent % 2 == 0 && (!range.low || *range.low < 0)) range.low = Rational(0);
  return range;
}

constexpr Totality kSum{
    "results within the type; dates and timestamps of the years 1 to 9999, intervals of up to "
    "200,000 years in all, 4,000,000 days",
    "integers in a wider type; numerics with one more digit; doubles by tacit_finite; dates by "
    "range",
    "NULL"};
constexpr Totality kNegative{"all but the smallest integer", "integers in a wider type", "NULL"};
constexpr Totality kProduct{
    "results within the type; an interval that is a literal, taken whole times, up to 200,000 "
    "years",
    "integers in a wider type; numerics with the digits of both; doubles by tacit_finite; times "
    "of an interval by range",
    "NULL"};
constexpr Totality kQuotient{"a divisor that is not 0, and results within the type",
                             "nullif of the divisor; integers in a wider type; doubles by "
                             "tacit_finite",
                             "NULL"};
constexpr Totality kRemainder{"a divisor that is not 0",
                              "nullif of the divisor; integers in a wider type", "NULL"};
constexpr Totality kPower{"results that are finite numbers", "tacit_finite", "NULL"};

}  // namespace

std::vector<Function> ArithmeticFunctions() {
  const auto binary = [](std::string_view name, const Totality& totality, auto sign, auto range) {
    return Function{.name = name,
                    .family = "arithmetic",
                    .totality = totality,
                    .arguments_min = 2,
                    .arguments_max = 2,
                    .sign = sign,
                    .complain = nullptr,
                    .refine = nullptr,
                    .range = range};
  };
  Function plus = binary("+", kSum, SignPlus, RangePlus);
  Function minus = binary("-", kSum, SignMinus, RangeMinus);
  plus.complain = ComplainInterval;
  minus.complain = ComplainInterval;
  Function times = binary("*", kProduct, SignTimes, RangeTimes);
  times.complain = ComplainRepeated;
  Function negate = binary("negate", kNegative, SignNegate, RangeNegate);
  negate.arguments_min = negate.arguments_max = 1;
  return {plus,
          minus,
          negate,
          times,
          binary("/", kQuotient, SignDivide, RangeDivide),
          binary("%", kRemainder, SignModulo, RangeModulo),
          binary("mod", kRemainder, SignModulo, RangeModulo),
          binary("^", kPower, SignPower, RangePower),
          binary("power", kPower, SignPower, RangePower),
          binary("pow", kPower, SignPower, RangePower)};
}

}  // namespace tacit::sql
