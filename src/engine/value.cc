#include "engine/value.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tacit::engine {
namespace {

constexpr int64_t kMicrosPerSecond = 1'000'000;
constexpr int64_t kMicrosPerDay = 86'400 * kMicrosPerSecond;

std::string Text(std::monostate) { return ""; }
std::string Text(bool value) { return value ? "t" : "f"; }
std::string Text(int64_t value) { return std::to_string(value); }
std::string Text(const std::string& value) { return value; }

std::string Text(const Numeric& value) {
  std::string text = ToString(value.unscaled);
  if (value.scale <= 0) return text;
  const bool negative = text.starts_with('-');
  if (negative) text.erase(0, 1);
  const auto scale = static_cast<size_t>(value.scale);
  if (text.size() <= scale) text.insert(0, scale + 1 - text.size(), '0');
  text.insert(text.size() - scale, ".");
  return negative ? "-" + text : text;
}

// The shortest digits that read back as the same number; an exponent where PostgreSQL has one.
template <class Number>
std::string ShortestText(Number value, int exponent_from) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  char buffer[64];
  const auto scientific =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string text(buffer, scientific.ptr);
  const int exponent = std::stoi(text.substr(text.find('e') + 1));
  if (exponent < -4 || exponent >= exponent_from) return text;
  const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  return std::string(buffer, fixed.ptr);
}
std::string Text(double value) { return ShortestText(value, 15); }

std::string Text(const Date& value) {
  if (value.days == std::numeric_limits<int32_t>::max()) return "infinity";
  if (value.days == -std::numeric_limits<int32_t>::max()) return "-infinity";
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{value.days}}};
  char buffer[64];
  const int year = static_cast<int>(date.year());
  std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02u%s", year > 0 ? year : 1 - year,
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                year > 0 ? "" : " BC");
  return buffer;
}

std::string Text(const Time& value) {
  const int64_t seconds = value.micros / kMicrosPerSecond;
  const int64_t fraction = value.micros % kMicrosPerSecond;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%02d:%02d:%02d", static_cast<int>(seconds / 3600),
                static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60));
  std::string text = buffer;
  if (fraction != 0) {
    std::snprintf(buffer, sizeof buffer, ".%06d", static_cast<int>(fraction));
    text += buffer;
    while (text.ends_with('0')) text.pop_back();
  }
  return text;
}

std::string Text(const Timestamp& value) {
  if (value.micros == std::numeric_limits<int64_t>::max()) return "infinity";
  if (value.micros == -std::numeric_limits<int64_t>::max()) return "-infinity";
  int64_t days = value.micros / kMicrosPerDay;
  int64_t rest = value.micros % kMicrosPerDay;
  if (rest < 0) {
    rest += kMicrosPerDay;
    --days;
  }
  return Text(Date{static_cast<int32_t>(days)}) + " " + Text(Time{rest}) +
         (value.with_zone ? "+00" : "");
}

// A positive part after a negative one shows its sign.
std::string Text(const Interval& value) {
  std::string text;
  bool after_negative = false;
  const auto part = [&](int64_t amount, const char* unit) {
    if (amount == 0) return;
    if (!text.empty()) text += ' ';
    if (after_negative && amount > 0) text += '+';
    text += std::to_string(amount) + " " + unit + (amount == 1 ? "" : "s");
    after_negative = amount < 0;
  };
  part(value.months / 12, "year");
  part(value.months % 12, "mon");
  part(value.days, "day");
  if (value.micros != 0 || text.empty()) {
    if (!text.empty()) text += ' ';
    if (value.micros < 0) {
      text += '-';
    } else if (after_negative) {
      text += '+';
    }
    text += Text(Time{value.micros < 0 ? -value.micros : value.micros});
  }
  return text;
}

}  // namespace

std::string RealText(double value) { return ShortestText(static_cast<float>(value), 6); }

std::string ToText(const Value& value) {
  return std::visit([](const auto& held) { return Text(held); }, value);
}

}  // namespace tacit::engine
