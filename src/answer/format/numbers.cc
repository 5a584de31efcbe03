#include "answer/format/numbers.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace tacit::answer {
namespace {

// Why 24: 128-bit counts and prices down to 1e-20 keep every digit.
constexpr size_t kExactDigitsMax = 24;

bool IsDecimal(const std::string& text) { return text.find('/') == std::string::npos; }

std::string ShortestDouble(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

Rational PowerOfTen(int exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  return exponent >= 0 ? Rational(power) : Rational(Rational(1) / Rational(power));
}

// floor(log10(value)) for value > 0.
int DecimalExponent(const Rational& value) {
  int exponent = static_cast<int>(mpz_sizeinbase(value.get_num_mpz_t(), 10)) -
                 static_cast<int>(mpz_sizeinbase(value.get_den_mpz_t(), 10));
  while (PowerOfTen(exponent) > value) --exponent;
  while (PowerOfTen(exponent + 1) <= value) ++exponent;
  return exponent;
}

std::optional<Rational> NumberOf(const engine::Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return Rational(MakeRational(*whole));
  if (const auto* numeric = std::get_if<engine::Numeric>(&value)) {
    return Rational(MakeRational(numeric->unscaled) * PowerOfTen(-numeric->scale));
  }
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr && std::isfinite(*real)) return RationalOf(*real);
  return std::nullopt;
}

Integer RoundHalfUp(const Rational& value) { return FloorOf(Rational(value + Rational(1, 2))); }

}  // namespace

std::string JsonNumber(const Rational& value) {
  std::string exact = ToString(value);
  if (exact.size() <= kExactDigitsMax && IsDecimal(exact)) return exact;
  const double up = ToDoubleUp(value);  // for display: the last digit of seventeen
  return std::isfinite(up) ? ShortestDouble(up) : JsonText(exact);
}

std::string ShortNumber(const Rational& value, Rounding rounding) {
  constexpr size_t kShortMax = 12;
  constexpr int kDigits = 6;
  std::string exact = ToString(value);
  if (value <= 0 || (exact.size() <= kShortMax && IsDecimal(exact))) return exact;
  const Rational unit = PowerOfTen(DecimalExponent(value) - kDigits + 1);
  const Rational steps = value / unit;
  const Integer whole = rounding == Rounding::kUp ? CeilOf(steps) : FloorOf(steps);
  const Rational rounded = Rational(whole) * unit;
  const int exponent = DecimalExponent(rounded);
  if (exponent >= -6 && exponent <= 14) return ToString(rounded);
  return ToString(Rational(rounded * PowerOfTen(-exponent))) + "e" + std::to_string(exponent);
}

namespace {

std::string DigitsUp(const Rational& value, int digits) {
  const Rational unit = PowerOfTen(DecimalExponent(value) - digits + 1);
  const Rational rounded = Rational(CeilOf(Rational(value / unit))) * unit;
  return ShortNumber(rounded, Rounding::kUp);
}

}  // namespace

std::string MarginText(const Rational& margin) { return margin <= 0 ? "0" : DigitsUp(margin, 2); }

std::string ErrorNumber(const Rational& error) {
  constexpr size_t kFew = 5;
  const std::string exact = ToString(error);
  return error <= 0 || exact.size() <= kFew ? exact : DigitsUp(error, 3);
}

std::string SupportedDigits(const engine::Value& value, const Rational& moe95) {
  const std::optional<Rational> number = NumberOf(value);
  if (!number || moe95 <= 0) return engine::ToText(value);
  const int exponent = DecimalExponent(moe95) - 1;
  const bool whole = std::holds_alternative<int64_t>(value);
  const Rational unit = PowerOfTen(whole ? std::max(exponent, 0) : exponent);
  return ToString(Rational(Rational(RoundHalfUp(Rational(*number / unit))) * unit));
}

std::string JsonText(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string JsonValue(const engine::Value& value) {
  if (engine::IsNull(value)) return "null";
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  const auto* real = std::get_if<double>(&value);
  if (real != nullptr && std::isfinite(*real)) return ShortestDouble(*real);
  const bool number =
      std::holds_alternative<int64_t>(value) || std::holds_alternative<engine::Numeric>(value);
  return number ? engine::ToText(value) : JsonText(engine::ToText(value));
}

}  // namespace tacit::answer
