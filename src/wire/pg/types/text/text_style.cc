#include "wire/pg/types/text/text_style.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/ascii.h"

namespace tacit::wire::pg {
namespace {

constexpr int64_t kMicrosInSecond = 1'000'000;
constexpr int64_t kSecondsPerDay = 86'400;

template <class... Parts>
std::string Printed(const char* format, Parts... parts) {
  char buffer[96];
  std::snprintf(buffer, sizeof buffer, format, parts...);
  return buffer;
}

struct Calendar {
  int year = 0;  // of its era
  unsigned month = 0, day = 0, weekday = 0;
  const char* era = "";
};
Calendar CalendarOf(int64_t days) {
  const std::chrono::sys_days at{std::chrono::days{days}};
  const std::chrono::year_month_day date{at};
  const int year = static_cast<int>(date.year());
  return {.year = year > 0 ? year : 1 - year,
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day()),
          .weekday = std::chrono::weekday(at).c_encoding(),
          .era = year > 0 ? "" : " BC"};
}

std::string DigitsOf(const Calendar& date, const DateStyle& style) {
  const bool day_first = style.order == DateOrder::kDayFirst;
  const unsigned first = day_first ? date.day : date.month;
  const unsigned second = day_first ? date.month : date.day;
  switch (style.form) {
    case DateForm::kSql:
      return Printed("%02u/%02u/%04d", first, second, date.year);
    case DateForm::kPostgres:
      return Printed("%02u-%02u-%04d", first, second, date.year);
    case DateForm::kGerman:
      return Printed("%02u.%02u.%04d", date.day, date.month, date.year);
    case DateForm::kIso:
      break;
  }
  return Printed("%04d-%02u-%02u", date.year, date.month, date.day);
}

// +02, -03:30, +00:53:28
std::string OffsetDigits(int32_t seconds) {
  const int32_t size = seconds < 0 ? -seconds : seconds;
  std::string text = Printed("%c%02d", seconds < 0 ? '-' : '+', size / 3600);
  if (size % 3600 != 0) text += Printed(":%02d", size / 60 % 60);
  if (size % 60 != 0) text += Printed(":%02d", size % 60);
  return text;
}

// Wed Dec 17 07:37:16 1997
std::string InWords(const Calendar& date, const std::string& time, DateOrder order) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::string day = Printed("%02u", date.day);
  const std::string month = kMonths[date.month - 1];
  return std::string(kDays[date.weekday]) + " " +
         (order == DateOrder::kDayFirst ? day + " " + month : month + " " + day) + " " + time +
         Printed(" %04d", date.year);
}

std::string FloatTextOf(Oid type, double value, const TextStyle& style) {
  const bool is_real = type == oid::kFloat4;
  if (style.float_digits > 0 || !std::isfinite(value)) {
    return is_real ? engine::RealText(value) : engine::ToText(value);
  }
  return Printed("%.*g", std::max(1, (is_real ? 6 : 15) + style.float_digits), value);
}

}  // namespace

std::optional<int> ExtraFloatDigits(std::string_view text) {
  int digits = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), digits);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return digits >= -15 && digits <= 3 ? std::optional(digits) : std::nullopt;
}

std::optional<DateStyle> ParseDateStyle(std::string_view text, const DateStyle& now) {
  DateStyle style = now;
  bool form_named = false, order_named = false;
  const auto name_form = [&](DateForm form) {
    const bool clashes = form_named && style.form != form;
    style.form = form;
    form_named = true;
    return !clashes;
  };
  const auto name_order = [&](DateOrder order) {
    const bool clashes = order_named && style.order != order;
    style.order = order;
    order_named = true;
    return !clashes;
  };
  std::string words = InSmallLetters(text);
  for (char& c : words) c = c == ',' ? ' ' : c;
  size_t at = 0;
  while ((at = words.find_first_not_of(" \t", at)) != std::string::npos) {
    const size_t end = std::min(words.find_first_of(" \t", at), words.size());
    const std::string word = words.substr(at, end - at);
    at = end;
    bool agrees = false;
    if (word == "iso") agrees = name_form(DateForm::kIso);
    if (word == "sql") agrees = name_form(DateForm::kSql);
    if (word.starts_with("postgres")) agrees = name_form(DateForm::kPostgres);
    if (word == "german") {
      agrees = name_form(DateForm::kGerman);
      if (!order_named) style.order = DateOrder::kDayFirst;
    }
    if (word == "mdy" || word == "us" || word.starts_with("noneuro")) {
      agrees = name_order(DateOrder::kMonthFirst);
    }
    if (word == "dmy" || word.starts_with("euro")) agrees = name_order(DateOrder::kDayFirst);
    if (word == "ymd") agrees = name_order(DateOrder::kYearFirst);
    if (word == "default") {
      style = DateStyle{};
      agrees = true;
    }
    if (!agrees) return std::nullopt;
  }
  return style;
}

std::string NameOf(const DateStyle& style) {
  static constexpr const char* kForms[] = {"ISO", "SQL", "Postgres", "German"};
  static constexpr const char* kOrders[] = {"MDY", "DMY", "YMD"};
  return std::string(kForms[static_cast<size_t>(style.form)]) + ", " +
         kOrders[static_cast<size_t>(style.order)];
}

std::string DateTextOf(const engine::Date& value, const DateStyle& style) {
  if (value.days == std::numeric_limits<int32_t>::max() ||
      value.days == -std::numeric_limits<int32_t>::max()) {
    return engine::ToText(value);
  }
  const Calendar date = CalendarOf(value.days);
  return DigitsOf(date, style) + date.era;
}

std::string TimestampTextOf(const engine::Timestamp& value, const TextStyle& style) {
  constexpr int64_t kEndless = std::numeric_limits<int64_t>::max();
  if (value.micros == kEndless || value.micros == -kEndless) return engine::ToText(value);
  int64_t seconds = value.micros / kMicrosInSecond;
  int64_t fraction = value.micros % kMicrosInSecond;
  if (fraction < 0) {
    fraction += kMicrosInSecond;
    --seconds;
  }
  LocalOffset offset;
  if (value.with_zone) offset = style.zone->At(seconds);
  seconds += offset.seconds;
  int64_t days = seconds / kSecondsPerDay;
  int64_t rest = seconds % kSecondsPerDay;
  if (rest < 0) {
    rest += kSecondsPerDay;
    --days;
  }
  const Calendar date = CalendarOf(days);
  const std::string time = engine::ToText(engine::Time{rest * kMicrosInSecond + fraction});
  std::string text = style.date.form == DateForm::kPostgres
                         ? InWords(date, time, style.date.order)
                         : DigitsOf(date, style.date) + " " + time;
  if (value.with_zone) {
    text += style.date.form == DateForm::kIso ? OffsetDigits(offset.seconds)
                                              : " " + offset.abbreviation;
  }
  return text + date.era;
}

std::string TextOfValue(Oid type, const engine::Value& value, const TextStyle& style) {
  if (const auto* date = std::get_if<engine::Date>(&value)) return DateTextOf(*date, style.date);
  if (const auto* instant = std::get_if<engine::Timestamp>(&value)) {
    return TimestampTextOf(*instant, style);
  }
  if (const auto* interval = std::get_if<engine::Interval>(&value)) {
    return IntervalTextOf(*interval, style.interval);
  }
  if (const auto* number = std::get_if<double>(&value)) return FloatTextOf(type, *number, style);
  return engine::ToText(value);
}

}  // namespace tacit::wire::pg
