#include "base/time/time_zone.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

constexpr int64_t kHour = 3600;
constexpr int64_t kDay = 24 * kHour;
constexpr int64_t kSummer2024 = 1711846800;  // 2024-03-31 01:00 UTC
constexpr int64_t kWinter2024 = 1729990800;  // 2024-10-27 01:00 UTC

std::shared_ptr<const TimeZone> Zone(const std::string& name) {
  Result<std::shared_ptr<const TimeZone>> zone = TimeZone::Find(name);
  EXPECT_TRUE(zone.ok()) << name;
  return zone.ok() ? *zone : TimeZone::Utc();
}

TEST(TimeZone, KnowsWhenClocksChange) {
  const auto berlin = Zone("Europe/Berlin");
  EXPECT_EQ(berlin->At(kSummer2024 - 1), (LocalOffset{3600, "CET"}));
  EXPECT_EQ(berlin->At(kSummer2024), (LocalOffset{7200, "CEST"}));
  EXPECT_EQ(berlin->At(kWinter2024 - 1), (LocalOffset{7200, "CEST"}));
  EXPECT_EQ(berlin->At(kWinter2024), (LocalOffset{3600, "CET"}));
  EXPECT_EQ(berlin->At(-2524521600), (LocalOffset{3208, "LMT"}));  // 1890
}

TEST(TimeZone, GoesOnByItsRuleWhereTheTableEnds) {
  // 2100-07-01 and 2100-01-01.
  EXPECT_EQ(Zone("Europe/Berlin")->At(4118083200).seconds, 7200);
  EXPECT_EQ(Zone("Europe/Berlin")->At(4102444800).seconds, 3600);
  EXPECT_EQ(Zone("Australia/Sydney")->At(4118083200).seconds, 10 * kHour);
  EXPECT_EQ(Zone("Australia/Sydney")->At(4102444800).seconds, 11 * kHour);
  EXPECT_EQ(Zone("Asia/Kolkata")->At(4118083200).seconds, 5 * kHour + 1800);
}

TEST(TimeZone, ReadsTimesAsPostgresDoesWhereClocksSkipOrRepeat) {
  const auto berlin = Zone("Europe/Berlin");
  const auto shows = [](int64_t utc, int32_t offset) { return utc + offset; };
  EXPECT_EQ(berlin->ToUtc(shows(kSummer2024 - kDay, 3600)), kSummer2024 - kDay);
  // 02:30 does not exist that night: it is 03:30.
  EXPECT_EQ(berlin->ToUtc(shows(kSummer2024, 3600) + 1800), kSummer2024 + 1800);
  // 02:30 exists twice: the second one.
  EXPECT_EQ(berlin->ToUtc(shows(kWinter2024, 3600) + 1800), kWinter2024 + 1800);
  EXPECT_EQ(berlin->ToUtc(shows(kWinter2024 - kDay, 7200)), kWinter2024 - kDay);
}

TEST(TimeZone, HasNamesAsPostgresTakesThem) {
  EXPECT_EQ(Zone("asia/kolkata")->name(), "Asia/Kolkata");
  EXPECT_EQ(Zone("utc")->name(), "UTC");
  EXPECT_EQ(Zone("5.5")->name(), "<+05:30>-05:30");
  EXPECT_EQ(Zone("5.5")->At(0).seconds, 5 * kHour + 1800);
  EXPECT_EQ(Zone("-7")->name(), "<-07>+07");
  EXPECT_EQ(Zone("GMT-01:00")->At(0), (LocalOffset{3600, "GMT"}));
}

TEST(TimeZone, KnowsNoOther) {
  for (const char* name : {"Nowhere/Land", "", "../../../etc/passwd", "/etc/passwd", "Europe",
                           "Europe/", "posixrules/../UTC", "17", "nan", "tzdata.zi", "UTC5UTC"}) {
    const Result<std::shared_ptr<const TimeZone>> zone = TimeZone::Find(name);
    EXPECT_FALSE(zone.ok()) << name;
  }
  EXPECT_FALSE(TimeZone::Find(std::string("UTC\0x", 5)).ok());
}

TEST(TimeZone, DoesNotReadWhatIsNoTable) {
  EXPECT_EQ(TimeZone::Read("x", ""), nullptr);
  EXPECT_EQ(TimeZone::Read("x", "TZif2"), nullptr);
  // A head that announces more than there is.
  std::string bytes = "TZif2" + std::string(15, '\0') + std::string(24, '\1');
  EXPECT_EQ(TimeZone::Read("x", bytes), nullptr);
}

TEST(ZoneRule, ReadsTheFormsOfPosix) {
  EXPECT_TRUE(ZoneRule::Parse("CET-1CEST,M3.5.0,M10.5.0/3"));
  EXPECT_TRUE(ZoneRule::Parse("<+03>-3"));
  EXPECT_TRUE(ZoneRule::Parse("EST5EDT4,J60/-1,300/26:30:15"));
  for (const char* text :
       {"", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1,M3.5.0,M10.5.0",
        "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "<+03-3",
        "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J5", "CET-99"}) {
    EXPECT_FALSE(ZoneRule::Parse(text)) << text;
  }
  // Days without and with the 29th of February: 2024-03-01 is day 60 of both.
  const auto rule = ZoneRule::Parse("AAA0BBB,J60/0,60/12");
  EXPECT_EQ(rule->At(1709251200 - 1).abbreviation, "AAA");  // 2024-02-29
  EXPECT_EQ(rule->At(1709251200).abbreviation, "BBB");      // 2024-03-01
  EXPECT_EQ(rule->At(1709251200 + 12 * 3600).abbreviation, "AAA");
}

}  // namespace
}  // namespace tacit
