#include "release/measure/open_column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"

namespace tacit::release {
namespace {

using tacit::testing::SeededEntropy;
using ::testing::ElementsAre;

const Moved kMovedOnce{.rows = 1, .l2_squared = 1};

TEST(ShowValues, ShowsWhatManyHaveAndCallsAllElseOther) {
  Joint joint{.codes = {{0, 0, 0, 0}}, .weights = {5000, 4000, 1, 300}};
  const OpenColumn open{.column = 0, .ids = {1, 0, 2, kNullId}, .values = {"b", "a", "Ms Smith"}};
  SeededEntropy entropy(5);
  const std::vector<std::string> shown = ShowValues(
      open, kMovedOnce, {.rho = Rational(1, 100), .delta = Delta(1, 1'000'000)}, joint, entropy);
  EXPECT_THAT(shown, ElementsAre("a", "b"));
  EXPECT_THAT(joint.codes[0], ElementsAre(0, 1, 2, 3));
}

// A value of one person alone is shown with delta; twins with a delta a thousand times larger show
// that the test could see it.
TEST(ShowValues, ShowsAValueOfOneOnlyWithDelta) {
  const auto shown = [](const Delta& delta) {
    SeededEntropy entropy(20261117);
    int times = 0;
    for (int i = 0; i < 4000; ++i) {
      Joint joint{.codes = {{0}}, .weights = {1}};
      const OpenColumn open{.column = 0, .ids = {0}, .values = {"alone"}};
      times +=
          ShowValues(open, kMovedOnce, {.rho = Rational(1, 10), .delta = delta}, joint, entropy)
                  .empty()
              ? 0
              : 1;
    }
    return times;
  };
  // 4 expected at most: more than five standard deviations above.
  EXPECT_LT(shown(Delta(1, 1000)), 16);
  EXPECT_GT(shown(Delta(1, 10)), 200);
}

TEST(ShowValues, AsksForMoreRowsWhereOnePersonHasSeveral) {
  const ShowingPrice price{.rho = Rational(1, 10), .delta = Delta(1, 1000)};
  EXPECT_GT(ShowingThreshold({.rows = 10, .l2_squared = 100}, price),
            10 * ShowingThreshold(kMovedOnce, price) - 10);
}

}  // namespace
}  // namespace tacit::release
