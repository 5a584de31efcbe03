#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tacit::policy {

// Parts of a calendar, each the cells of a finer one together: a day is in one week and in one
// month, but a week may be in two months. Weeks begin on Monday.
enum class CalendarStep { kHour, kDay, kWeek, kMonth, kQuarter, kYear };

// hour, day, week, month, quarter, year.
std::string_view WordOf(CalendarStep step);
std::optional<CalendarStep> CalendarStepOf(std::string_view word);

// Whether every cell of `fine` lies in one cell of `coarse`.
bool Refines(CalendarStep fine, CalendarStep coarse);

// Instants are hours since the beginning of 1970, of the years 1 to 9999.

// The beginning of the cell that the instant lies in, and of the cell after it.
int64_t CellBegin(CalendarStep step, int64_t hour);
int64_t NextCell(CalendarStep step, int64_t hour);

// 2024-02-29, with 2024-02-29 13:00:00 where it is not the beginning of a day.
std::string InstantText(int64_t hour);

// Reads a day, 2024-02-29, or a whole hour, 2024-02-29 13:00. Nothing for anything else.
struct ReadInstant {
  int64_t hour = 0;
  bool whole_day = false;  // no hour was named
};
std::optional<ReadInstant> InstantOf(std::string_view text);

// Cells behind one another, each standing for all that lies in it.
struct KeyCalendar {
  CalendarStep step = CalendarStep::kDay;
  int64_t first = 0;  // the beginning of the first cell
  int64_t last = 0;   // the beginning of the last one

  int64_t End() const { return NextCell(step, last); }
  int64_t Count() const;
};

}  // namespace tacit::policy
