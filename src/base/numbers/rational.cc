#include "base/numbers/rational.h"

#include <cmath>
#include <limits>

namespace tacit {
namespace {

Integer PowerOfTen(unsigned long exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

bool AllDigits(std::string_view text) {
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return !text.empty();
}

Error NotANumber(std::string_view text) {
  return InvalidArgument("'" + std::string(text.substr(0, 60)) + "' is not a number",
                         "write it like 0.1, 1e-5 or 1/3");
}

// Digits with an optional point and exponent, without a sign.
Result<Rational> ParseUnsignedDecimal(std::string_view text, std::string_view whole_text) {
  long exponent = 0;
  if (const size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    const bool negative = power.starts_with('-');
    if (negative || power.starts_with('+')) power.remove_prefix(1);
    if (!AllDigits(power) || power.size() > 6) return NotANumber(whole_text);
    exponent = std::stol(std::string(power)) * (negative ? -1 : 1);
    text = text.substr(0, e);
  }
  std::string digits;
  if (const size_t point = text.find('.'); point != std::string_view::npos) {
    const std::string_view fraction = text.substr(point + 1);
    digits = std::string(text.substr(0, point)) + std::string(fraction);
    exponent -= static_cast<long>(fraction.size());
  } else {
    digits = text;
  }
  if (!AllDigits(digits)) return NotANumber(whole_text);
  if (std::labs(exponent) > kRationalExponentMax || digits.size() > kRationalExponentMax) {
    return InvalidArgument("'" + std::string(whole_text.substr(0, 60)) +
                           "' has more digits than a parameter may have");
  }
  Rational value{Integer(digits, 10)};
  const Integer power = PowerOfTen(static_cast<unsigned long>(std::labs(exponent)));
  if (exponent >= 0) {
    value *= power;
  } else {
    value /= power;
  }
  return value;
}

}  // namespace

Result<Rational> ParseRational(std::string_view text) {
  const std::string_view whole_text = text;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string_view below = "1";
  if (const size_t slash = text.find('/'); slash != std::string_view::npos) {
    below = text.substr(slash + 1);
    text = text.substr(0, slash);
  }
  TACIT_TRY(const Rational numerator, ParseUnsignedDecimal(text, whole_text));
  TACIT_TRY(const Rational denominator, ParseUnsignedDecimal(below, whole_text));
  if (denominator == 0) return InvalidArgument("'" + std::string(whole_text) + "' divides by zero");
  const Rational value = numerator / denominator;
  return negative ? Rational(-value) : value;
}

Rational RationalOf(double value) {
  TACIT_ASSERT(std::isfinite(value));
  return Rational(value);
}

Integer ToInteger(Int128 value) {
  const UInt128 magnitude = Magnitude(value);
  Integer result = static_cast<unsigned long>(magnitude >> 64);
  result <<= 64;
  result += static_cast<unsigned long>(magnitude);
  return value < 0 ? Integer(-result) : result;
}

Rational Fraction(const Integer& numerator, const Integer& denominator) {
  TACIT_ASSERT(denominator != 0);
  Rational value(numerator, denominator);
  value.canonicalize();
  return value;
}

Rational MakeRational(Int128 numerator, Int128 denominator) {
  return Fraction(ToInteger(numerator), ToInteger(denominator));
}

double ToDoubleDown(const Rational& value) {
  // mpq_get_d truncates towards zero; one comparison tells whether that was downwards.
  const double truncated = value.get_d();
  if (std::isinf(truncated)) {
    return truncated > 0 ? std::numeric_limits<double>::max() : truncated;
  }
  return Rational(truncated) <= value ? truncated : std::nextafter(truncated, -INFINITY);
}

double ToDoubleUp(const Rational& value) { return -ToDoubleDown(-value); }

Integer FloorOf(const Rational& value) {
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

Integer CeilOf(const Rational& value) {
  Integer result;
  mpz_cdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

bool FitsInt128(const Integer& value) {
  return value >= ToInteger(kInt128Min) && value <= ToInteger(kInt128Max);
}

Rational SquareRootUp(const Rational& value) {
  TACIT_ASSERT(value >= 0);
  // root(v) = root(v * 10^(2d)) / 10^d, with d so large that 12 digits stand before the point.
  Integer power = 1;
  while (Rational(value * power * power) < Rational(Integer("1000000000000000000000000")) &&
         mpz_sizeinbase(power.get_mpz_t(), 10) < 64) {
    power *= 10;
  }
  const Integer scaled = CeilOf(Rational(value * power * power));
  Integer root = sqrt(scaled);
  if (root * root < scaled) ++root;
  return Rational(root) / Rational(power);
}

Rational ShortestWithin(const Rational& low, const Rational& high) {
  TACIT_ASSERT(low > 0 && low < high);
  Integer power = 1;
  while (CeilOf(Rational(low * power)) > Rational(high * power)) power *= 10;
  return Fraction(CeilOf(Rational(low * power)), power);
}

Int128 SaturateToInt128(const Integer& value) {
  if (!FitsInt128(value)) return value < 0 ? kInt128Min : kInt128Max;
  const Integer magnitude = abs(value);
  const Integer high = magnitude >> 64;
  const Integer low = magnitude - (high << 64);
  const UInt128 bits = (static_cast<UInt128>(high.get_ui()) << 64) | low.get_ui();
  return static_cast<Int128>(value < 0 ? ~bits + 1 : bits);
}

std::string ToString(const Rational& value) {
  // A finite decimal exists when the denominator has no prime factor but 2 and 5.
  Integer rest = value.get_den();
  unsigned long twos = 0;
  unsigned long fives = 0;
  while (rest % 2 == 0) rest /= 2, ++twos;
  while (rest % 5 == 0) rest /= 5, ++fives;
  const unsigned long places = std::max(twos, fives);
  if (rest != 1 || places > 30) return value.get_str();
  const Rational scaled = value * PowerOfTen(places);
  std::string digits = Integer(abs(scaled.get_num())).get_str();
  if (places > 0) {
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
  }
  return (value < 0 ? "-" : "") + digits;
}

}  // namespace tacit
