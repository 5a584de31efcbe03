#include "sql/constants/fold.h"

#include <gtest/gtest.h>

#include "sql/constants/compared.h"
#include "sql/parse.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::sql {
namespace {

std::shared_ptr<const TimeZone> Berlin() { return TimeZone::Find("Europe/Berlin").value(); }

std::string Folded(const std::string& text, const TimeZone& zone = *TimeZone::Utc()) {
  const Result<Statement> statement = Parse(text);
  if (!statement.ok()) return statement.error().public_message;
  return PrintCanonical(FoldConstants(statement->query, zone));
}

TEST(FoldConstants, PutsTimesWithoutAZoneIntoTheSessions) {
  const std::string utc = Folded("SELECT TIMESTAMPTZ '2024-07-01 10:00:00Z'");
  EXPECT_EQ(Folded("SELECT TIMESTAMPTZ '2024-07-01 12:00'", *Berlin()), utc);
  EXPECT_EQ(Folded("SELECT '2024-07-01 12:00'::timestamptz", *Berlin()), utc);
  EXPECT_EQ(Folded("SELECT TIMESTAMP '2024-07-01 12:00'::timestamptz", *Berlin()), utc);
  EXPECT_EQ(Folded("SELECT TIMESTAMPTZ '2024-07-01 10:00'"), utc);
  EXPECT_EQ(Folded("SELECT TIMESTAMPTZ '2024-07-01 12:00:00+02'", *Berlin()), utc)
      << "what names an offset is where it says";
  EXPECT_EQ(Folded("SELECT DATE '2024-01-01'::timestamptz", *Berlin()),
            Folded("SELECT TIMESTAMPTZ '2023-12-31 23:00:00Z'"));
}

TEST(FoldConstants, PutsWhatIsComparedWithATimeWithAZoneIntoTheSessions) {
  const auto compared = [](const std::string& condition, const TimeZone& zone) {
    const Query query = Parse("SELECT 1 FROM t WHERE " + condition).value().query;
    const auto zoned = [](const Expression&) {
      return std::optional(Type{TypeKind::kTimestampTz});
    };
    return PrintCanonical(WithComparedConstants(As<Select>(query)->where, zoned, zone));
  };
  const std::string utc = compared("x >= TIMESTAMPTZ '2023-12-31 23:00:00Z'", *TimeZone::Utc());
  EXPECT_EQ(compared("x >= '2024-01-01'", *Berlin()), utc);
  EXPECT_EQ(compared("x >= DATE '2024-01-01'", *Berlin()), utc);
  EXPECT_NE(compared("x >= '2024-01-01'", *TimeZone::Utc()), utc);
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

TEST(FoldConstants, LeavesSeriesOfOtherThingsOfNoRowsAndOfTooManyAsTheyAre) {
  for (const std::string series : {"1, 2, 0", "1, x", "1, 100000", "5, 1"}) {
    const std::string folded = Folded("SELECT * FROM generate_series(" + series + ") g");
    EXPECT_NE(folded.find("tacit_series"), std::string::npos) << folded;
  }
}

}  // namespace
}  // namespace tacit::sql
