#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/mutant.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "plan/compile.h"
#include "plan/derive/choose.h"

namespace tacit::plan {
namespace {

StoredNoise Laplace(int scale) {
  return {.kind = StoredNoise::Kind::kLaplace, .scale = Rational(scale), .chosen_error = 0};
}

sql::Literal Text(const std::string& text) { return {sql::LiteralKind::kString, text, {}}; }

// A table of counts by two columns, of all rows.
Shape BySexAndCity() {
  return {.rows = "people",
          .filters = {},
          .keys = {{"sex of the list", "sex"}, {"city of the list", "city"}},
          .measures = {{"rows", true, Laplace(10)}, {"people", false, Laplace(10)}}};
}

TEST(Derive, AColumnThatNothingIsSaidOfLeavesRowsOutThatNobodyListed) {
  Shape asked = BySexAndCity();
  asked.keys.pop_back();
  EXPECT_FALSE(CellsOf(asked, BySexAndCity()).has_value());
#ifdef TACIT_MUTANTS
  SetMutant("unlisted_rows_forgotten");
  EXPECT_TRUE(CellsOf(asked, BySexAndCity()).has_value());
  SetMutant("");
#endif
  asked.filters = {"city = 'York'"};
  asked.pins = {{"city = 'York'", "city", {Text("York")}}};
  const std::optional<Cells> cells = CellsOf(asked, BySexAndCity());
  ASSERT_TRUE(cells.has_value());
  EXPECT_EQ(cells->each, 1u);
  asked.filters = {"city in"};
  asked.pins = {{"city in", "city", {Text("York"), Text("Leeds"), Text("Hull")}}};
  EXPECT_EQ(CellsOf(asked, BySexAndCity())->each, 3u);
}

TEST(Derive, AnotherConditionAnotherListOrOtherRowsServeNothing) {
  Shape asked = BySexAndCity();
  EXPECT_TRUE(CellsOf(asked, BySexAndCity()).has_value());
  asked.filters = {"age > 20"};
  EXPECT_FALSE(CellsOf(asked, BySexAndCity()).has_value()) << "the stored one counts more";
  EXPECT_FALSE(CellsOf(BySexAndCity(), asked).has_value()) << "the stored one counts less";
  asked = BySexAndCity();
  asked.keys[0].question = "sex of another list";
  EXPECT_FALSE(CellsOf(asked, BySexAndCity()).has_value());
  asked = BySexAndCity();
  asked.rows = "people under another cap";
  EXPECT_FALSE(CellsOf(asked, BySexAndCity()).has_value());
}

TEST(Derive, KeysMayStandInAnotherOrder) {
  Shape asked = BySexAndCity();
  std::swap(asked.keys[0], asked.keys[1]);
  EXPECT_THAT(CellsOf(asked, BySexAndCity())->key_of, ::testing::ElementsAre(1, 0));
}

TEST(Derive, ShapesAreReadAsTheyAreWritten) {
  Shape shape = BySexAndCity();
  shape.filters = {"a", "b"};
  shape.keys[0].column = "";
  shape.measures[0].noise = {.kind = StoredNoise::Kind::kCube,
                             .scale = Rational(5, 3),
                             .widths = {1, 120},
                             .coordinate = 1,
                             .chosen_error = 0};
  shape.rows = "r";
  for (KeyShape& key : shape.keys) key.question = "q";
  for (MeasureShape& measure : shape.measures) measure.question = "m";
  const std::optional<Shape> again = ReadShape(ShapeText(shape));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->keys, shape.keys);
  EXPECT_EQ(again->measures, shape.measures);
  EXPECT_EQ(again->filters, shape.filters);
  for (const char* broken : {"", "rows", "rows r measure m sum", "rows r measure m sum laplace:x",
                             "rows r  where a", "rows r measure m sum gamma:3"}) {
    EXPECT_FALSE(ReadShape(broken).has_value()) << broken;
  }
}

// What the error of a sum says, against sums that are drawn.
TEST(Derive, TheErrorOfASumHoldsInNinetyFiveOfAHundred) {
  const auto laplace =
      noise::DiscreteLaplace::Make({.sensitivity_l1 = 10, .epsilon = Epsilon(Rational(1))}).value();
  for (const int numbers : {1, 2, 3, 8, 30}) {
    const auto sum = SumOf(*NoiseOf(laplace), static_cast<uint64_t>(numbers));
    ASSERT_TRUE(sum.has_value());
    const Integer claimed = (*sum)->ErrorAt95();
    constexpr int kSums = 4000;
    int within = 0;
    for (int i = 0; i < kSums; ++i) {
      Int128 drawn = 0;
      for (int k = 0; k < numbers; ++k) {
        drawn += laplace.Apply(Int128{0}, Entropy::ForThisThread());
      }
      within += ToInteger(drawn < 0 ? -drawn : drawn) <= claimed ? 1 : 0;
    }
    // Four standard deviations of the share, about: a false alarm in fifteen thousand.
    EXPECT_NEAR(within / double{kSums}, 0.953, 0.016) << numbers << " numbers";
  }
}

}  // namespace
}  // namespace tacit::plan
