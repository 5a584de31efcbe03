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

TEST(FoldConstants, LeavesSeriesOfOtherThingsOfNoRowsAndOfTooManyAsTheyAre) {
  for (const std::string series : {"1, 2, 0", "1, x", "1, 100000", "5, 1"}) {
    const std::string folded = Folded("SELECT * FROM generate_series(" + series + ") g");
    EXPECT_NE(folded.find("tacit_series"), std::string::npos) << folded;
  }
}

}  // namespace
}  // namespace tacit::sql
