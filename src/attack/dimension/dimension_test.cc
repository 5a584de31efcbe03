#include "attack/dimension/dimension.h"

#include <gtest/gtest.h>

#include "anonymize/table/read_csv.h"

namespace tacit::attack {
namespace {

anonymize::Table ThreeColumns(uint32_t rows) {
  std::string text = "a,b,c\n";
  uint64_t state = 7;
  for (uint32_t i = 0; i < rows; ++i) {
    for (const uint64_t below : {50, 90, 40}) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      text += std::to_string((state >> 33) % below) + (below == 40 ? "\n" : ",");
    }
  }
  return anonymize::ParseCsv(text, "f").value();
}

TEST(Dimension, LossRisesWithKAndWithAttributes) {
  const DimensionOptions options{.columns = {"a", "b", "c"}, .ks = {2, 20}, .orders = 3};
  const Report report = AttackDimension(ThreeColumns(800), options).value();
  const auto& series = report.charts.at(1).series;
  ASSERT_EQ(series.size(), 2u);
  for (const Series& one : series) {
    ASSERT_EQ(one.points.size(), 3u);
    EXPECT_LT(one.points[0].y, one.points[1].y);
    EXPECT_LT(one.points[1].y, one.points[2].y);
  }
  EXPECT_LT(series[0].points[2].y, series[1].points[2].y);
  EXPECT_EQ(report.seed, 1u);
}

TEST(Dimension, WrongOptionsAreNamed) {
  EXPECT_EQ(
      AttackDimension(ThreeColumns(10), {.columns = {"a"}, .ks = {11}}).error().public_message,
      "k is 11, but the table has only 10 rows");
  EXPECT_FALSE(AttackDimension(ThreeColumns(10), {}).ok());
}

}  // namespace
}  // namespace tacit::attack
