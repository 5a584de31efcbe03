#include "attack/report.h"

#include <cmath>
#include <cstdio>

#include "base/assert.h"

namespace tacit::attack {

std::string Shown(double value, int decimals) {
  if (!std::isfinite(value)) return value != value ? "undefined" : value > 0 ? "inf" : "-inf";
  char digits[512];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, std::abs(value));
  std::string text = digits;
  const size_t point = text.find('.');
  for (size_t i = point == std::string::npos ? text.size() : point; i > 3; i -= 3) {
    text.insert(i - 3, ",");
  }
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return value < 0 && !is_zero ? "-" + text : text;
}

Cell Text(std::string text) { return {.text = std::move(text), .number = std::nullopt}; }

Cell Number(double value, int decimals) { return {Shown(value, decimals), value}; }

Cell Percent(double share, int decimals) { return {Shown(100 * share, decimals) + " %", share}; }

Cell Interval(double value, double low, double high, int decimals) {
  TACIT_ASSERT(!(low > high));
  return {
      Shown(value, decimals) + " (" + Shown(low, decimals) + " to " + Shown(high, decimals) + ")",
      value};
}

}  // namespace tacit::attack
