#include "noise/column_mechanism.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "accounting/cost.h"
#include "base/testing/tape_entropy.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/mode/mode.h"
#include "noise/quantile/quantile.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

const Epsilon kEpsilon(1, 3);

DiscreteLaplace Laplace() {
  return DiscreteLaplace::Make({.sensitivity_l1 = 4, .epsilon = kEpsilon}).value();
}
DiscreteGaussian Gaussian() {
  return DiscreteGaussian::Make({.sensitivity_l2_squared = 9, .rho = Rho(Rational(1, 50))}).value();
}
QuantileSelection Median() {
  return QuantileSelection::Make(
             {.quantile = Rational(1, 2), .rows_changed = 2, .epsilon = kEpsilon, .points = 3})
      .value();
}
ModeSelection Mode() {
  return ModeSelection::Make({.values = 3, .rows_changed = 2, .epsilon = kEpsilon}).value();
}

TEST(ColumnMechanism, DrawsWhatItsClassDraws) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SeededEntropy one(seed);
    SeededEntropy other(seed);
    EXPECT_EQ(AnyMechanism(Laplace())->Apply(Int128{7}, one), Laplace().Apply(7, other));
    EXPECT_EQ(AnyMechanism(Gaussian())->Apply(Int128{-7}, one), Gaussian().Apply(-7, other));
    const std::vector<uint64_t> counts = {5, 9, 1};
    const FullCells full = *FullCells::Of({{0, 5}, {2, 9}});
    EXPECT_EQ(AnyMechanism(Median())->Apply(full, one),
              static_cast<Int128>(Median().Apply(full, other)));
    EXPECT_EQ(AnyMechanism(Mode())->Apply(counts, one),
              static_cast<Int128>(Mode().Apply(counts, other)));
  }
}

TEST(ColumnMechanism, ItsEventCostsWhatItWasMadeFor) {
  for (const AnyMechanism& mechanism :
       {AnyMechanism(Laplace()), AnyMechanism(Median()), AnyMechanism(Mode())}) {
    EXPECT_EQ(accounting::PureEpsilon(mechanism->event()).value(), kEpsilon) << mechanism->Name();
  }
  EXPECT_EQ(accounting::ZcdpCostOf(AnyMechanism(Gaussian())->event())->rho.value, Rational(1, 50));
}

TEST(ColumnMechanism, SaysInWhatItsScaleIs) {
  EXPECT_EQ(AnyMechanism(Laplace())->ScaleUp(), 12);
  EXPECT_EQ(AnyMechanism(Gaussian())->ScaleUp(), 15);  // sigma^2 = 9 * 50 / 2
  EXPECT_EQ(AnyMechanism(Median())->ScaleUp(), 12);    // 2 * 2 rows / epsilon
  EXPECT_EQ(AnyMechanism(Mode())->ScaleUp(), 6);       // 2 rows / epsilon
  EXPECT_FALSE(AnyMechanism(Laplace())->ReadsCells());
  EXPECT_TRUE(AnyMechanism(Median())->ReadsCells());
  EXPECT_EQ(AnyMechanism(Laplace())->WordsFor("2.5"), "discrete Laplace noise of scale 2.5");
}

TEST(ColumnMechanism, AQuantileTakesNoMemoryForItsCells) {
  EXPECT_EQ(AnyMechanism(Median())->HeldBytes(), sizeof(QuantileSelection));
}

TEST(ColumnMechanism, ErrorsOfEquallyLikelyPartsAreTheLawsOwn) {
  constexpr int kParts = 251;
  for (const AnyMechanism& mechanism : {AnyMechanism(Laplace()), AnyMechanism(Gaussian())}) {
    const std::vector<Integer> errors = mechanism->ErrorsOf(kParts);
    ASSERT_EQ(errors.size(), static_cast<size_t>(kParts));
    EXPECT_TRUE(std::is_sorted(errors.begin(), errors.end()));
    EXPECT_EQ(errors[kParts / 2], 0);
    int within = 0;
    for (int i = 0; i < kParts; ++i) {
      const Integer& error = errors[static_cast<size_t>(i)];
      EXPECT_EQ(error, -errors[static_cast<size_t>(kParts - 1 - i)]);
      within += abs(error) <= mechanism->ErrorAt95() ? 1 : 0;
    }
    EXPECT_GE(within, 238) << mechanism->Name();
    EXPECT_LE(within, 244) << mechanism->Name();
    // A part of its own samples lies below each quarter of the errors: 4,000 draws, five
    // deviations.
    SeededEntropy entropy(7);
    int below = 0;
    for (int i = 0; i < 4000; ++i) {
      below += ToInteger(mechanism->Apply(Int128{0}, entropy)) <= errors[kParts / 4] ? 1 : 0;
    }
    EXPECT_NEAR(below / 4000.0, 0.25, 0.05) << mechanism->Name();
  }
  EXPECT_TRUE(AnyMechanism(Median())->ErrorsOf(kParts).empty());
}

}  // namespace
}  // namespace tacit::noise
