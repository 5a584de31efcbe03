#include "learn/moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "learn/summary.h"
#include "sql/parse.h"

namespace tacit::learn {
namespace {

using ::testing::HasSubstr;

Column Number(const std::string& name, int low, int high) {
  return {.name = name, .is_boolean = false, .low = low, .high = high};
}
Column Flag(const std::string& name) { return {.name = name, .is_boolean = true}; }

TEST(Pairs, AskForEachProductOnceAndForNoSquareOfABoolean) {
  const Pairs pairs({Number("a", 0, 1), Flag("b")});
  EXPECT_EQ(pairs.terms(), 3u);
  const std::vector<std::pair<size_t, size_t>> expected = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}};
  EXPECT_EQ(pairs.asked(), expected);
  EXPECT_EQ(pairs.At(2, 2), pairs.At(0, 0));
  EXPECT_EQ(pairs.At(2, 1), pairs.At(1, 2));
  EXPECT_NE(pairs.At(1, 1), pairs.At(0, 0));
}

TEST(MomentsQuery, SaysWhatIsSummed) {
  EXPECT_EQ(MomentsQuery({Number("age", 0, 120), Flag("old")}, "SELECT age, old FROM people"),
            "SELECT count(*) AS m0, sum(u1) AS m1, sum(u2) AS m2, sum(u1 * u1) AS m3, "
            "sum(u1 * u2) AS m4 FROM (SELECT CAST(least(greatest(tacit_rows.age, 0), 120) AS "
            "double precision) - 60 AS u1, CASE WHEN tacit_rows.old THEN 1 ELSE -1 END AS u2 FROM "
            "(SELECT age, old FROM people) AS tacit_rows WHERE tacit_rows.age IS NOT NULL AND "
            "tacit_rows.old IS NOT NULL) AS tacit_terms");
}

TEST(MomentsQuery, IsSqlWhateverTheNamesAndRanges) {
  const std::vector<Column> columns = {
      {.name = "Weird \"name\"; DROP", .low = Rational(-1, 3), .high = Rational(2, 7)},
      Number("select", -5, -1),
      Flag("b")};
  const std::string text = MomentsQuery(columns, "SELECT 1");
  EXPECT_TRUE(sql::Parse(text).ok()) << text;
  EXPECT_THAT(text, HasSubstr("\"Weird \"\"name\"\"; DROP\""));
  // Ends that are no decimals are moved outwards.
  EXPECT_THAT(text, HasSubstr("(-0.333333334)), 0.285714286)"));
}

TEST(Summary, GivesMeansAndCovariancesInTheColumnsOwnUnits) {
  // Ages 20 and 60; old is false and true.
  Moments moments{.columns = {Number("age", 0, 120), Flag("old")}, .values = {}, .variances = {}};
  const double a = -40.0 / 60;
  moments.values = {2000, 1000 * a, 0, 1000 * a * a, 1000 * -a};
  moments.variances = {100, 100, 100, 100, 100};
  EXPECT_DOUBLE_EQ(RowsOf(moments).value, 2000);
  EXPECT_DOUBLE_EQ(RowsOf(moments).noise, 10);
  EXPECT_NEAR(MeanOf(moments, 0).value, 40, 1e-9);
  EXPECT_NEAR(MeanOf(moments, 1).value, 0.5, 1e-9);
  EXPECT_NEAR(CovarianceOf(moments, 0, 0).value, 400, 1e-9);
  EXPECT_NEAR(CovarianceOf(moments, 1, 1).value, 0.25, 1e-9);
  EXPECT_NEAR(CovarianceOf(moments, 0, 1).value, 10, 1e-9);
  // d mean = (dS - mean dn) / n.
  EXPECT_NEAR(MeanOf(moments, 0).noise, 60 * std::sqrt(100 + 100.0 / 9) / 2000, 1e-9);
  ASSERT_TRUE(HasRows(moments));
  moments.values[0] = 20;
  EXPECT_FALSE(HasRows(moments));
}

TEST(Summary, FindsTheDirectionThatVariesMost) {
  // a varies, b hardly does; both in [-1, 1] around 0.
  Moments moments{
      .columns = {Number("a", -1, 1), Number("b", -1, 1)}, .values = {}, .variances = {}};
  moments.values = {1000, 0, 0, 500, 0, 1};
  moments.variances.assign(6, 1.0);
  const std::vector<Component> components = ComponentsOf(moments);
  ASSERT_EQ(components.size(), 2u);
  EXPECT_NEAR(components[0].weights[0], 1, 1e-9);
  EXPECT_NEAR(components[0].share, 500.0 / 501, 1e-9);
  EXPECT_TRUE(components[0].above_noise);
  EXPECT_FALSE(components[1].above_noise);
}

}  // namespace
}  // namespace tacit::learn
