#include "base/time/zone_rule.h"

#include <chrono>

namespace tacit {
namespace {

using std::chrono::sys_days;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool TakeChar(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<int> TakeInt(std::string_view& text, int least, int most) {
  int number = 0;
  size_t digits = 0;
  for (; digits < text.size() && digits < 4 && IsDigit(text[digits]); ++digits) {
    number = number * 10 + (text[digits] - '0');
  }
  if (digits == 0 || number < least || number > most) return std::nullopt;
  text.remove_prefix(digits);
  return number;
}

int YearOf(int64_t shown) {
  const auto day =
      std::chrono::floor<std::chrono::days>(std::chrono::sys_seconds(std::chrono::seconds(shown)));
  return static_cast<int>(std::chrono::year_month_day(day).year());
}

}  // namespace

std::optional<int32_t> TakeOffset(std::string_view& text, int hours_max) {
  const bool west = TakeChar(text, '-');
  if (!west) (void)TakeChar(text, '+');
  const std::optional<int> hours = TakeInt(text, 0, hours_max);
  if (!hours) return std::nullopt;
  int32_t seconds = *hours * 3600;
  for (const int unit : {60, 1}) {
    if (!TakeChar(text, ':')) break;
    const std::optional<int> part = TakeInt(text, 0, 59);
    if (!part) return std::nullopt;
    seconds += *part * unit;
  }
  return west ? -seconds : seconds;
}

std::optional<std::string> TakeAbbreviation(std::string_view& text) {
  size_t end = 0;
  std::string name;
  if (text.starts_with('<')) {
    end = text.find('>');
    if (end == std::string_view::npos) return std::nullopt;
    name = text.substr(1, end - 1);
    ++end;
  } else {
    while (end < text.size() && IsLetter(text[end])) ++end;
    name = text.substr(0, end);
  }
  // Why 10: as long as PostgreSQL prints; POSIX asks for three at least.
  if (name.size() < 3 || name.size() > 10) return std::nullopt;
  text.remove_prefix(end);
  return name;
}

std::optional<ZoneRule::Day> ZoneRule::TakeDay(std::string_view& text) {
  Day day;
  std::optional<int> number;
  if (TakeChar(text, 'M')) {
    day.kind = Day::Kind::kMonthWeekDay;
    const std::optional<int> month = TakeInt(text, 1, 12);
    if (!month || !TakeChar(text, '.')) return std::nullopt;
    const std::optional<int> week = TakeInt(text, 1, 5);
    if (!week || !TakeChar(text, '.')) return std::nullopt;
    day.month = *month;
    day.week = *week;
    number = TakeInt(text, 0, 6);
  } else if (TakeChar(text, 'J')) {
    day.kind = Day::Kind::kWithoutLeapDay;
    number = TakeInt(text, 1, 365);
  } else {
    number = TakeInt(text, 0, 365);
  }
  if (!number) return std::nullopt;
  day.day = *number;
  if (TakeChar(text, '/')) {
    const std::optional<int32_t> seconds = TakeOffset(text, 167);
    if (!seconds) return std::nullopt;
    day.seconds = *seconds;
  }
  return day;
}

std::optional<ZoneRule> ZoneRule::Parse(std::string_view text) {
  ZoneRule rule;
  const std::optional<std::string> name = TakeAbbreviation(text);
  const std::optional<int32_t> west = name ? TakeOffset(text, 24) : std::nullopt;
  if (!west) return std::nullopt;
  rule.standard_ = {.seconds = -*west, .abbreviation = *name};
  if (text.empty()) return rule;
  const std::optional<std::string> summer = TakeAbbreviation(text);
  if (!summer) return std::nullopt;
  rule.summer_ = LocalOffset{.seconds = rule.standard_.seconds + 3600, .abbreviation = *summer};
  if (!text.starts_with(',')) {
    const std::optional<int32_t> summer_west = TakeOffset(text, 24);
    if (!summer_west) return std::nullopt;
    rule.summer_->seconds = -*summer_west;
  }
  if (!TakeChar(text, ',')) return std::nullopt;
  const std::optional<Day> begins = TakeDay(text);
  if (!begins || !TakeChar(text, ',')) return std::nullopt;
  const std::optional<Day> ends = TakeDay(text);
  if (!ends || !text.empty()) return std::nullopt;
  rule.begins_ = *begins;
  rule.ends_ = *ends;
  return rule;
}

int64_t ZoneRule::InYear(const Day& day, int year) {
  using namespace std::chrono;
  const std::chrono::year in{year};
  sys_days found = sys_days{in / January / 1};
  if (day.kind == Day::Kind::kFromZero) {
    found += days(day.day);
  } else if (day.kind == Day::Kind::kWithoutLeapDay) {
    found += days(day.day - 1 + (in.is_leap() && day.day > 59 ? 1 : 0));
  } else {
    const month of{static_cast<unsigned>(day.month)};
    const weekday named{static_cast<unsigned>(day.day)};
    found = day.week == 5 ? sys_days{in / of / named[last]}
                          : sys_days{in / of / named[static_cast<unsigned>(day.week)]};
  }
  return int64_t{found.time_since_epoch().count()} * 86'400 + day.seconds;
}

const LocalOffset& ZoneRule::At(int64_t utc) const {
  if (!summer_) return standard_;
  const int year = YearOf(utc + standard_.seconds);
  const int64_t begins = InYear(begins_, year) - standard_.seconds;
  const int64_t ends = InYear(ends_, year) - summer_->seconds;
  // South of the equator summer goes over the turn of the year.
  const bool is_summer =
      begins < ends ? begins <= utc && utc < ends : !(ends <= utc && utc < begins);
  return is_summer ? *summer_ : standard_;
}

}  // namespace tacit
