#include "sql/constants/calendar.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "sql/parse/literal.h"

namespace tacit::sql {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr int64_t kSecond = 1'000'000;

bool InCalendar(int64_t instant) {
  constexpr int64_t kFirst =
      sys_days(std::chrono::January / 1 / 1).time_since_epoch().count() * kDayMicroseconds;
  constexpr int64_t kEnd =
      sys_days(std::chrono::January / 1 / 10000).time_since_epoch().count() * kDayMicroseconds;
  return instant >= kFirst && instant < kEnd;
}

std::optional<int64_t> Checked(int64_t instant) {
  return InCalendar(instant) ? std::optional(instant) : std::nullopt;
}

int64_t DayOf(int64_t instant) {
  return instant >= 0 ? instant / kDayMicroseconds
                      : -((-instant + kDayMicroseconds - 1) / kDayMicroseconds);
}

year_month_day DateOf(int64_t instant) { return sys_days(days(DayOf(instant))); }

int64_t StartOf(const year_month_day& date) {
  return sys_days(date).time_since_epoch().count() * kDayMicroseconds;
}

int NumberAt(std::string_view text, size_t at, size_t count) {
  int number = 0;
  std::from_chars(text.data() + at, text.data() + at + count, number);
  return number;
}

}  // namespace

std::optional<int64_t> InstantOf(const Literal& literal) {
  const bool date = literal.kind == LiteralKind::kDate;
  if (!date && literal.kind != LiteralKind::kTimestamp &&
      literal.kind != LiteralKind::kTimestampTz) {
    return std::nullopt;
  }
  // Canonical: 2020-01-31[ 23:59:59[.ffffff]]
  const std::string_view text = literal.text;
  const year_month_day day{std::chrono::year(NumberAt(text, 0, 4)),
                           std::chrono::month(static_cast<unsigned>(NumberAt(text, 5, 2))),
                           std::chrono::day(static_cast<unsigned>(NumberAt(text, 8, 2)))};
  int64_t instant = StartOf(day);
  if (date) return instant;
  instant +=
      (NumberAt(text, 11, 2) * 3600 + NumberAt(text, 14, 2) * 60 + NumberAt(text, 17, 2)) * kSecond;
  if (text.size() > 20) {
    std::string fraction(text.substr(20));
    fraction.resize(6, '0');
    instant += NumberAt(fraction, 0, 6);
  }
  return instant;
}

std::optional<Literal> InstantLiteral(LiteralKind kind, int64_t microseconds) {
  if (!InCalendar(microseconds)) return std::nullopt;
  const year_month_day day = DateOf(microseconds);
  const auto padded = [](int64_t number, size_t width) {
    std::string digits = std::to_string(number);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
  };
  std::string text = padded(static_cast<int>(day.year()), 4) + "-" +
                     padded(static_cast<unsigned>(day.month()), 2) + "-" +
                     padded(static_cast<unsigned>(day.day()), 2);
  if (kind != LiteralKind::kDate) {
    const int64_t clock = microseconds - DayOf(microseconds) * kDayMicroseconds;
    const int64_t seconds = clock / kSecond;
    text += " " + padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" +
            padded(seconds % 60, 2);
    if (clock % kSecond != 0) {
      text += "." + padded(clock % kSecond, 6);
      while (text.back() == '0') text.pop_back();
    }
  }
  return Literal{.kind = kind, .text = std::move(text), .interval = {}};
}

std::optional<int64_t> AddInterval(int64_t instant, const Interval& interval) {
  if (!InCalendar(instant)) return std::nullopt;
  const int64_t clock = instant - DayOf(instant) * kDayMicroseconds;
  year_month_day date = DateOf(instant);
  if (interval.months != 0) {
    const int64_t months = static_cast<int>(date.year()) * 12LL +
                           static_cast<unsigned>(date.month()) - 1 + interval.months;
    if (months < 12 || months >= 10000 * 12) return std::nullopt;
    const std::chrono::year_month month{std::chrono::year(static_cast<int>(months / 12)),
                                        std::chrono::month(static_cast<unsigned>(months % 12 + 1))};
    const year_month_day last{month / std::chrono::last};
    date = year_month_day{month.year(), month.month(), std::min(date.day(), last.day())};
  }
  // An interval's days and microseconds are within 2^31 and 2^62: the sum fits 128 bits.
  const __int128 sum = static_cast<__int128>(StartOf(date)) + clock +
                       static_cast<__int128>(interval.days) * kDayMicroseconds +
                       interval.microseconds;
  if (sum < -(__int128{1} << 62) || sum > (__int128{1} << 62)) return std::nullopt;
  return Checked(static_cast<int64_t>(sum));
}

std::optional<int64_t> Truncated(std::string_view unit, int64_t instant) {
  if (!InCalendar(instant)) return std::nullopt;
  constexpr std::pair<std::string_view, int64_t> kClock[] = {
      {"microsecond", 1},       {"millisecond", 1000},    {"second", kSecond},
      {"minute", 60 * kSecond}, {"hour", 3600 * kSecond}, {"day", kDayMicroseconds}};
  const int64_t day_start = DayOf(instant) * kDayMicroseconds;
  for (const auto& [name, length] : kClock) {
    if (unit == name) return instant - (instant - day_start) % length;
  }
  const year_month_day date = DateOf(instant);
  const auto start = [](int year, unsigned month) {
    return Checked(StartOf(
        year_month_day{std::chrono::year(year), std::chrono::month(month), std::chrono::day(1)}));
  };
  const int year = static_cast<int>(date.year());
  const auto month = static_cast<unsigned>(date.month());
  if (unit == "week") {
    const unsigned weekday = std::chrono::weekday(sys_days(date)).iso_encoding();
    return Checked(day_start - static_cast<int64_t>(weekday - 1) * kDayMicroseconds);
  }
  if (unit == "month") return start(year, month);
  if (unit == "quarter") return start(year, (month - 1) / 3 * 3 + 1);
  if (unit == "year") return start(year, 1);
  if (unit == "decade" && year >= 10) return start(year / 10 * 10, 1);
  return std::nullopt;
}

std::optional<int64_t> FieldOf(std::string_view field, int64_t instant) {
  if (!InCalendar(instant)) return std::nullopt;
  const sys_days day{days(DayOf(instant))};
  const year_month_day date{day};
  const int64_t clock = instant - DayOf(instant) * kDayMicroseconds;
  const auto month = static_cast<unsigned>(date.month());
  const std::chrono::weekday weekday{day};
  const auto day_of_year = [](const sys_days& one) {
    const year_month_day first{year_month_day{one}.year(), std::chrono::January,
                               std::chrono::day(1)};
    return int64_t{(one - sys_days(first)).count()} + 1;
  };
  if (field == "year") return static_cast<int>(date.year());
  if (field == "quarter") return (month - 1) / 3 + 1;
  if (field == "month") return month;
  if (field == "day") return static_cast<unsigned>(date.day());
  if (field == "dow") return weekday.c_encoding();
  if (field == "isodow") return weekday.iso_encoding();
  if (field == "doy") return day_of_year(day);
  // A week belongs to the year of its Thursday.
  const sys_days thursday = day + days(4 - static_cast<int>(weekday.iso_encoding()));
  if (field == "week") return (day_of_year(thursday) - 1) / 7 + 1;
  if (field == "isoyear") return static_cast<int>(year_month_day{thursday}.year());
  if (field == "hour") return clock / (3600 * kSecond);
  if (field == "minute") return clock / (60 * kSecond) % 60;
  return std::nullopt;
}

std::string UnitName(std::string_view word) {
  std::string name(word);
  for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
      {"years", "year"},
      {"yr", "year"},
      {"yrs", "year"},
      {"y", "year"},
      {"quarters", "quarter"},
      {"qtr", "quarter"},
      {"months", "month"},
      {"mon", "month"},
      {"mons", "month"},
      {"weeks", "week"},
      {"w", "week"},
      {"days", "day"},
      {"d", "day"},
      {"hours", "hour"},
      {"hr", "hour"},
      {"hrs", "hour"},
      {"h", "hour"},
      {"minutes", "minute"},
      {"min", "minute"},
      {"mins", "minute"},
      {"m", "minute"},
      {"seconds", "second"},
      {"sec", "second"},
      {"secs", "second"},
      {"s", "second"},
      {"milliseconds", "millisecond"},
      {"ms", "millisecond"},
      {"msec", "millisecond"},
      {"microseconds", "microsecond"},
      {"us", "microsecond"},
      {"decades", "decade"},
      {"cent", "century"},
      {"centuries", "century"}};
  for (const auto& [spelled, unit] : kSpellings) {
    if (name == spelled) return std::string(unit);
  }
  return name;
}

}  // namespace tacit::sql
