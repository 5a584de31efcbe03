#include <chrono>
#include <limits>

#include "engine/value.h"
#include "wire/pg/types/parts.h"

// Dates and times count from 2000-01-01 on the wire; engine::Value counts from 1970 and knows how
// they are printed.

namespace tacit::wire::pg {
namespace {

constexpr int64_t kDaysTo2000 = 10957;
constexpr int64_t kMicrosPerDay = int64_t{86'400} * 1'000'000;
constexpr int64_t kMicrosTo2000 = kDaysTo2000 * kMicrosPerDay;
constexpr int64_t kYearMost = 290'000;  // what 64 bits of microseconds hold

// Takes digits off the front.
std::optional<int64_t> TakeNumber(std::string_view& text, size_t digits_max = 9) {
  size_t count = 0;
  while (count < text.size() && count < digits_max && text[count] >= '0' && text[count] <= '9') {
    ++count;
  }
  const auto value = ParseInteger(text.substr(0, count), 0, INT32_MAX);
  if (count == 0 || !value) return std::nullopt;
  text.remove_prefix(count);
  return value;
}

bool TakeChar(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// Days since 1970 of YYYY-MM-DD at the front.
std::optional<int64_t> TakeDate(std::string_view& text) {
  const auto year = TakeNumber(text, 6);
  if (!year || !TakeChar(text, '-')) return std::nullopt;
  const auto month = TakeNumber(text, 2);
  if (!month || !TakeChar(text, '-')) return std::nullopt;
  const auto day = TakeNumber(text, 2);
  if (!day || *year > kYearMost) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(*year % 32'000)},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok() || *year >= 32'000 || *year == 0) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch().count();
}

// Microseconds of HH:MM:SS[.ffffff] at the front; hours may have more digits in an interval.
std::optional<int64_t> TakeTime(std::string_view& text) {
  const auto hours = TakeNumber(text);
  if (!hours || !TakeChar(text, ':')) return std::nullopt;
  const auto minutes = TakeNumber(text, 2);
  if (!minutes || *minutes > 59 || !TakeChar(text, ':')) return std::nullopt;
  const auto seconds = TakeNumber(text, 2);
  if (!seconds || *seconds > 60) return std::nullopt;
  int64_t micros = ((*hours * 60 + *minutes) * 60 + *seconds) * 1'000'000;
  if (TakeChar(text, '.')) {
    int64_t unit = 100'000;
    bool any = false;
    while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
      micros += (text[0] - '0') * unit;
      unit /= 10;
      text.remove_prefix(1);
      any = true;
    }
    if (!any) return std::nullopt;
  }
  return micros;
}

// "+02", "-05:30", "Z", or nothing.
std::optional<int64_t> TakeZone(std::string_view& text) {
  if (text.empty() || TakeChar(text, 'Z')) return 0;
  const int64_t sign = text[0] == '-' ? -1 : 1;
  if (!TakeChar(text, '+') && !TakeChar(text, '-')) return std::nullopt;
  const auto hours = TakeNumber(text, 2);
  if (!hours || *hours > 15) return std::nullopt;
  int64_t minutes = *hours * 60;
  if (TakeChar(text, ':')) {
    const auto more = TakeNumber(text, 2);
    if (!more || *more > 59) return std::nullopt;
    minutes += *more;
  }
  return sign * minutes * 60'000'000;
}

}  // namespace

std::optional<std::string> DateBinary(const engine::Date& value) {
  if (value.days == INT32_MAX) return BytesOf(INT32_MAX, 4);
  if (value.days == -INT32_MAX) return BytesOf(INT32_MIN, 4);
  const int64_t days = value.days - kDaysTo2000;
  // The least number is -infinity.
  return days > INT32_MIN ? std::optional(BytesOf(days, 4)) : std::nullopt;
}

std::optional<std::string> DateBinary(std::string_view text) {
  if (text == "infinity") return BytesOf(INT32_MAX, 4);
  if (text == "-infinity") return BytesOf(INT32_MIN, 4);
  const auto days = TakeDate(text);
  if (!days || !text.empty()) return std::nullopt;
  return BytesOf(*days - kDaysTo2000, 4);
}

std::optional<std::string> DateText(std::string_view binary) {
  const auto days = IntegerOf(binary, 4);
  if (!days) return std::nullopt;
  if (*days == INT32_MAX) return "infinity";
  if (*days == INT32_MIN) return "-infinity";
  // Why 10 million: beyond any year that a query can name.
  if (*days > 10'000'000 || *days < -1'000'000) return std::nullopt;
  return engine::ToText(engine::Date{static_cast<int32_t>(*days + kDaysTo2000)});
}

std::optional<std::string> TimeBinary(const engine::Time& value) {
  if (value.micros < 0 || value.micros > kMicrosPerDay) return std::nullopt;
  return BytesOf(value.micros, 8);
}

std::optional<std::string> TimeBinary(std::string_view text) {
  const auto micros = TakeTime(text);
  if (!micros || !text.empty() || *micros > kMicrosPerDay) return std::nullopt;
  return BytesOf(*micros, 8);
}

std::optional<std::string> TimeText(std::string_view binary) {
  const auto micros = IntegerOf(binary, 8);
  if (!micros || *micros < 0 || *micros > kMicrosPerDay) return std::nullopt;
  return engine::ToText(engine::Time{*micros});
}

std::optional<std::string> TimestampBinary(const engine::Timestamp& value) {
  if (value.micros == INT64_MAX) return BytesOf(INT64_MAX, 8);
  if (value.micros == -INT64_MAX) return BytesOf(INT64_MIN, 8);
  if (value.micros <= INT64_MIN + kMicrosTo2000) return std::nullopt;
  return BytesOf(value.micros - kMicrosTo2000, 8);
}

std::optional<std::string> TimestampBinary(std::string_view text) {
  if (text == "infinity") return BytesOf(INT64_MAX, 8);
  if (text == "-infinity") return BytesOf(INT64_MIN, 8);
  const auto days = TakeDate(text);
  if (!days) return std::nullopt;
  int64_t micros = 0;
  if (TakeChar(text, ' ') || TakeChar(text, 'T')) {
    const auto time = TakeTime(text);
    if (!time || *time > kMicrosPerDay) return std::nullopt;
    micros = *time;
  }
  const auto zone = TakeZone(text);
  if (!zone || !text.empty()) return std::nullopt;
  return BytesOf((*days - kDaysTo2000) * kMicrosPerDay + micros - *zone, 8);
}

std::optional<std::string> TimestampText(std::string_view binary, bool with_zone) {
  const auto micros = IntegerOf(binary, 8);
  if (!micros) return std::nullopt;
  if (*micros == INT64_MAX) return "infinity";
  if (*micros == INT64_MIN) return "-infinity";
  if (*micros > INT64_MAX - kMicrosTo2000) return std::nullopt;
  return engine::ToText(engine::Timestamp{*micros + kMicrosTo2000, with_zone});
}

std::string IntervalBinary(const engine::Interval& value) {
  return BytesOf(value.micros, 8) + BytesOf(value.days, 4) + BytesOf(value.months, 4);
}

// "1 year 2 mons -3 days 04:05:06.5", as it is printed.
std::optional<std::string> IntervalBinary(std::string_view text) {
  int64_t months = 0, days = 0, micros = 0;
  bool any = false;
  while (!text.empty()) {
    if (TakeChar(text, ' ')) continue;
    any = true;
    const bool negative = TakeChar(text, '-');
    if (!negative) (void)TakeChar(text, '+');
    const int64_t sign = negative ? -1 : 1;
    std::string_view ahead = text;
    if (TakeNumber(ahead) && ahead.starts_with(':')) {
      const auto time = TakeTime(text);
      if (!time) return std::nullopt;
      micros += sign * *time;
      continue;
    }
    const auto amount = TakeNumber(text);
    if (!amount || !TakeChar(text, ' ')) return std::nullopt;
    const std::string_view unit = text.substr(0, text.find(' '));
    text.remove_prefix(unit.size());
    if (unit.starts_with("year")) {
      months += sign * 12 * *amount;
    } else if (unit.starts_with("mon")) {
      months += sign * *amount;
    } else if (unit.starts_with("day")) {
      days += sign * *amount;
    } else {
      return std::nullopt;
    }
  }
  if (!any || months > INT32_MAX || months < INT32_MIN) return std::nullopt;
  return BytesOf(micros, 8) + BytesOf(days, 4) + BytesOf(months, 4);
}

std::optional<std::string> IntervalText(std::string_view binary) {
  if (binary.size() != 16) return std::nullopt;
  const int64_t micros = *IntegerOf(binary.substr(0, 8), 8);
  if (micros == INT64_MIN) return std::nullopt;
  return engine::ToText(
      engine::Interval{.months = static_cast<int32_t>(*IntegerOf(binary.substr(12, 4), 4)),
                       .days = static_cast<int32_t>(*IntegerOf(binary.substr(8, 4), 4)),
                       .micros = micros});
}

}  // namespace tacit::wire::pg
