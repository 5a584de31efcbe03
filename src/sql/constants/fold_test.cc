#include "sql/constants/fold.h"

#include <gtest/gtest.h>

#include "sql/parse.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::sql {
namespace {

std::string Folded(const std::string& text) {
  const Result<Statement> statement = Parse(text);
  if (!statement.ok()) return statement.error().public_message;
  return PrintCanonical(FoldConstants(statement->query));
}

TEST(FoldConstants, WritesSeriesOfLiteralsOut) {
  EXPECT_EQ(Folded("SELECT * FROM generate_series(3, 1, -2) g"),
            "SELECT * FROM (VALUES (3), (1)) AS g(g)");
  EXPECT_EQ(Folded("SELECT * FROM unnest('{a,b}'::text[]) AS u(x)"),
            "SELECT * FROM (VALUES ('a'), ('b')) AS u(x)");
  EXPECT_EQ(Folded("SELECT * FROM generate_series(TIMESTAMP '2024-01-31', DATE '2024-03-31', '1 "
                   "month') AS g(d)"),
            "SELECT * FROM (VALUES (TIMESTAMP '2024-01-31 00:00:00'), (TIMESTAMP '2024-02-29 "
            "00:00:00'), (TIMESTAMP '2024-03-29 00:00:00')) AS g(d)");
  EXPECT_EQ(Folded("WITH w AS (SELECT generate_series(1, 2)::int AS n) SELECT n FROM w"),
            "WITH w(n) AS (VALUES (1), (2)) SELECT n FROM w");
}

TEST(FoldConstants, ReadsIntervalsAsPostgresDoes) {
  const auto interval = [](const std::string& text) {
    const std::string folded = Folded("SELECT INTERVAL '" + text + "'");
    return folded.substr(0, folded.find(" AS "));
  };
  for (const auto& [text, plain] : std::vector<std::pair<std::string, std::string>>{
           {"1.5 days", "1 day 12:00:00"},
           {"-1.5 days", "-1 days -12:00:00"},
           {"1.5 weeks", "10 days 12:00:00"},
           {"1.5 months", "1 mon 15 days"},
           {"1.5 years", "1 year 6 mons"},
           {"2.3 years", "2 years 4 mons"},
           {"0.25 hours", "00:15:00"},
           {"5m", "00:05:00"},
           {"1d12h", "1 day 12:00:00"},
           {"1 month - 1 day", "1 mon -1 days"},
           {"90 Secs", "00:01:30"},
           {"250 ms", "00:00:00.25"},
           {"2 CENTURIES", "200 years"},
           {"90 days 2 hours ago", "-90 days -02:00:00"}}) {
    EXPECT_EQ(interval(text), interval(plain)) << text;
    EXPECT_NE(interval(text).find("INTERVAL"), std::string::npos) << interval(text);
  }
  for (const std::string wrong : {"1 fortnight", "- days", "1.5", "days", "ago"}) {
    EXPECT_EQ(interval(wrong), "'" + wrong + "' is not an interval") << wrong;
  }
}

TEST(FoldConstants, ExtractsFieldsOfWrittenTimes) {
  const auto fields = [](const std::string& time) {
    std::string all;
    for (const char* field : {"year", "isoyear", "quarter", "month", "week", "day", "dow", "isodow",
                              "doy", "hour", "minute"}) {
      const std::string folded =
          Folded("SELECT extract(" + std::string(field) + " FROM " + time + ")::int AS x");
      all += folded.substr(7, folded.find(" AS ") - 7) + " ";
    }
    return all;
  };
  // As PostgreSQL 15 answers.
  EXPECT_EQ(fields("TIMESTAMP '2021-01-03 23:59:58'"), "2021 2020 1 1 53 3 0 7 3 23 59 ");
  EXPECT_EQ(fields("DATE '2024-12-30'"), "2024 2025 4 12 1 30 1 1 365 0 0 ");
  EXPECT_EQ(fields("DATE '1969-07-20'"), "1969 1969 3 7 29 20 0 7 201 0 0 ");
  EXPECT_EQ(Folded("SELECT extract(year FROM DATE '2024-05-02') - 1 AS x"),
            "SELECT CAST(2023 AS numeric) AS x");
  EXPECT_EQ(Folded("SELECT 2 * date_part('year', DATE '2024-05-02') AS x"),
            "SELECT CAST(4048 AS double precision) AS x");
}

TEST(FoldConstants, LeavesSeriesOfOtherThingsOfNoRowsAndOfTooManyAsTheyAre) {
  for (const std::string series : {"1, 2, 0", "1, x", "1, 100000", "5, 1"}) {
    const std::string folded = Folded("SELECT * FROM generate_series(" + series + ") g");
    EXPECT_NE(folded.find("tacit_series"), std::string::npos) << folded;
  }
}

}  // namespace
}  // namespace tacit::sql
