#include "policy/keys/calendar.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace tacit::policy {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 6> kWords = {"hour",  "day",     "week",
                                                    "month", "quarter", "year"};

int64_t DayOf(int64_t hour) { return hour >= 0 ? hour / 24 : (hour - 23) / 24; }

year_month_day DateOf(int64_t hour) { return year_month_day{sys_days{days{DayOf(hour)}}}; }

int64_t HourOf(const year_month_day& date) {
  return int64_t{sys_days{date}.time_since_epoch().count()} * 24;
}

// The first day of the cell of several months that the date lies in.
year_month_day FirstOf(const year_month_day& date, unsigned months) {
  const unsigned month = (static_cast<unsigned>(date.month()) - 1) / months * months + 1;
  return date.year() / std::chrono::month{month} / 1;
}

unsigned MonthsIn(CalendarStep step) {
  if (step == CalendarStep::kYear) return 12;
  return step == CalendarStep::kQuarter ? 3 : 1;
}

// Digits alone; nothing for anything else.
std::optional<int> Digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

int64_t MonthNumber(int64_t hour) {
  const year_month_day date = DateOf(hour);
  return int64_t{static_cast<int>(date.year())} * 12 + static_cast<unsigned>(date.month());
}

}  // namespace

std::string_view WordOf(CalendarStep step) { return kWords[static_cast<size_t>(step)]; }

std::optional<CalendarStep> CalendarStepOf(std::string_view word) {
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == word) return static_cast<CalendarStep>(i);
  }
  return std::nullopt;
}

bool Refines(CalendarStep fine, CalendarStep coarse) {
  if (fine == coarse) return true;
  return fine < coarse && fine != CalendarStep::kWeek;
}

int64_t CellBegin(CalendarStep step, int64_t hour) {
  if (step == CalendarStep::kHour) return hour;
  if (step == CalendarStep::kDay) return DayOf(hour) * 24;
  if (step == CalendarStep::kWeek) {
    const int64_t day = DayOf(hour);
    const std::chrono::weekday weekday{sys_days{days{day}}};
    return (day - (static_cast<int64_t>(weekday.iso_encoding()) - 1)) * 24;
  }
  return HourOf(FirstOf(DateOf(hour), MonthsIn(step)));
}

int64_t NextCell(CalendarStep step, int64_t hour) {
  const int64_t begin = CellBegin(step, hour);
  if (step == CalendarStep::kHour) return begin + 1;
  if (step == CalendarStep::kDay) return begin + 24;
  if (step == CalendarStep::kWeek) return begin + 7 * 24;
  return HourOf(DateOf(begin) + std::chrono::months{MonthsIn(step)});
}

std::string InstantText(int64_t hour) {
  const year_month_day date = DateOf(hour);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  std::string shown = text;
  const int64_t of_day = hour - DayOf(hour) * 24;
  if (of_day == 0) return shown;
  std::snprintf(text, sizeof text, " %02d:00:00", static_cast<int>(of_day));
  return shown + text;
}

std::optional<ReadInstant> InstantOf(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::optional<int> year = Digits(text.substr(0, 4));
  const std::optional<int> month = Digits(text.substr(5, 2));
  const std::optional<int> day = Digits(text.substr(8, 2));
  if (!year || !month || !day || *year < 1) return std::nullopt;
  const year_month_day date{std::chrono::year{*year},
                            std::chrono::month{static_cast<unsigned>(*month)},
                            std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  ReadInstant read{.hour = HourOf(date), .whole_day = true};
  std::string_view time = text.substr(10);
  if (time.empty()) return read;
  if (time[0] != ' ' && time[0] != 'T') return std::nullopt;
  time.remove_prefix(1);
  const bool whole_hour =
      time.size() == 5 ? time.substr(2) == ":00" : time.size() == 8 && time.substr(2) == ":00:00";
  if (!whole_hour) return std::nullopt;
  const std::optional<int> hour = Digits(time.substr(0, 2));
  if (!hour || *hour > 23) return std::nullopt;
  read.hour += *hour;
  read.whole_day = false;
  return read;
}

int64_t KeyCalendar::Count() const {
  switch (step) {
    case CalendarStep::kHour:
      return last - first + 1;
    case CalendarStep::kDay:
      return (last - first) / 24 + 1;
    case CalendarStep::kWeek:
      return (last - first) / (7 * 24) + 1;
    default:
      return (MonthNumber(last) - MonthNumber(first)) / MonthsIn(step) + 1;
  }
}

}  // namespace tacit::policy
