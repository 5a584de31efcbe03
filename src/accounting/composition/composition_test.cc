#include "accounting/composition/composition.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/account/epsilon_bounds.h"
#include "accounting/account/group.h"
#include "accounting/gaussian.h"
#include "accounting/testing/spelling.h"
#include "accounting/zcdp.h"

namespace tacit::accounting {
namespace {

std::vector<Term> Pure(Int128 numerator, Int128 denominator, uint64_t count) {
  return {{PureEvent{Epsilon(numerator, denominator)}, count}};
}

// 60-digit values computed independently.
TEST(Composition, ReproducesOptimalZcdpAndAdvanced) {
  const struct {
    std::vector<Term> terms;
    double optimal;
    double zcdp;
    double advanced;
  } rows[] = {
      {Pure(1, 10, 10), 0.993691176759, 1.308118343, 1.567385504},
      {Pure(1, 10, 30), 2.11015442224, 2.396424592, 2.77813601},
      {Pure(1, 10, 100), 4.30679137252, 4.728386985, 5.298109662},
      {Pure(1, 10, 1000), 17.7871284497, 19.04725955, 20.17010879},
      {Pure(1, 100, 1000), 1.19773279831, 1.308118343, 1.567426713},
  };
  const Delta delta = DeltaOf("1e-5");
  for (const auto& row : rows) {
    EXPECT_NEAR(*OptimalEpsilonUp(row.terms, delta).epsilon, row.optimal, 1e-10);
    EXPECT_NEAR(*ZcdpBoundUp(row.terms, delta).epsilon, row.zcdp, 1e-8);
    EXPECT_NEAR(*AdvancedEpsilonUp(row.terms, delta).epsilon, row.advanced, 1e-8);
  }
}

TEST(Composition, OptimalIsSolvedBetweenTheGridPoints) {
  const std::vector<Term> terms = {{ApproximateEvent{Epsilon(1, 1), Delta(1, 1000)}, 30}};
  EXPECT_NEAR(*OptimalEpsilonUp(terms, DeltaOf("0.06")).epsilon, 21.7096126245, 1e-9);
  EXPECT_NEAR(*OptimalEpsilonUp(terms, DeltaOf("0.1")).epsilon, 19.8173791701, 1e-9);
  EXPECT_EQ(*OptimalEpsilonUp(Pure(1, 1, 30), DeltaOf("0")).epsilon, 30);
  const std::vector<Term> broken = {{ApproximateEvent{Epsilon(1, 1), Delta(1, 5)}, 1}};
  EXPECT_FALSE(OptimalEpsilonUp(broken, DeltaOf("0.1")).epsilon.has_value());
}

TEST(Composition, OptimalIsTheSameOnBothSidesOfItsSwitchToTheTransform) {
  const double sum = *OptimalEpsilonUp(Pure(1, 1000, 20000), DeltaOf("1e-6")).epsilon;
  const double transform = *OptimalEpsilonUp(Pure(1, 1000, 20001), DeltaOf("1e-6")).epsilon;
  EXPECT_GT(transform, sum);
  EXPECT_NEAR(transform, sum, 1e-4);
}

TEST(Composition, BasicSharesDeltaAmongGaussians) {
  const std::vector<Term> terms = {{LaplaceEvent{Epsilon(1, 10)}, 3}, {GaussianEvent{2}, 2}};
  const double each = GaussianEpsilonUp(2, DeltaOf("5e-6"));
  EXPECT_NEAR(*BasicEpsilonUp(terms, DeltaOf("1e-5")).epsilon, 0.3 + 2 * each, 1e-12);
  EXPECT_EQ(*BasicEpsilonUp(Pure(1, 10, 100), DeltaOf("0")).epsilon, 10);
  EXPECT_FALSE(BasicEpsilonUp(terms, DeltaOf("0")).epsilon.has_value());
}

TEST(Composition, SaysWhyAnAccountantDoesNotApply) {
  const std::vector<Term> mixed = {{PureEvent{Epsilon(1, 10)}, 1}, {PureEvent{Epsilon(1, 5)}, 1}};
  EXPECT_FALSE(OptimalEpsilonUp(mixed, DeltaOf("1e-5")).reason.empty());
  const std::vector<Term> sampled = {{SubsampledGaussianEvent{1, Rational(1, 10)}, 5}};
  EXPECT_FALSE(ZcdpBoundUp(sampled, DeltaOf("1e-5")).reason.empty());
  const EpsilonBounds refused = EpsilonBoundsFor(sampled, DeltaOf("1e-5"), Neighbours::kReplaceOne);
  EXPECT_FALSE(refused.Best().has_value());
  EXPECT_NE(refused.basic.reason.find("replace_one"), std::string::npos);
}

// OpenDP, cdp_delta/test.rs and zCDP test.rs; the other rows independently.
TEST(Zcdp, ConvertsAsOthersDo) {
  EXPECT_NEAR(ZcdpDeltaUp(Rho(1, 20), 0.25), 8.17727531036956e-2, 1e-12);
  EXPECT_NEAR(ZcdpDeltaUp(Rho(1, 2), 0), 0.5588356393474351, 1e-12);
  EXPECT_NEAR(ZcdpEpsilonUp(Rho(1, 32), DeltaOf("1e-3")), 0.6880024554878085, 1e-12);
  EXPECT_NEAR(ZcdpDeltaUp(Rho(1, 32), 0), 0.1508457845622862, 1e-12);
  const Rho tiny(ParseRational("5e-30").value());
  EXPECT_NEAR(ZcdpDeltaUp(tiny, 1e-13) / 2.619676329730346e-234, 1, 1e-6);
  EXPECT_NEAR(ZcdpEpsilonUp(Rho(1, 100), DeltaOf("1e-5")), 0.545725548274, 1e-10);
  EXPECT_NEAR(ZcdpEpsilonUp(Rho(1, 2), DeltaOf("1e-6")), 5.22153444453, 1e-9);
  EXPECT_NEAR(ZcdpEpsilonUp(Rho(1, 1), DeltaOf("1e-6")), 7.76621662531, 1e-9);
}

TEST(Zcdp, TheLargestRhoGoesBackToTheBudget) {
  for (const char* text : {"0.1", "1", "3", "20"}) {
    const Epsilon epsilon(ParseRational(text).value());
    const Rho rho = ZcdpRhoDown(epsilon, DeltaOf("1e-6"));
    EXPECT_LE(RationalOf(ZcdpEpsilonDown(rho, DeltaOf("1e-6"))), epsilon.value);
    const Rho more(Rational(rho.value * Rational(1000001, 1000000)));
    EXPECT_GT(RationalOf(ZcdpEpsilonUp(more, DeltaOf("1e-6"))), epsilon.value);
  }
}

TEST(Zcdp, BudgetsOfAnySizeStayFinite) {
  for (const char* text : {"1e9", "1e299", "1e308", "1e400"}) {
    const Epsilon epsilon(ParseRational(text).value());
    for (const char* delta : {"1e-6", "1e-100"}) {
      const Rho rho = ZcdpRhoDown(epsilon, DeltaOf(delta));
      EXPECT_LE(rho.value, epsilon.value) << text;
      const double left = ZcdpEpsilonDown(rho, DeltaOf(delta));
      EXPECT_TRUE(std::isfinite(left)) << text;
      EXPECT_LE(RationalOf(left), epsilon.value) << text;
      EXPECT_GT(left, 9e8) << text;
    }
  }
}

TEST(Gaussian, ReproducesTheAnalyticCurveInAllDirections) {
  const struct {
    const char* sigma;
    const char* delta;
    double epsilon;
  } rows[] = {{"0.5", "1e-5", 9.997256146434}, {"0.5", "1e-6", 10.997151214221},
              {"1", "1e-5", 4.377178095681},   {"1", "1e-6", 4.886554117462},
              {"2", "1e-5", 1.993091404415},   {"10", "1e-6", 0.396857377644}};
  for (const auto& row : rows) {
    const Rational sigma = ParseRational(row.sigma).value();
    const double up = GaussianEpsilonUp(sigma, DeltaOf(row.delta));
    EXPECT_NEAR(up, row.epsilon, 1e-11);
    EXPECT_LE(GaussianEpsilonDown(sigma, DeltaOf(row.delta)), up);
    const double back = GaussianSigmaUp(Epsilon(RationalOf(up)), DeltaOf(row.delta));
    EXPECT_NEAR(back, sigma.get_d(), 1e-11);
  }
  EXPECT_NEAR(GaussianSigmaUp(Epsilon(1, 1), DeltaOf("1e-5")), 3.7306316348, 1e-9);
  EXPECT_NEAR(GaussianSigmaUp(Epsilon(1, 2), DeltaOf("1e-5")), 7.0318266756, 1e-9);
  EXPECT_NEAR(GaussianSigmaUp(Epsilon(1, 1), DeltaOf("1e-9")), 5.4952661572, 1e-9);
  EXPECT_NEAR(GaussianSigmaUp(Epsilon(10, 1), DeltaOf("1e-5")), 0.4998886197, 1e-9);
}

TEST(Gaussian, TheProvenSigmaPassesAndTheNextSmallerDoubleDoesNot) {
  const double sigma = GaussianSigmaUp(Epsilon(1, 1), DeltaOf("1e-6"));
  const Interval one(1);
  EXPECT_LE(GaussianDelta(RationalOf(sigma), one).ExactUp(), DeltaOf("1e-6").value);
  const double smaller = sigma * (1 - 1e-15);
  EXPECT_GT(GaussianDelta(RationalOf(smaller), one).ExactDown(), DeltaOf("1e-6").value);
}

TEST(Group, AFamilyPaysForEachOfItsMembers) {
  EXPECT_EQ(GroupEpsilon(Epsilon(1, 10), 4), Epsilon(2, 5));
  EXPECT_EQ(GroupRho(Rho(1, 10), 4), Rho(8, 5));
  const double delta = GroupDeltaUp(Epsilon(1, 1), DeltaOf("1e-6"), 2);
  EXPECT_NEAR(delta, 1e-6 * (1 + std::exp(1)), 1e-18);
  EXPECT_NEAR(GuessChanceUp(std::log(3), 0), 0.75, 1e-15);
  EXPECT_EQ(GroupDeltaUp(Epsilon(100, 1), DeltaOf("1e-6"), 4), 1);
}

}  // namespace
}  // namespace tacit::accounting
