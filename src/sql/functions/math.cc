#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

using Types = std::vector<Type>;
using Arguments = std::vector<Argument>;
using Signed = std::optional<Signature>;

// Why 15: numeric(38, 15) is the widest rounding that leaves room for the whole part.
constexpr int64_t kRoundDigitsMax = 15;

Signed SignDouble(const Types& types) {
  for (const Type& type : types) {
    if (!type.IsNumber() && type.kind != TypeKind::kUnknown) return std::nullopt;
  }
  return Signature{Types(types.size(), kDoubleType), kDoubleType};
}

Signed SignSame(const Types& types) {
  if (!types[0].IsNumber()) return std::nullopt;
  return Signature{types, types[0]};
}

// floor, ceil, sign: a whole number, as a numeric for numerics and as a double for the rest.
Signed SignWhole(const Types& types) {
  if (!types[0].IsNumber()) return std::nullopt;
  if (types[0].kind == TypeKind::kNumeric) {
    const int digits = types[0].precision - types[0].scale + 1;
    return Signature{types, Numeric(std::min(digits, kNumericPrecisionMax), 0)};
  }
  return Signature{{kDoubleType}, kDoubleType};
}

// round(x) and round(x, n), trunc likewise. PostgreSQL has round(x, n) for numeric only; a double
// is accepted because quotients of numerics are doubles here.
Signed SignRound(const Types& types) {
  if (types.size() == 1) return SignWhole(types);
  if (!types[0].IsNumber() || !types[1].IsInteger()) return std::nullopt;
  if (types[0].IsFloat()) return Signature{{kDoubleType, kIntegerType}, kDoubleType};
  const Type operand = AsNumeric(types[0]);
  const int precision = std::min(operand.precision + 1, kNumericPrecisionMax);
  return Signature{{operand, kIntegerType}, Numeric(precision, operand.scale)};
}

std::string ComplainRound(const Arguments& arguments) {
  if (arguments.size() == 1) return "";
  const std::optional<int64_t> digits = IntegerLiteral(arguments[1]);
  if (!digits || *digits < -kRoundDigitsMax || *digits > kRoundDigitsMax) {
    return "the number of digits must be a literal between -15 and 15";
  }
  return "";
}

Type RefineRound(const Arguments& arguments, const Type& result) {
  if (result.kind != TypeKind::kNumeric || arguments.size() == 1) return result;
  const auto digits = static_cast<int>(IntegerLiteral(arguments[1]).value_or(0));
  return Numeric(result.precision, std::clamp(digits, 0, result.scale));
}

Range RangeRound(const Arguments& a, const Type&) {
  const int64_t digits = a.size() > 1 ? IntegerLiteral(a[1]).value_or(0) : 0;
  return RoundedOutward(a[0].range, static_cast<int>(digits));
}
Range RangeWhole(const Arguments& a, const Type&) { return RoundedOutward(a[0].range, 0); }
Range RangeAbs(const Arguments& a, const Type&) { return Absolute(a[0].range); }
Range RangeSign(const Arguments&, const Type&) {
  return {.low = Rational(-1), .high = Rational(1)};
}

// The rational just outside a double's value: functions of libm are good to a few units in the last
// place, so a relative 2^-40 covers them with room.
Rational Widened(double value, bool upward) {
  const Rational exact = RationalOf(value);
  const Rational slack = abs(exact) / (Integer(1) << 40) + Rational(Integer(1), Integer(1) << 60);
  return upward ? Rational(exact + slack) : Rational(exact - slack);
}

// A rising function: the ends map to the ends. Ends where it has no value are left out.
template <double (*F)(double)>
Range RangeRising(const Arguments& a, const Type&) {
  Range range;
  if (a[0].range.low) {
    const double end = F(ToDoubleDown(*a[0].range.low));
    if (std::isfinite(end)) range.low = Widened(end, false);
  }
  if (a[0].range.high) {
    const double end = F(ToDoubleUp(*a[0].range.high));
    if (std::isfinite(end)) range.high = Widened(end, true);
  }
  return range;
}

double SqrtFromZero(double x) { return std::sqrt(std::max(x, 0.0)); }
double Exp(double x) { return std::exp(x); }
double Ln(double x) { return std::log(x); }
double Log10(double x) { return std::log10(x); }
double Cbrt(double x) { return std::cbrt(x); }
double Atan(double x) { return std::atan(x); }

Range RangeUnit(const Arguments&, const Type&) {
  return {.low = Rational(-1), .high = Rational(1)};
}
Range RangeAngle(const Arguments&, const Type&) {
  return {.low = Rational(-4), .high = Rational(4)};
}

// width_bucket(x, low, high, count): the operand decides how, the rest is written out.
Signed SignBucket(const Types& types) {
  if (!types[0].IsNumber() || !types[3].IsInteger()) return std::nullopt;
  for (const Type& type : {types[1], types[2]}) {
    if (!type.IsNumber() && type.kind != TypeKind::kUnknown) return std::nullopt;
  }
  return Signature{{kDoubleType, kDoubleType, kDoubleType, kIntegerType}, kIntegerType};
}

std::string ComplainBucket(const Arguments& arguments) {
  const std::optional<int64_t> count = IntegerLiteral(arguments[3]);
  const auto finite = [](const Argument& end) {
    return end.literal != nullptr &&
           (end.literal->kind == LiteralKind::kInteger ||
            end.literal->kind == LiteralKind::kNumeric) &&
           std::abs(std::strtod(end.literal->text.c_str(), nullptr)) < 1e15;
  };
  const bool good = finite(arguments[1]) && finite(arguments[2]) && count && *count >= 1 &&
                    *count <= 100'000 &&
                    std::strtod(arguments[1].literal->text.c_str(), nullptr) <
                        std::strtod(arguments[2].literal->text.c_str(), nullptr);
  return good ? ""
              : "the bounds must be literals, the lower one first, and the number of buckets a "
                "literal from 1 to 100000";
}

Range RangeBucket(const Arguments& arguments, const Type&) {
  const std::optional<int64_t> count = IntegerLiteral(arguments[3]);
  if (!count) return {};
  return {.low = Rational(0), .high = Rational(static_cast<long>(*count + 1))};
}

constexpr Totality kBucket{"finite numbers; bounds and the number of buckets are literals",
                           "CASE WHEN x < low, WHEN x >= high", "NULL"};
constexpr Totality kRounded{"results within the type",
                            "numerics with one more digit; doubles by tacit_finite", "NULL"};
constexpr Totality kMagnitude{"all but the smallest integer", "integers in a wider type", "NULL"};
constexpr Totality kFromZero{"numbers from 0", "CASE WHEN x >= 0", "NULL"};
constexpr Totality kAboveZero{"numbers above 0", "CASE WHEN x > 0", "NULL"};
constexpr Totality kFiniteResult{"results that are finite numbers", "tacit_finite", "NULL"};
constexpr Totality kFiniteNumber{"finite numbers", "CASE WHEN isfinite(x)", "NULL"};
constexpr Totality kSine{"numbers from -1 to 1", "CASE WHEN x BETWEEN -1 AND 1", "NULL"};
constexpr Totality kAngle{"every pair of numbers; -0 is 0", "tacit_finite of both", "-"};

Function Make(std::string_view name, const Totality& totality, Signed (*sign)(const Types&),
              Range (*range)(const Arguments&, const Type&), int least = 1, int most = 1) {
  return Function{.name = name,
                  .family = "math",
                  .totality = totality,
                  .arguments_min = least,
                  .arguments_max = most,
                  .sign = sign,
                  .complain = nullptr,
                  .refine = nullptr,
                  .range = range};
}

}  // namespace

std::vector<Function> MathFunctions() {
  Function round = Make("round", kRounded, SignRound, RangeRound, 1, 2);
  Function trunc = Make("trunc", kRounded, SignRound, RangeRound, 1, 2);
  round.complain = trunc.complain = ComplainRound;
  round.refine = trunc.refine = RefineRound;
  Function bucket = Make("width_bucket", kBucket, SignBucket, RangeBucket, 4, 4);
  bucket.complain = ComplainBucket;
  return {round,
          trunc,
          bucket,
          Make("abs", kMagnitude, SignSame, RangeAbs),
          Make("sign", kTotalEverywhere, SignWhole, RangeSign),
          Make("ceil", kTotalEverywhere, SignWhole, RangeWhole),
          Make("ceiling", kTotalEverywhere, SignWhole, RangeWhole),
          Make("floor", kTotalEverywhere, SignWhole, RangeWhole),
          Make("sqrt", kFromZero, SignDouble, RangeRising<SqrtFromZero>),
          Make("cbrt", kTotalEverywhere, SignDouble, RangeRising<Cbrt>),
          Make("exp", kFiniteResult, SignDouble, RangeRising<Exp>),
          Make("ln", kAboveZero, SignDouble, RangeRising<Ln>),
          Make("log", kAboveZero, SignDouble, RangeRising<Log10>),
          Make("log10", kAboveZero, SignDouble, RangeRising<Log10>),
          Make("sin", kFiniteNumber, SignDouble, RangeUnit),
          Make("cos", kFiniteNumber, SignDouble, RangeUnit),
          Make("tan", kFiniteNumber, SignDouble, nullptr),
          Make("asin", kSine, SignDouble, RangeAngle),
          Make("acos", kSine, SignDouble, RangeAngle),
          Make("atan", kTotalEverywhere, SignDouble, RangeRising<Atan>),
          Make("atan2", kAngle, SignDouble, RangeAngle, 2, 2),
          Make("degrees", kFiniteResult, SignDouble, nullptr),
          Make("radians", kTotalEverywhere, SignDouble, nullptr),
          Make("pi", kTotalEverywhere, SignDouble, RangeAngle, 0, 0)};
}

}  // namespace tacit::sql
