// Published values of other libraries and values computed independently, in the precision of their
// source. What has no counterpart here is left out: Renyi orders, sampled Laplace, mixtures of
// Gaussians, truncated sampling, randomised response under REPLACE_SPECIAL.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "accounting/composition/composition.h"
#include "accounting/cost.h"
#include "accounting/gaussian.h"
#include "accounting/pld/loss_measure.h"
#include "accounting/pld/pld.h"
#include "accounting/testing/spelling.h"
#include "accounting/zcdp.h"

namespace tacit::accounting {
namespace {

using pld::Bracket;

Term Pure(const char* epsilon, uint64_t count) {
  return {PureEvent{Epsilon(Number(epsilon))}, count};
}
Term Laplace(const Rational& epsilon, uint64_t count) {
  return {LaplaceEvent{Epsilon(epsilon)}, count};
}
Bracket DeltaAt(const std::vector<Term>& terms, double epsilon) {
  return pld::DeltaBracket(terms, epsilon, Neighbours::kAddRemove).value();
}

// The largest chance of a right alarm at a chance of a false one: the least e^epsilon fpr +
// delta(epsilon).
double TruePositives(const std::vector<Term>& terms, double false_positives, double epsilon_max) {
  const auto at = [&](double epsilon) {
    return std::exp(epsilon) * false_positives + DeltaAt(terms, epsilon).upper;
  };
  double low = 0;
  double high = epsilon_max;
  for (int i = 0; i < 40; ++i) {  // convex in e^epsilon
    const double third = (high - low) / 3;
    if (at(low + third) < at(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return at((low + high) / 2);
}

// The mean of the Gaussian pair with this total variation distance: 2 F^-1((1 + tv) / 2).
double MeanForDistance(double distance) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::sqrt(8)) < distance ? low : high) = middle;
  }
  return high;
}

// dp_accounting: pld_privacy_accountant_test.py, privacy_loss_distribution_test.py.
TEST(ReferenceValues, TruePositivesAndMeans) {
  const std::vector<Term> gaussian = {{GaussianEvent{Number("1.7320508075688772")}, 3}};
  EXPECT_NEAR(TruePositives(gaussian, 0.1, 20), 0.38914, 1e-5);
  EXPECT_NEAR(MeanForDistance(DeltaAt(gaussian, 0).upper), 1, 1e-6);
  const double rates[] = {0.01830,   0.003274,   0.0005475, 8.7218e-5,
                          1.3385e-5, 1.99405e-6, 2.8993e-7, 4.1303e-8};
  const double precision[] = {1e-3, 2e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4};
  for (int i = 0; i < 8; ++i) {
    const double found = TruePositives({{GaussianEvent{1}, 1}}, std::pow(10, -3 - i), 20);
    EXPECT_NEAR(found / rates[i], 1, precision[i]) << i;
  }
  const std::vector<Term> pure = {Pure("1", 1), Pure("2", 1)};
  EXPECT_NEAR(TruePositives(pure, 0.1, 3), 0.8286, 1e-4);
  EXPECT_NEAR(MeanForDistance(DeltaAt(pure, 0).upper), 2.358, 1e-3);
  // Randomised response that answers at random with chance p: epsilon = ln((2 - p) / p).
  const double responses[][2] = {{0.5, 1.34898}, {0.9, 0.25132}, {0.99, 0.025067}};
  for (const auto& [p, mean] : responses) {
    const Term response{PureEvent{Epsilon(RationalOf(std::log((2 - p) / p)))}, 1};
    EXPECT_NEAR(MeanForDistance(DeltaAt({response}, 0).upper), mean, 1e-5);
  }
}

// dp_accounting: accountant_test.py. The smallest scales: one hundredth less does not do.
TEST(ReferenceValues, SmallestScales) {
  EXPECT_EQ(*BasicEpsilonUp({Laplace(Fraction(21, 70), 10)}, DeltaOf("0")).epsilon, 3);
  const std::vector<Term> discrete = {{DiscreteLaplaceEvent{2, Fraction(10, 3)}, 5}};
  EXPECT_NEAR(*BasicEpsilonUp(discrete, DeltaOf("0")).epsilon, 3, 1e-15);
  const struct {
    const char* sensitivity;
    const char* scale;
    const char* precision;
    uint64_t count;
  } rows[] = {{"1", "13.6", "0.1", 20}, {"0.5", "6.8", "0.1", 20}, {"1", "71", "0.1", 500}};
  for (const auto& row : rows) {
    const auto at = [&](const Rational& scale) {
      return EpsilonOf({Laplace(Number(row.sensitivity) / scale, row.count)}, "1e-4");
    };
    EXPECT_LE(at(Number(row.scale) + Number(row.precision)).upper, 1);
    EXPECT_GE(at(Number(row.scale) - Number(row.precision)).lower, 1);
  }
  const auto lattice = [](long sensitivity, const char* parameter) {
    const DiscreteLaplaceEvent event{sensitivity, Rational(1 / Number(parameter))};
    return EpsilonOf({{event, 20}}, "1e-4");
  };
  EXPECT_LE(lattice(1, "0.072").upper, 1);
  EXPECT_GE(lattice(1, "0.074").lower, 1);
  EXPECT_LE(lattice(5, "0.013").upper, 1);
  EXPECT_GE(lattice(5, "0.015").lower, 1);
  EXPECT_NEAR(GaussianSigmaUp(Epsilon(1, 1), DeltaOf("0.78760074")), 1.0 / 3, 1e-8);
  EXPECT_NEAR(DeltaAt({{GaussianEvent{Fraction(5, 3)}, 25}}, 1).upper, 0.78760074, 1e-8);
  // 5 at delta 0.01 in 50 releases: each 0.25, to the hundredth of that grid.
  EXPECT_LE(*OptimalEpsilonUp({Pure("0.25", 50)}, DeltaOf("0.01")).epsilon, 5);
  EXPECT_GT(*OptimalEpsilonUp({Pure("0.27", 50)}, DeltaOf("0.01")).epsilon, 5);
}

// diffprivlib: its accountant takes the simpler bound of Kairouz, Oh and Viswanath, which lies
// between the exact composition and the advanced one.
TEST(ReferenceValues, BetweenOptimalAndAdvanced) {
  const auto simple_bound = [](double epsilon, double count, double slack) {
    const double squares = count * epsilon * epsilon;
    return count * epsilon * std::tanh(epsilon / 2) +
           std::sqrt(2 * squares * std::log(std::exp(1) + std::sqrt(squares) / slack));
  };
  const struct {
    const char* epsilon;
    uint64_t count;
    const char* slack;
    double expected;
  } rows[] = {{"0.05", 20, "1e-3", 0.7613352285668463},
              {"1/512", 700, "1/33554432", 0.27832280615743646}};
  for (const auto& row : rows) {
    EXPECT_NEAR(simple_bound(Number(row.epsilon).get_d(), static_cast<double>(row.count),
                             Number(row.slack).get_d()),
                row.expected, 1e-14);
    const std::vector<Term> terms = {Pure(row.epsilon, row.count)};
    EXPECT_LE(*OptimalEpsilonUp(terms, DeltaOf(row.slack)).epsilon, row.expected);
    EXPECT_GE(*AdvancedEpsilonUp(terms, DeltaOf(row.slack)).epsilon, row.expected);
  }
}

// prv_accountant: brackets around exact Gaussians. The Laplace release costs nothing and sends them
// to the grid.
TEST(ReferenceValues, BracketsAroundExactGaussians) {
  const Term free = Laplace(Fraction(1, 1000000000), 1);
  const struct {
    std::vector<Term> terms;
    Rational sigma;  // of all together
  } rows[] = {{{{GaussianEvent{100}, 10000}}, 1},
              {{{GaussianEvent{10}, 50}, {GaussianEvent{5}, 50}},
               RationalOf(std::sqrt(1 / (50 / 100.0 + 50 / 25.0)))}};
  for (const auto& row : rows) {
    std::vector<Term> terms = row.terms;
    terms.push_back(free);
    for (const double epsilon : {0.1, 1.0, 10.0}) {
      const Interval exact = GaussianDelta(row.sigma, Interval(epsilon));
      const Bracket closed = DeltaAt(row.terms, epsilon);
      EXPECT_LE(closed.lower, exact.Up() * (1 + 1e-12));
      EXPECT_GE(closed.upper, exact.Down() * (1 - 1e-12));
      const Bracket grid = DeltaAt(terms, epsilon);
      EXPECT_LE(grid.lower, exact.Up() * (1 + 1e-6));
      EXPECT_GE(grid.upper, exact.Down() * (1 - 1e-12));
    }
    EXPECT_LT(DeltaAt(row.terms, 100).upper, 1e-300);
  }
  // The same answer whatever the size of the computation: one more release costs a little more.
  double last = 0;
  for (const uint64_t count : {4900u, 4901u, 4950u, 4999u}) {
    const double epsilon = EpsilonOf({Sampled("0.9", "256/100000", count)}, "1e-5").upper;
    EXPECT_GT(epsilon, last);
    EXPECT_LT(epsilon, last == 0 ? 10 : last + 0.02);
    last = epsilon;
  }
  // Rates and counts that made another accountant overflow: the noise for epsilon 4 is found.
  const char* delta = "0.00011448277499759097";
  EXPECT_GT(EpsilonOf({Sampled("30", "0.26058631921824105", 18800)}, delta).lower, 4);
  EXPECT_LT(EpsilonOf({Sampled("45", "0.26058631921824105", 18800)}, delta).upper, 4);
}

// dp_accounting: privacy_loss_distribution_test.py, connect-the-dots.
TEST(ReferenceValues, Masses) {
  const auto masses = [](const Event& event, const Rational& step) {
    const pld::Mesh mesh{step, step.get_d()};
    const auto losses = pld::CutLosses(event, pld::Direction::kRemove, mesh, 1, 1e-30);
    return pld::UpperMeasure(losses, mesh.step);
  };
  const auto near = [](const pld::LossMeasure& measure, int64_t index, double expected) {
    const double mass = measure.mass.at(static_cast<size_t>(index - measure.first));
    EXPECT_NEAR(mass, expected, 1e-8) << index;
  };
  const pld::LossMeasure half = masses(LaplaceEvent{Epsilon(1, 1)}, Fraction(1, 2));
  near(half, 2, .56217650);
  near(half, 1, .09684622);
  near(half, 0, .07542391);
  near(half, -1, .05874020);
  near(half, -2, .20681318);
  const pld::LossMeasure lattice = masses(DiscreteLaplaceEvent{1, 1}, 1);
  near(lattice, 1, .731058579);
  near(lattice, 0, 0);
  near(lattice, -1, .268941421);
  // The source cuts the Gaussian's losses at -2 and 2; the points between are not touched by that.
  const pld::LossMeasure gaussian = masses(GaussianEvent{1}, 1);
  near(gaussian, 1, .343270190);
  near(gaussian, 0, .319116756);
  near(gaussian, -1, .126282046);
  EXPECT_NEAR(GaussianDelta(1, Interval(2)).Up(), .020923636, 1e-9);
  // The source keeps -1, 0, 1 of the discrete Gaussian: shares of those three.
  const pld::LossMeasure discrete = masses(DiscreteGaussianEvent{1, 1}, Fraction(1, 2));
  const auto at = [&](int64_t index) {
    return discrete.mass.at(static_cast<size_t>(index - discrete.first));
  };
  const double kept = at(3) + at(1) + at(-1);
  EXPECT_NEAR(at(1) / kept, .45186276, 1e-8);
  EXPECT_NEAR(at(-1) / kept, .27406862, 1e-8);
  EXPECT_NEAR(at(3) / kept, .27406862, 1e-8);
}

// Computed independently with Richardson extrapolation, to 3e-5. Adding a person costs less than
// removing one; the larger counts.
TEST(ReferenceValues, TheDirectionsOfSamplingAreKeptApart) {
  const struct {
    Term term;
    double add;
  } rows[] = {{Sampled("1", "0.01", 1000), 1.41667}, {Sampled("1", "0.1", 100), 3.98916}};
  for (const auto& row : rows) {
    const auto bracket = pld::EpsilonBracketOf({row.term}, DeltaOf("1e-5"), pld::Direction::kAdd);
    ASSERT_TRUE(bracket.ok());
    EXPECT_NEAR(bracket->upper, row.add, 4e-5 * row.add);
    EXPECT_GT(EpsilonOf({row.term}, "1e-5").lower, bracket->upper * 1.1);
  }
}

TEST(ReferenceValues, OneGaussianAndRho) {
  const struct {
    const char* sigma;
    const char* delta;
    double epsilon;
  } curve[] = {{"2", "1e-6", 2.254084650220}, {"10", "1e-5", 0.340669364684}};
  for (const auto& row : curve) {
    EXPECT_NEAR(GaussianEpsilonUp(Number(row.sigma), DeltaOf(row.delta)), row.epsilon, 1e-11);
  }
  EXPECT_NEAR(GaussianSigmaUp(Epsilon(1, 1), DeltaOf("1e-6")), 4.2246788893, 1e-9);
  EXPECT_NEAR(GaussianSigmaUp(Epsilon(RationalOf(std::log(3))), DeltaOf("1e-5")), 3.4246623979,
              1e-9);
  EXPECT_NEAR(GaussianSigmaUp(Epsilon(2, 1), DeltaOf("1e-6")), 2.2304762712, 1e-9);
  EXPECT_NEAR(GaussianDelta(Number("4.530877117"), Interval(1)).Up(), 2.1586678e-7, 1e-14);
  EXPECT_NEAR(ZcdpEpsilonUp(Rho(1, 100), DeltaOf("1e-6")), 0.62169265456, 1e-10);
  EXPECT_NEAR(ZcdpEpsilonUp(Rho(1, 2), DeltaOf("1e-5")), 4.72838698494, 1e-9);
  EXPECT_NEAR(ZcdpEpsilonUp(Rho(1, 1), DeltaOf("1e-5")), 7.07719669581, 1e-9);
}

}  // namespace
}  // namespace tacit::accounting
