#include "policy/keys/calendar.h"

#include <gtest/gtest.h>

#include "policy/keys/keys.h"

namespace tacit::policy {
namespace {

int64_t At(std::string_view text) { return InstantOf(text).value().hour; }

TEST(Calendar, CellsBeginAndEndWhereTheCalendarSays) {
  struct Case {
    CalendarStep step;
    const char* instant;
    const char* begin;
    const char* next;
  };
  for (const Case& one :
       {Case{CalendarStep::kHour, "2024-02-29 13:00", "2024-02-29 13:00:00", "2024-02-29 14:00:00"},
        Case{CalendarStep::kDay, "2024-02-29 23:00", "2024-02-29", "2024-03-01"},
        Case{CalendarStep::kWeek, "2024-03-03", "2024-02-26", "2024-03-04"},
        Case{CalendarStep::kWeek, "1969-12-31", "1969-12-29", "1970-01-05"},
        Case{CalendarStep::kMonth, "2024-02-29", "2024-02-01", "2024-03-01"},
        Case{CalendarStep::kQuarter, "2024-12-31", "2024-10-01", "2025-01-01"},
        Case{CalendarStep::kYear, "0001-06-01", "0001-01-01", "0002-01-01"}}) {
    EXPECT_EQ(InstantText(CellBegin(one.step, At(one.instant))), one.begin) << one.instant;
    EXPECT_EQ(InstantText(NextCell(one.step, At(one.instant))), one.next) << one.instant;
  }
}

TEST(Calendar, CountsAsManyCellsAsItWritesOut) {
  for (const CalendarStep step :
       {CalendarStep::kHour, CalendarStep::kDay, CalendarStep::kWeek, CalendarStep::kMonth,
        CalendarStep::kQuarter, CalendarStep::kYear}) {
    const KeyCalendar calendar{.step = step,
                               .first = CellBegin(step, At("2019-11-07")),
                               .last = CellBegin(step, At("2021-02-28"))};
    const std::vector<KeyValue> keys = ExpandKeys(KeyList(calendar));
    EXPECT_EQ(static_cast<int64_t>(keys.size()), calendar.Count()) << WordOf(step);
    EXPECT_EQ(keys.back().text, InstantText(calendar.last));
    EXPECT_GT(calendar.End(), At("2021-02-28"));
  }
}

TEST(Calendar, AWeekIsInNoMonth) {
  EXPECT_TRUE(Refines(CalendarStep::kDay, CalendarStep::kWeek));
  EXPECT_TRUE(Refines(CalendarStep::kHour, CalendarStep::kYear));
  EXPECT_TRUE(Refines(CalendarStep::kMonth, CalendarStep::kQuarter));
  EXPECT_TRUE(Refines(CalendarStep::kWeek, CalendarStep::kWeek));
  EXPECT_FALSE(Refines(CalendarStep::kWeek, CalendarStep::kMonth));
  EXPECT_FALSE(Refines(CalendarStep::kWeek, CalendarStep::kYear));
  EXPECT_FALSE(Refines(CalendarStep::kMonth, CalendarStep::kDay));
  EXPECT_FALSE(Refines(CalendarStep::kMonth, CalendarStep::kWeek));
}

TEST(Calendar, ReadsDaysAndWholeHoursOnly) {
  EXPECT_TRUE(InstantOf("2024-02-29")->whole_day);
  EXPECT_FALSE(InstantOf("2024-02-29 00:00")->whole_day);
  EXPECT_EQ(At("2024-02-29T05:00:00"), At("2024-02-29") + 5);
  for (const char* wrong : {"2023-02-29", "2024-2-29", "2024-02-29 13:30", "2024-02-29 24:00",
                            "0000-01-01", "20240229", "2024-02-29x", "", "12"}) {
    EXPECT_FALSE(InstantOf(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace tacit::policy
