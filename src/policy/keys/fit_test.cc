#include "policy/keys/fit.h"

#include <gtest/gtest.h>

namespace tacit::policy {
namespace {

KeyValue Text(const std::string& text) {
  KeyValue value;
  value.text = text;
  return value;
}

KeyValue Number(int number) {
  KeyValue value = Text(std::to_string(number));
  value.kind = KeyValue::Kind::kNumber;
  value.number = number;
  return value;
}

TEST(KeysFit, NumbersInQuotesAreNumbersBesideNumbersAndStandThereOnce) {
  const KeyList listed = ListedKeys{{Text("75001"), Number(75001), Text("75002")}};
  const auto read = std::get<ListedKeys>(KeysAs(listed, kIntegerType));
  ASSERT_EQ(read.values.size(), 2u);
  EXPECT_EQ(read.values[0].number, 75001);
  EXPECT_TRUE(KeysFit(read, kIntegerType));
  EXPECT_FALSE(KeysFit(listed, kIntegerType)) << "as they are written they do not";
  EXPECT_EQ(std::get<ListedKeys>(KeysAs(listed, kTextType)).values.size(), 3u);
}

TEST(KeysFit, WhatIsNoNumberStaysAndDoesNotFit) {
  for (const char* text : {"north", "1/2", ""}) {
    const KeyList listed = ListedKeys{{Text(text)}};
    EXPECT_FALSE(KeysFit(KeysAs(listed, kIntegerType), kIntegerType)) << text;
  }
  EXPECT_FALSE(KeysFit(KeysAs(ListedKeys{{Text("0.5")}}, kIntegerType), kIntegerType));
  EXPECT_TRUE(KeysFit(KeysAs(ListedKeys{{Text("0.5")}}, kDoubleType), kDoubleType));
}

TEST(KeysFit, ACalendarIsForDatesAndTimesWithoutAZone) {
  const KeyList days = KeyCalendar{.step = CalendarStep::kDay, .first = 0, .last = 24};
  const KeyList hours = KeyCalendar{.step = CalendarStep::kHour, .first = 0, .last = 24};
  EXPECT_TRUE(KeysFit(days, kDateType));
  EXPECT_TRUE(KeysFit(days, kTimestampType));
  EXPECT_FALSE(KeysFit(hours, kDateType));
  EXPECT_FALSE(KeysFit(days, ValueType{.kind = TypeKind::kTimestampTz}));
  EXPECT_FALSE(KeysFit(days, kTextType));
}

}  // namespace
}  // namespace tacit::policy
