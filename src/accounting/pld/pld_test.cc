#include "accounting/pld/pld.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/composition/composition.h"
#include "accounting/cost.h"
#include "accounting/gaussian.h"
#include "accounting/pld/loss_measure.h"
#include "accounting/testing/spelling.h"

namespace tacit::accounting::pld {
namespace {

Term Laplace(Int128 numerator, Int128 denominator, uint64_t count) {
  return {LaplaceEvent{Epsilon(numerator, denominator)}, count};
}
Bracket DeltaAt(const std::vector<Term>& terms, double epsilon) {
  const auto bracket = DeltaBracket(terms, epsilon, Neighbours::kAddRemove);
  EXPECT_TRUE(bracket.ok());
  return bracket.ok() ? *bracket : Bracket{};
}

// Independent values: connect-the-dots in long double with Richardson extrapolation; the subsampled
// rows are known to 3e-5.
TEST(Pld, ReproducesTheLaplaceCompositions) {
  const struct {
    Term term;
    const char* delta;
    double expected;
  } rows[] = {
      {Laplace(1, 10, 10), "1e-5", 0.98996233},   {Laplace(1, 10, 10), "1e-6", 0.99897810},
      {Laplace(1, 10, 30), "1e-5", 2.0628486},    {Laplace(1, 10, 30), "1e-6", 2.2978190},
      {Laplace(1, 10, 100), "1e-5", 4.2203473},   {Laplace(1, 10, 100), "1e-6", 4.6926674},
      {Laplace(1, 10, 1000), "1e-5", 17.423652},  {Laplace(1, 10, 1000), "1e-6", 18.950288},
      {Laplace(1, 100, 1000), "1e-5", 1.1957030}, {Laplace(1, 100, 1000), "1e-6", 1.3629246},
  };
  for (const auto& row : rows) {
    const Bracket bracket = EpsilonOf({row.term}, row.delta);
    EXPECT_NEAR(bracket.upper, row.expected, 1e-5 * row.expected);
    EXPECT_NEAR(bracket.lower, row.expected, 1e-5 * row.expected);
    EXPECT_LE(bracket.lower, bracket.upper);
  }
}

TEST(Pld, ReproducesTheSubsampledGaussianCompositions) {
  const struct {
    Term term;
    const char* delta;
    double expected;
  } rows[] = {
      {Sampled("0.8", "0.005", 1000), "1e-5", 1.59348},
      {Sampled("0.8", "0.005", 1000), "1e-6", 2.00411},
      {Sampled("1.1", "256/60000", 14062), "1e-5", 2.38160},
      {Sampled("1.3", "256/60000", 3515), "1e-5", 0.86441},
      {Sampled("1", "0.01", 1000), "1e-5", 1.82824},
      {Sampled("1", "0.01", 10000), "1e-5", 6.18771},
      {Sampled("2", "0.01", 1000), "1e-5", 0.62203},
      {Sampled("2.5", "0.01", 50), "1e-5", 0.09945},
      {Sampled("0.5", "0.2", 3), "1e-5", 11.51540},
  };
  for (const auto& row : rows) {
    const Bracket bracket = EpsilonOf({row.term}, row.delta);
    EXPECT_NEAR(bracket.upper, row.expected, 1e-4 * row.expected);
    EXPECT_LE(bracket.lower, row.expected + 3e-5);
    EXPECT_GE(bracket.lower, row.expected - 1e-3);
  }
}

// google/differential-privacy, python/dp_accounting/.../pld/pld_privacy_accountant_test.py and
// accountant_test.py.
TEST(Pld, ReproducesTheValuesOfAnotherLibrary) {
  EXPECT_NEAR(DeltaAt({Sampled("0.5", "0.2", 3)}, 1).upper, 0.15594, 1e-5);
  const std::vector<Term> pair = {{ApproximateEvent{Epsilon(1, 1), Delta(1, 10)}, 1},
                                  {ApproximateEvent{Epsilon(2, 1), Delta(1, 5)}, 1}};
  EXPECT_NEAR(DeltaAt(pair, 3).upper, 0.28, 1e-9);
  EXPECT_NEAR(EpsilonOf({Laplace(1, 1, 3), Laplace(1, 2, 2)}, "1e-14").upper, 4, 1e-6);
  EXPECT_NEAR(DeltaAt({{GaussianEvent{ParseRational("1.7320508075688772").value()}, 3}}, 1).upper,
              0.126936, 1e-6);
  EXPECT_NEAR(EpsilonOf({Sampled("0.67379294682", "0.01", 1)}, "1e-5").upper, 1, 1e-4);
  const Rational scaled = ParseRational("3.20956502598").value() / 6;
  EXPECT_NEAR(EpsilonOf({{SubsampledGaussianEvent{scaled, Rational(1, 1000)}, 25}}, "1e-5").upper,
              1, 1e-3);
  // smallest scales, to the precision of the source
  EXPECT_NEAR(EpsilonOf({{LaplaceEvent{Epsilon(10, 136)}, 20}}, "1e-4").upper, 1, 1e-2);
  EXPECT_NEAR(EpsilonOf({{LaplaceEvent{Epsilon(1, 71)}, 500}}, "1e-4").upper, 1, 1e-2);
  EXPECT_NEAR(EpsilonOf({{DiscreteLaplaceEvent{1, Rational(1000, 73)}, 20}}, "1e-4").upper, 1,
              1e-2);
  // the parameter 1 / scale is 0.014, known to 0.001
  EXPECT_LT(EpsilonOf({{DiscreteLaplaceEvent{5, Rational(1000, 13)}, 20}}, "1e-4").upper, 1);
  EXPECT_GT(EpsilonOf({{DiscreteLaplaceEvent{5, Rational(1000, 15)}, 20}}, "1e-4").lower, 1);
}

// The same file of masses as in privacy_loss_distribution_test.py of that library.
TEST(Pld, ConnectsTheDotsWithTheKnownMasses) {
  const Mesh mesh{Rational(1), 1};
  const Losses losses = CutLosses(LaplaceEvent{Epsilon(1, 1)}, Direction::kRemove, mesh, 1, 1e-30);
  const LossMeasure upper = UpperMeasure(losses, 1);
  ASSERT_EQ(upper.mass.size(), 3u);
  EXPECT_NEAR(upper.mass[0], 0.22898999, 1e-8);
  EXPECT_NEAR(upper.mass[1], 0.14855068, 1e-8);
  EXPECT_NEAR(upper.mass[2], 0.62245933, 1e-8);
  const Losses discrete = CutLosses(DiscreteLaplaceEvent{2, 1}, Direction::kRemove, mesh, 1, 1e-30);
  const LossMeasure exact = UpperMeasure(discrete, 1);
  EXPECT_NEAR(exact.mass[4], 0.731058579, 1e-9);
  EXPECT_NEAR(exact.mass[2], 0.170003402, 1e-9);
  EXPECT_NEAR(exact.mass[0], 0.098938020, 1e-9);
}

TEST(Pld, RandomisedResponseIsTheOptimalComposition) {
  for (const uint64_t count : {1u, 7u, 100u, 1000u}) {
    const std::vector<Term> terms = {{PureEvent{Epsilon(1, 10)}, count}};
    const Bound exact = OptimalEpsilonUp(terms, DeltaOf("1e-5"));
    const Bracket bracket = EpsilonOf(terms, "1e-5");
    EXPECT_GE(bracket.upper, *exact.epsilon * (1 - 1e-13)) << count;
    EXPECT_NEAR(bracket.upper, *exact.epsilon, 1e-9 * *exact.epsilon) << count;
    EXPECT_LE(bracket.lower, *exact.epsilon) << count;
  }
}

TEST(Pld, BracketsTheClosedFormsOfOneRelease) {
  const std::vector<Event> events = {
      LaplaceEvent{Epsilon(7, 10)}, DiscreteLaplaceEvent{3, Rational(7, 2)},
      SubsampledGaussianEvent{Rational(6, 5), Rational(1, 30)}, PureEvent{Epsilon(3, 7)},
      ApproximateEvent{Epsilon(1, 2), Delta(1, 1000)}};
  for (const Event& event : events) {
    for (const double epsilon : {0.0, 0.05, 0.31, 0.6}) {
      const double exact = DeltaUp(event, epsilon);
      const Bracket bracket = DeltaAt({{event, 1}}, epsilon);
      EXPECT_LE(bracket.lower, exact * (1 + 1e-12) + 1e-300) << event.index() << " " << epsilon;
      EXPECT_GE(bracket.upper, exact * (1 - 1e-12)) << event.index() << " " << epsilon;
      EXPECT_LE(bracket.upper - bracket.lower, 2e-3) << event.index() << " " << epsilon;
    }
  }
}

// A Gaussian in the company of a release that costs nearly nothing goes through the grid.
TEST(Pld, BracketsTheAnalyticGaussianOnTheGrid) {
  const std::vector<Term> terms = {{GaussianEvent{2}, 4}, Laplace(1, 1000000000, 1)};
  const double exact = GaussianEpsilonUp(1, DeltaOf("1e-5"));
  const Bracket bracket = EpsilonOf(terms, "1e-5");
  EXPECT_GE(bracket.upper, exact);
  EXPECT_LE(bracket.upper, exact * (1 + 1e-4));
  EXPECT_LE(bracket.lower, exact + 1e-8);
}

TEST(Pld, MillionFoldSamplingIsKnownToAThousandth) {
  const Bracket bracket = EpsilonOf({Sampled("2", "0.001", 1000000)}, "1e-5");
  EXPECT_LE(bracket.upper - bracket.lower, 1e-3);
  EXPECT_GT(bracket.lower, 2);
}

TEST(Pld, MixedTermsCostAtLeastEachAndAtMostTheirSum) {
  const std::vector<Term> a = {Laplace(1, 3, 10)};
  const std::vector<Term> b = {Sampled("1", "0.01", 100)};
  const Bracket both = EpsilonOf({a[0], b[0]}, "2e-5");
  EXPECT_GE(both.upper, EpsilonOf(a, "2e-5").lower);
  EXPECT_LE(both.lower, EpsilonOf(a, "1e-5").upper + EpsilonOf(b, "1e-5").upper);
}

// laplace_vector.md: the coordinates of a vector are separate releases with parts of its
// sensitivity.
TEST(Pld, AVectorWithLaplaceNoiseCostsNoMoreThanANumber) {
  const std::vector<std::vector<int>> splits = {{5, 7}, {1, 11}, {4, 4, 4}, {3, 3, 3, 3}};
  for (const std::vector<int>& split : splits) {
    std::vector<Term> vector;
    std::vector<Term> lattice_vector;
    for (const int part : split) {
      vector.push_back(Laplace(part, 10, 1));
      lattice_vector.push_back({DiscreteLaplaceEvent{part, 10}, 1});
    }
    const Term number = Laplace(12, 10, 1);
    const Term lattice_number{DiscreteLaplaceEvent{12, 10}, 1};
    for (int i = 0; i < 12; ++i) {
      const double epsilon = 0.1 * i + 0.03;
      EXPECT_LE(DeltaAt(vector, epsilon).lower, DeltaUp(number.event, epsilon));
      EXPECT_LE(DeltaAt(vector, epsilon).upper, DeltaUp(number.event, epsilon) * (1 + 1e-4));
      EXPECT_LE(DeltaAt(lattice_vector, epsilon).upper,
                DeltaUp(lattice_number.event, epsilon) * (1 + 1e-9));
    }
  }
}

TEST(Pld, RefusesWhatIsNotProven) {
  const auto replaced =
      EpsilonBracket({Sampled("1", "0.01", 1)}, DeltaOf("1e-5"), Neighbours::kReplaceOne);
  ASSERT_FALSE(replaced.ok());
  EXPECT_NE(replaced.error().public_message.find("replace_one"), std::string::npos);
  EXPECT_FALSE(
      EpsilonBracket({{DiscreteGaussianEvent{2, 1}, 1}}, DeltaOf("1e-5"), Neighbours::kAddRemove)
          .ok());
  EXPECT_FALSE(EpsilonBracket({{ApproximateEvent{Epsilon(1, 1), Delta(1, 5)}, 1}}, DeltaOf("0.1"),
                              Neighbours::kAddRemove)
                   .ok());
}

}  // namespace
}  // namespace tacit::accounting::pld
