#include "wire/pg/types/text/text_style.h"

#include <gtest/gtest.h>

// What is expected here a PostgreSQL 15 printed.

namespace tacit::wire::pg {
namespace {

constexpr int64_t kSecond = 1'000'000;
constexpr int64_t kHour = 3600 * kSecond;

// 1997-12-17 07:37:16.5 UTC.
constexpr engine::Timestamp kInstant{882'344'236 * kSecond + kSecond / 2, true};
constexpr engine::Timestamp kLocal{882'344'236 * kSecond, false};
constexpr engine::Date kIdes{-735'160};  // 0044-03-15 BC

TextStyle Berlin(const char* date_style) {
  TextStyle style;
  style.date = ParseDateStyle(date_style, {}).value();
  style.zone = TimeZone::Find("Europe/Berlin").value();
  return style;
}

TEST(TextStyle, InstantsArePrintedInTheZoneAndTheDateStyle) {
  const auto printed = [](const char* style) { return TimestampTextOf(kInstant, Berlin(style)); };
  EXPECT_EQ(printed("ISO"), "1997-12-17 08:37:16.5+01");
  EXPECT_EQ(printed("SQL, DMY"), "17/12/1997 08:37:16.5 CET");
  EXPECT_EQ(printed("SQL, YMD"), "12/17/1997 08:37:16.5 CET");
  EXPECT_EQ(printed("Postgres, MDY"), "Wed Dec 17 08:37:16.5 1997 CET");
  EXPECT_EQ(printed("Postgres, DMY"), "Wed 17 Dec 08:37:16.5 1997 CET");
  EXPECT_EQ(printed("German"), "17.12.1997 08:37:16.5 CET");
  TextStyle india;
  india.zone = TimeZone::Find("Asia/Kolkata").value();
  EXPECT_EQ(TimestampTextOf(kInstant, india), "1997-12-17 13:07:16.5+05:30");
  EXPECT_EQ(TimestampTextOf({-2'524'524'808 * kSecond, true}, Berlin("ISO")),
            "1890-01-01 00:00:00+00:53:28");
}

TEST(TextStyle, TimesWithoutZoneStayWhatTheyAre) {
  EXPECT_EQ(TimestampTextOf(kLocal, Berlin("ISO")), "1997-12-17 07:37:16");
  EXPECT_EQ(TimestampTextOf(kLocal, Berlin("Postgres")), "Wed Dec 17 07:37:16 1997");
}

TEST(TextStyle, DatesFollowTheDateStyle) {
  const auto printed = [](const char* style) {
    return DateTextOf(kIdes, ParseDateStyle(style, {}).value());
  };
  EXPECT_EQ(printed("ISO"), "0044-03-15 BC");
  EXPECT_EQ(printed("SQL, DMY"), "15/03/0044 BC");
  EXPECT_EQ(printed("Postgres, YMD"), "03-15-0044 BC");
  EXPECT_EQ(printed("German"), "15.03.0044 BC");
  EXPECT_EQ(DateTextOf({INT32_MAX}, {DateForm::kSql}), "infinity");
}

TEST(TextStyle, DateStylesKeepWhatTheyDoNotName) {
  const DateStyle german = ParseDateStyle("German", {}).value();
  EXPECT_EQ(NameOf(german), "German, DMY");
  EXPECT_EQ(NameOf(ParseDateStyle("ISO", german).value()), "ISO, DMY");
  EXPECT_EQ(NameOf(ParseDateStyle("ymd", german).value()), "German, YMD");
  EXPECT_EQ(NameOf(ParseDateStyle("DEFAULT", german).value()), "ISO, MDY");
  EXPECT_FALSE(ParseDateStyle("iso,foo", {}));
  EXPECT_FALSE(ParseDateStyle("iso, german", {}));
  EXPECT_FALSE(ParseDateStyle("mdy, dmy", {}));
}

TEST(TextStyle, IntervalsFollowTheIntervalStyle) {
  const engine::Interval mixed{14, -3, 4 * kHour + 306 * kSecond + 700'000};
  const engine::Interval ago{-13, 1, -kSecond};
  const engine::Interval none{0, 0, 0};
  const engine::Interval days{0, -1, 2 * kHour + 180 * kSecond};
  const engine::Interval half{0, 0, -kSecond / 2};
  using enum IntervalStyle;
  EXPECT_EQ(IntervalTextOf(mixed, kPostgres), "1 year 2 mons -3 days +04:05:06.7");
  EXPECT_EQ(IntervalTextOf(ago, kPostgres), "-1 years -1 mons +1 day -00:00:01");
  EXPECT_EQ(IntervalTextOf(none, kPostgres), "00:00:00");
  EXPECT_EQ(IntervalTextOf(days, kPostgres), "-1 days +02:03:00");
  EXPECT_EQ(IntervalTextOf(mixed, kVerbose), "@ 1 year 2 mons -3 days 4 hours 5 mins 6.7 secs");
  EXPECT_EQ(IntervalTextOf(ago, kVerbose), "@ 1 year 1 mon -1 days 1 sec ago");
  EXPECT_EQ(IntervalTextOf(none, kVerbose), "@ 0");
  EXPECT_EQ(IntervalTextOf(days, kVerbose), "@ 1 day -2 hours -3 mins ago");
  EXPECT_EQ(IntervalTextOf(half, kVerbose), "@ 0.5 secs ago");
  EXPECT_EQ(IntervalTextOf(mixed, kSqlStandard), "+1-2 -3 +4:05:06.7");
  EXPECT_EQ(IntervalTextOf(ago, kSqlStandard), "-1-1 +1 -0:00:01");
  EXPECT_EQ(IntervalTextOf(none, kSqlStandard), "0");
  EXPECT_EQ(IntervalTextOf({-12, 0, 0}, kSqlStandard), "-1-0");
  EXPECT_EQ(IntervalTextOf(half, kSqlStandard), "-0:00:00.5");
  EXPECT_EQ(IntervalTextOf({0, 3, 0}, kSqlStandard), "3 0:00:00");
  EXPECT_EQ(IntervalTextOf(days, kSqlStandard), "+0-0 -1 +2:03:00");
  EXPECT_EQ(IntervalTextOf(mixed, kIso), "P1Y2M-3DT4H5M6.7S");
  EXPECT_EQ(IntervalTextOf(ago, kIso), "P-1Y-1M1DT-1S");
  EXPECT_EQ(IntervalTextOf(none, kIso), "PT0S");
  EXPECT_EQ(IntervalTextOf(half, kIso), "PT-0.5S");
}

TEST(TextStyle, RealsHaveTheirShortestForm) {
  const auto real = [](double value) { return TextOfValue(oid::kFloat4, value, {}); };
  EXPECT_EQ(real(static_cast<double>(0.1F)), "0.1");
  EXPECT_EQ(real(1e6), "1e+06");
  EXPECT_EQ(real(123456), "123456");
  EXPECT_EQ(real(1234567), "1.234567e+06");
  EXPECT_EQ(real(static_cast<double>(1e-5F)), "1e-05");
  EXPECT_EQ(real(16777216), "1.6777216e+07");
  EXPECT_EQ(TextOfValue(oid::kFloat8, static_cast<double>(0.1F), {}), "0.10000000149011612");
  TextStyle fewer;
  fewer.float_digits = 0;
  EXPECT_EQ(TextOfValue(oid::kFloat8, 1.0 / 3, fewer), "0.333333333333333");
  fewer.float_digits = -12;
  EXPECT_EQ(TextOfValue(oid::kFloat8, 1.0 / 3, fewer), "0.333");
}

}  // namespace
}  // namespace tacit::wire::pg
