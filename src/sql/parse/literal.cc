#include "sql/parse/literal.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <vector>

#include "base/mutant.h"
#include "base/numbers/int128.h"
#include "base/time/time_zone.h"
#include "sql/constants/calendar.h"
#include "sql/constants/zone.h"

namespace tacit::sql {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Takes between `least` and `most` digits from the front.
std::optional<int> TakeNumber(std::string_view& text, size_t least, size_t most) {
  size_t count = 0;
  while (count < text.size() && count < most && IsDigit(text[count])) ++count;
  if (count < least) return std::nullopt;
  int value = 0;
  std::from_chars(text.data(), text.data() + count, value);
  text.remove_prefix(count);
  return value;
}

bool Take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

int DaysInMonth(int year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<size_t>(month - 1)];
}

std::optional<std::string> TakeDate(std::string_view& text) {
  const std::optional<int> year = TakeNumber(text, 4, 4);
  if (!year || *year < 1 || !Take(text, '-')) return std::nullopt;
  const std::optional<int> month = TakeNumber(text, 1, 2);
  if (!month || *month < 1 || *month > 12 || !Take(text, '-')) return std::nullopt;
  const std::optional<int> day = TakeNumber(text, 1, 2);
  if (!day || *day < 1 || *day > DaysInMonth(*year, *month)) return std::nullopt;
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%04d-%02d-%02d", *year, *month, *day);
  return std::string(buffer.data());
}

// The digits after a decimal point as microseconds; at most six digits, as PostgreSQL stores.
std::optional<int> TakeMicroseconds(std::string_view& text) {
  const size_t before = text.size();
  std::optional<int> digits = TakeNumber(text, 1, 6);
  if (!digits) return std::nullopt;
  for (size_t taken = before - text.size(); taken < 6; ++taken) *digits *= 10;
  return digits;
}

// hours:minutes[:seconds[.fraction]]; hours up to `hours_max`.
std::optional<int64_t> TakeClock(std::string_view& text, int hours_max) {
  const std::optional<int> hours = TakeNumber(text, 1, 9);
  if (!hours || *hours > hours_max || !Take(text, ':')) return std::nullopt;
  const std::optional<int> minutes = TakeNumber(text, 2, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  int64_t seconds = 0;
  int64_t microseconds = 0;
  if (Take(text, ':')) {
    const std::optional<int> taken = TakeNumber(text, 2, 2);
    if (!taken || *taken > 59) return std::nullopt;
    seconds = *taken;
    if (Take(text, '.')) {
      const std::optional<int> fraction = TakeMicroseconds(text);
      if (!fraction) return std::nullopt;
      microseconds = *fraction;
    }
  }
  return ((int64_t{*hours} * 60 + *minutes) * 60 + seconds) * 1'000'000 + microseconds;
}

std::string ClockText(int64_t microseconds) {
  const int64_t fraction = microseconds % 1'000'000;
  const int64_t seconds = microseconds / 1'000'000;
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%02lld:%02lld:%02lld",
                static_cast<long long>(seconds / 3600), static_cast<long long>(seconds / 60 % 60),
                static_cast<long long>(seconds % 60));
  std::string text = buffer.data();
  if (fraction != 0) {
    std::snprintf(buffer.data(), buffer.size(), ".%06lld", static_cast<long long>(fraction));
    text += buffer.data();
    while (text.back() == '0') text.pop_back();
  }
  return text;
}

// Z, UTC, +02, -0330, +02:00 as microseconds.
std::optional<int64_t> TakeOffset(std::string_view& text) {
  if (text == "Z" || text == "z" || text == "UTC" || text == "GMT") {
    text = {};
    return 0;
  }
  const bool minus = text.front() == '-';
  if (!Take(text, '-') && !Take(text, '+')) return std::nullopt;
  const std::optional<int> hours = TakeNumber(text, 1, 2);
  if (!hours || *hours > 15) return std::nullopt;
  int minutes = 0;
  if (!text.empty()) {
    Take(text, ':');
    const std::optional<int> taken = TakeNumber(text, 2, 2);
    if (!taken || *taken > 59) return std::nullopt;
    minutes = *taken;
  }
  if (!text.empty()) return std::nullopt;
  const int64_t offset = (*hours * 60 + minutes) * 60 * int64_t{1'000'000};
  return minus ? -offset : offset;
}

struct WrittenInstant {
  std::string date;
  int64_t clock = 0;                   // microseconds since midnight
  std::optional<int64_t> offset = {};  // as it is written, in microseconds
};

std::optional<WrittenInstant> ReadInstant(std::string_view text) {
  text = Trim(text);
  const std::optional<std::string> date = TakeDate(text);
  if (!date) return std::nullopt;
  WrittenInstant written{.date = *date};
  if (text.empty()) return written;
  if (!Take(text, ' ') && !Take(text, 'T') && !Take(text, 't')) return std::nullopt;
  const std::optional<int64_t> clock = TakeClock(text, 23);
  if (!clock) return std::nullopt;
  written.clock = *clock;
  text = Trim(text);
  if (text.empty()) return written;
  written.offset = TakeOffset(text);
  return written.offset ? std::optional(written) : std::nullopt;
}

struct Unit {
  std::string_view name;
  int64_t months;
  int64_t days;
  int64_t microseconds;
};
constexpr int64_t kSecond = 1'000'000;
constexpr std::array<Unit, 11> kUnits = {{{"year", 12, 0, 0},
                                          {"month", 1, 0, 0},
                                          {"week", 0, 7, 0},
                                          {"day", 0, 1, 0},
                                          {"hour", 0, 0, 3600 * kSecond},
                                          {"minute", 0, 0, 60 * kSecond},
                                          {"second", 0, 0, kSecond},
                                          {"millisecond", 0, 0, 1000},
                                          {"quarter", 3, 0, 0},
                                          {"decade", 120, 0, 0},
                                          {"century", 1200, 0, 0}}};

// Of a word as people and Grafana write it: days, Day, d.
const Unit* FindUnit(std::string_view word) {
  const std::string name = UnitName(word);
  for (const Unit& unit : kUnits) {
    if (name == unit.name) return &unit;
  }
  return nullptr;
}

// Millionths of a unit, spread as PostgreSQL spreads them: of a year over months, of a month of 30
// days and of a week over days, of a day over its hours.
void AddFraction(const Unit& unit, int sign, int millionths, Int128& months, Int128& days,
                 Int128& microseconds) {
  if (unit.months > 1) {
    months += sign * ((Int128{millionths} * unit.months + kSecond / 2) / kSecond);
    return;
  }
  const Int128 of_days =
      Int128{millionths} * (unit.months == 1 ? 30 : unit.days) * kDayMicroseconds / kSecond;
  days += sign * (of_days / kDayMicroseconds);
  microseconds += sign * (of_days % kDayMicroseconds) +
                  sign * (Int128{millionths} * unit.microseconds / kSecond);
}

// Why 200,000 years, of all parts together: the engine's dates end 280,000 years after the calendar
// that takes part in arithmetic, and it raises beyond.
constexpr int64_t kMonthsMax = 200'000 * 12;
constexpr int64_t kDaysMax = kMonthsMax * 31;
constexpr int64_t kMicrosecondsMax = kDaysMax * 24 * 3600 * kSecond / 100;

bool IsTooLong(Int128 months, Int128 days, Int128 microseconds) {
  if (Magnitude(months) > kMonthsMax || Magnitude(days) > kDaysMax ||
      Magnitude(microseconds) > kMicrosecondsMax) {
    return true;
  }
  if (TACIT_MUTANT("interval_sum_unlimited")) return false;
  return Magnitude(months) * 31 + Magnitude(days) +
             Magnitude(microseconds) / (24 * 3600 * kSecond) >
         kDaysMax;
}

}  // namespace

std::optional<std::string> CanonicalDate(std::string_view text) {
  const std::optional<WrittenInstant> written = ReadInstant(text);
  return written ? std::optional(written->date) : std::nullopt;
}

std::optional<std::string> CanonicalTimestamp(std::string_view text) {
  const std::optional<WrittenInstant> written = ReadInstant(text);
  if (!written) return std::nullopt;
  return written->date + " " + ClockText(written->clock);
}

std::optional<std::string> CanonicalTimestampTz(std::string_view text, const TimeZone* zone) {
  const std::optional<WrittenInstant> written = ReadInstant(text);
  if (!written) return std::nullopt;
  const Literal local{LiteralKind::kTimestamp, written->date + " " + ClockText(written->clock), {}};
  const int64_t shown = *InstantOf(local);
  const int64_t instant = written->offset   ? shown - *written->offset
                          : zone != nullptr ? InstantAt(*zone, shown)
                                            : shown;
  const std::optional<Literal> utc = InstantLiteral(LiteralKind::kTimestampTz, instant);
  return utc ? std::optional(utc->text) : std::nullopt;
}

bool SaysItsOffset(std::string_view timestamp) {
  const std::optional<WrittenInstant> written = ReadInstant(timestamp);
  return written && written->offset;
}

std::optional<Interval> MakeInterval(Int128 months, Int128 days, Int128 microseconds) {
  if (IsTooLong(months, days, microseconds)) return std::nullopt;
  return Interval{.months = static_cast<int32_t>(months),
                  .days = static_cast<int32_t>(days),
                  .microseconds = static_cast<int64_t>(microseconds)};
}

int64_t TimesMax(const Interval& interval) {
  // Why 2,000,000,000: the engine multiplies days and months by numbers of four bytes.
  constexpr int64_t kMost = 2'000'000'000;
  constexpr auto kDay = static_cast<UInt128>(kDayMicroseconds);
  const UInt128 length = Magnitude(interval.months) * 31 * kDay + Magnitude(interval.days) * kDay +
                         Magnitude(interval.microseconds);
  if (length == 0) return kMost;
  const UInt128 most = static_cast<UInt128>(kDaysMax) * kDay / length;
  return most < static_cast<UInt128>(kMost) ? static_cast<int64_t>(most) : kMost;
}

std::optional<Interval> ParseInterval(std::string_view text) {
  Int128 months = 0;
  Int128 days = 0;
  Int128 microseconds = 0;
  bool any = false;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    if (any && text == "ago") return MakeInterval(-months, -days, -microseconds);
    any = true;
    const int sign = Take(text, '-') ? -1 : 1;
    if (sign == 1) Take(text, '+');
    text = Trim(text);
    if (std::string_view clock_text = text; clock_text.find(':') < 10) {
      if (const std::optional<int64_t> clock = TakeClock(clock_text, 999'999'999)) {
        microseconds += sign * *clock;
        text = clock_text;
        continue;
      }
    }
    const std::optional<int> count = TakeNumber(text, 1, 9);
    if (!count) return std::nullopt;
    std::optional<int> fraction;
    if (Take(text, '.')) {
      fraction = TakeMicroseconds(text);
      if (!fraction) return std::nullopt;
    }
    text = Trim(text);
    size_t letters = 0;
    while (letters < text.size() && !IsSpace(text[letters]) && !IsDigit(text[letters]) &&
           text[letters] != '-' && text[letters] != '+') {
      ++letters;
    }
    const Unit* unit = FindUnit(text.substr(0, letters));
    if (unit == nullptr) return std::nullopt;
    text.remove_prefix(letters);
    months += Int128{sign} * *count * unit->months;
    days += Int128{sign} * *count * unit->days;
    microseconds += Int128{sign} * *count * unit->microseconds;
    AddFraction(*unit, sign, fraction.value_or(0), months, days, microseconds);
    if (IsTooLong(months, days, microseconds)) return std::nullopt;
  }
  return any ? MakeInterval(months, days, microseconds) : std::nullopt;
}

std::string ToString(const Interval& interval) {
  std::string text;
  const auto add = [&text](int64_t count, const char* unit) {
    if (count == 0) return;
    if (!text.empty()) text += ' ';
    text += std::to_string(count) + " " + unit + (count == 1 ? "" : "s");
  };
  add(interval.months / 12, "year");
  add(interval.months % 12, "mon");
  add(interval.days, "day");
  if (interval.microseconds != 0 || text.empty()) {
    if (!text.empty()) text += ' ';
    const int64_t clock = interval.microseconds;
    text += clock < 0 ? "-" + ClockText(-clock) : ClockText(clock);
  }
  return text;
}

}  // namespace tacit::sql
