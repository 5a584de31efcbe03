#include "accounting/pld/inversion/inversion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/testing/spelling.h"

namespace tacit::accounting::pld {
namespace {

// E w^n for whole n: the sum over how many of n draws are of the shifted kind.
double LogWholeMoment(int n, double sigma, double rate) {
  long double more = 0;  // the sum of binomial weights is one
  long double binomial = 1;
  for (int i = 0; i <= n; ++i) {
    more += binomial * std::pow(static_cast<long double>(rate), i) *
            std::pow(1 - static_cast<long double>(rate), n - i) *
            std::expm1(static_cast<long double>(i * (i - 1)) / (2 * sigma * sigma));
    binomial = binomial * (n - i) / (i + 1);
  }
  return static_cast<double>(std::log1p(more));
}

TEST(Moments, AreTheirClosedFormsWithinTheStatedError) {
  for (const double sigma : {0.4, 1.0, 7.0}) {
    for (const double rate : {1e-5, 0.01, 0.6}) {
      const SampledMoments moments(sigma, rate, Direction::kRemove, {0, 8, 50});
      ASSERT_TRUE(moments.usable());
      for (int n = 1; n <= 9; ++n) {
        const Bounded computed = moments.LogMoment(n - 1);
        EXPECT_LE(std::abs(computed.value - LogWholeMoment(n, sigma, rate)), computed.error);
        EXPECT_LT(computed.error, 4e-12);
      }
      // Add: the tilts -1, -2, ... are the powers 1, 2, ...
      const SampledMoments added(sigma, rate, Direction::kAdd, {-4, 0, 50});
      for (int n = 1; n <= 4; ++n) {
        const Bounded computed = added.LogMoment(-n);
        EXPECT_LE(std::abs(computed.value - LogWholeMoment(n, sigma, rate)), computed.error);
      }
    }
  }
}

// A step twice as fine changes nothing beyond the stated errors.
TEST(Moments, TheCharacteristicFunctionDoesNotDependOnThePoints) {
  for (const Direction direction : {Direction::kRemove, Direction::kAdd}) {
    SampledMoments coarse(0.7, 0.02, direction, {6, 6, 40});
    SampledMoments fine(0.7, 0.02, direction, {6, 6, 400});
    ASSERT_GT(fine.points(), 2 * coarse.points());
    coarse.SetTilt(6);
    fine.SetTilt(6);
    for (const double frequency : {0.5, 7.0, 40.0}) {
      const auto a = coarse.At(frequency);
      const auto b = fine.At(frequency);
      EXPECT_LE(std::hypot(a.real - b.real, a.imaginary - b.imaginary), a.error + b.error);
      EXPECT_LT(a.error, 4e-12);
    }
  }
}

TEST(Moments, TheDecayIsNeverOverstated) {
  for (const Direction direction : {Direction::kRemove, Direction::kAdd}) {
    for (const double rate : {1e-4, 0.02, 0.5}) {
      SampledMoments moments(0.8, rate, direction, {5, 5, 3000});
      if (!moments.usable()) continue;
      moments.SetTilt(5);
      for (double frequency = 1; frequency < 3000; frequency *= 1.7) {
        const auto at = moments.At(frequency);
        const double decay = -std::log(std::hypot(at.real, at.imaginary) + at.error);
        EXPECT_GE(decay + 1e-12, moments.DecayDown(frequency)) << rate << " " << frequency;
      }
      EXPECT_GT(moments.DecayDown(1 / rate), 1e-4) << "a bound that says nothing";
    }
  }
}

// A release that costs nothing but is none of a Gaussian sends the same question to the grid.
TEST(Inversion, MeetsTheGrid) {
  const Term free{LaplaceEvent{Epsilon(1, 1'000'000'000)}, 1};
  const struct {
    Term term;
    const char* delta;
  } rows[] = {{Sampled("1", "0.01", 1000), "1e-5"},
              {Sampled("2", "0.001", 1000000), "1e-7"},
              {Sampled("3", "0.3", 400), "1e-3"},
              {Sampled("0.7", "0.0005", 1000000), "1e-5"},
              {Sampled("20", "0.05", 100000), "0.05"}};
  for (const auto& row : rows) {
    const Bracket direct = EpsilonOf({row.term}, row.delta);
    const Bracket grid = EpsilonOf({row.term, free}, row.delta);
    EXPECT_LE(direct.upper - direct.lower, 1e-6 * (1 + direct.upper));
    EXPECT_GE(direct.upper, grid.lower - 2e-9);
    EXPECT_LE(direct.lower, grid.upper);
    EXPECT_NEAR(grid.upper, direct.upper, 1e-3 * (1 + direct.upper));
  }
}

TEST(Inversion, AMillionReleasesAreKnownToAMillionth) {
  const struct {
    const char* sigma;
    const char* rate;
    double expected;
  } rows[] = {{"10", "0.01", 4.390604},
              {"2", "0.001", 2.142701},
              {"1", "0.001", 6.026131},
              {"0.7", "0.0005", 5.992214}};
  for (const auto& row : rows) {
    const Bracket bracket = EpsilonOf({Sampled(row.sigma, row.rate, 1'000'000)}, "1e-5");
    EXPECT_LE(bracket.lower, bracket.upper);
    EXPECT_LE(bracket.upper - bracket.lower, 1e-6);
    EXPECT_NEAR(bracket.upper, row.expected, 1e-5);
  }
}

TEST(Inversion, GaussiansBesideSampledOnesAreMultipliedIn) {
  const std::vector<Term> terms = {Sampled("1", "0.001", 1'000'000), {GaussianEvent{2}, 4}};
  const Bracket both = EpsilonOf(terms, "1e-5");
  EXPECT_GT(both.lower, EpsilonOf({terms[0]}, "1e-5").upper);
  EXPECT_LE(both.upper - both.lower, 1e-6);
  const auto delta = DeltaBracket(terms, both.upper, Neighbours::kAddRemove);
  ASSERT_TRUE(delta.ok());
  EXPECT_LE(delta->lower, 1e-5);
  EXPECT_NEAR(delta->upper, 1e-5, 1e-10);
}

TEST(Inversion, FewReleasesAreLeftToTheGrid) {
  const auto prepared = Prepare({Sampled("1", "0.01", 3)}, Neighbours::kAddRemove);
  ASSERT_TRUE(prepared.ok());
  const auto saddle = SaddleForDelta(*prepared, Direction::kRemove, 1e-5);
  ASSERT_TRUE(saddle.ok());
  EXPECT_FALSE(Inversion::Make(*prepared, Direction::kRemove, *saddle).has_value());
}

}  // namespace
}  // namespace tacit::accounting::pld
