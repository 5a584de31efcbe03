#include "noise/exponential_mechanism/exponential_mechanism.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/testing/tape_entropy.h"
#include "noise/exponential/exp_bounds.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {

// Compares the 63-bit image of an arrival time with exact arithmetic.
class RaceProbe {
 public:
  static Int128 Image(const Race& race, const Exponential& e, const Runner& runner) {
    return race.ArrivalImage(e, runner);
  }
  static bool ArrivesBefore(const Race& race, Exponential a, const Runner& runner_a, Exponential b,
                            const Runner& runner_b, Entropy& entropy) {
    return runner_a.handicap >= runner_b.handicap
               ? race.ArrivesBefore(a, runner_a, b, runner_b, entropy)
               : !race.ArrivesBefore(b, runner_b, a, runner_a, entropy);
  }
};

namespace {

using ::tacit::testing::SeededEntropy;
using ::tacit::testing::TapeEntropy;
using Candidate = ExponentialMechanism::Candidate;

ExponentialMechanism Make(const char* epsilon, int sensitivity = 1) {
  return ExponentialMechanism::Make(
             {.spread = 2 * sensitivity, .epsilon = Epsilon(ParseRational(epsilon).value())})
      .value();
}

// The image of an exact time, by arbitrary precision: log2-linear with 63 bits below the leading
// one.
Integer ExactImage(const Rational& time) {
  const auto size = static_cast<long>(mpz_sizeinbase(time.get_num_mpz_t(), 2)) -
                    static_cast<long>(mpz_sizeinbase(time.get_den_mpz_t(), 2));
  for (long exponent = size;; --exponent) {
    const Integer power = Integer(1) << static_cast<unsigned long>(std::labs(exponent));
    const Rational mantissa = exponent >= 0 ? Rational(time / power) : Rational(time * power);
    if (mantissa >= 1) {
      return Integer(exponent) * (Integer(1) << 63) + FloorOf((mantissa - 1) * (Integer(1) << 63));
    }
  }
}

// The images are shifted by a constant (a power of two): differences are what must agree.
TEST(Race, ImagesEncloseTheExactArrivalTimes) {
  SeededEntropy entropy(5);
  for (const char* text : {"1/2", "0.05", "7", "1e-9", "123.456", "1000"}) {
    const Rational rate = ParseRational(text).value();
    const Race race(rate);
    Integer shift;
    bool have_shift = false;
    for (int i = 0; i < 400; ++i) {
      Exponential e = Exponential::Draw(entropy);
      const Rational most_handicap = 400 / rate;  // e^400 at most
      Runner runner{.handicap = FloorOf(most_handicap * Rational(i, 400)).get_ui(),
                    .multiplicity = (entropy.NextWord() >> (entropy.NextWord() % 64)) | 1};
      if (i == 0) runner = {};
      const Int128 image = RaceProbe::Image(race, e, runner);
      const Integer growth = ExpOfPlus(rate * static_cast<unsigned long>(runner.handicap), 256).low;
      const Rational time =
          Fraction(e.FloorAt(6, entropy) * growth,
                   (Integer(1) << (384 + 256)) * static_cast<unsigned long>(runner.multiplicity));
      const Integer exact = ExactImage(time);
      if (!have_shift) {
        // Whole exponents only: the constant is a power of two.
        const Integer unit = Integer(1) << 63;
        shift = FloorOf(Fraction(exact - ToInteger(image) + unit / 2, unit)) * unit;
        have_shift = true;
      }
      const Integer slack = exact - (ToInteger(image) + shift);
      ASSERT_GE(slack, 0) << text << " " << i;
      ASSERT_LE(slack, ToInteger(kImageSlack)) << text << " " << i;
    }
  }
}

TEST(Race, TheFastWinnerIsTheExactOne) {
  SeededEntropy entropy(6);
  for (const char* text : {"1/2", "1e-6", "40", "1e12", "1e-30"}) {
    const Race race(ParseRational(text).value());
    for (int round = 0; round < 100; ++round) {
      std::vector<Runner> runners(8);
      for (Runner& runner : runners) {
        runner.handicap = entropy.NextWord() >> (entropy.NextWord() % 64);
        runner.multiplicity = (entropy.NextWord() >> (entropy.NextWord() % 64)) | 1;
      }
      runners[entropy.NextWord() % 8].handicap = 0;
      // The same stream twice: once for the race, once to hold the variates it draws.
      const uint64_t seed = entropy.NextWord();
      SeededEntropy first(seed);
      SeededEntropy second(seed);
      const size_t winner = race.Winner(runners, first);
      std::vector<Exponential> drawn;
      for (size_t i = 0; i < runners.size(); ++i) drawn.push_back(Exponential::Draw(second));
      for (size_t i = 0; i < runners.size(); ++i) {
        if (i == winner) continue;
        ASSERT_TRUE(RaceProbe::ArrivesBefore(race, drawn[winner], runners[winner], drawn[i],
                                             runners[i], second))
            << text << " round " << round;
      }
    }
  }
}

TEST(Race, EqualPrefixesAreToldApartByFurtherWords) {
  // Two runners with the same seven words: the next word of each decides.
  const std::vector<uint64_t> same = {~uint64_t{0}, 5, 7, 9, 11, 13, ~uint64_t{0}};
  for (const bool second_is_smaller : {false, true}) {
    std::vector<uint64_t> tape = same;
    tape.insert(tape.end(), same.begin(), same.end());
    // The comparison reads a word for the later one in the list first, then one for the other.
    tape.insert(tape.end(), {second_is_smaller ? uint64_t{1} : uint64_t{9},
                             second_is_smaller ? uint64_t{9} : uint64_t{1}});
    TapeEntropy entropy(tape);
    const std::vector<Runner> runners(2);
    EXPECT_EQ(Race(1).Winner(runners, entropy), second_is_smaller ? 1u : 0u);
    EXPECT_EQ(entropy.WordsRead(), tape.size());
  }
}

TEST(ExponentialMechanism, ChoosesWithTheExactChancesAndABiasedTwinDoesNot) {
  SeededEntropy entropy(testing::TestSeed());
  const int count = testing::IsLongRun() ? 50'000'000 : 200'000;
  const std::vector<Candidate> candidates = {{.utility = -3},
                                             {.utility = 0, .multiplicity = 2},
                                             {.utility = 5},
                                             {.utility = 4},
                                             {.utility = 5},
                                             {.utility = -40},
                                             {.utility = 1, .multiplicity = 7}};
  const ExponentialMechanism mechanism = Make("0.9", 2);
  const ExponentialMechanism twin = Make("0.95", 2);
  testing::Histogram fair(0, 6);
  testing::Histogram biased(0, 6);
  for (int i = 0; i < count; ++i) {
    fair.Add(static_cast<int64_t>(mechanism.Apply(candidates, entropy)));
    biased.Add(static_cast<int64_t>(twin.Apply(candidates, entropy)));
  }
  const auto weight = [&](const Candidate& c) {
    return static_cast<double>(c.multiplicity) * std::exp(0.9 * static_cast<double>(c.utility) / 4);
  };
  double total = 0;
  for (const Candidate& c : candidates) total += weight(c);
  const auto chance = [&](int64_t i) { return weight(candidates[static_cast<size_t>(i)]) / total; };
  EXPECT_LT(fair.Deviation(chance, 0, 0), testing::kAlarm);
  EXPECT_GT(biased.Deviation(chance, 0, 0), testing::kAlarm);
}

TEST(ExponentialMechanism, ExtremeUtilitiesAndPricesNeitherOverflowNorHang) {
  SeededEntropy entropy(8);
  const std::vector<Candidate> extreme = {{.utility = std::numeric_limits<int64_t>::min()},
                                          {.utility = std::numeric_limits<int64_t>::max()},
                                          {.utility = 0}};
  for (const char* epsilon : {"1e-30", "0.1", "1", "1e9", "1e300"}) {
    const size_t chosen = Make(epsilon).Apply(extreme, entropy);
    if (std::string(epsilon) != "1e-30") {
      EXPECT_EQ(chosen, 1u) << epsilon;
    }
  }
  const std::vector<Candidate> close = {{.utility = 7}, {.utility = 8}, {.utility = 7}};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Make("1e9").Apply(close, entropy), 1u);
}

TEST(ExponentialMechanism, RefusesBadParametersAndEmptySets) {
  EXPECT_FALSE(ExponentialMechanism::Make({.spread = 0, .epsilon = Epsilon(1, 1)}).ok());
  EXPECT_FALSE(ExponentialMechanism::Make({.spread = 1, .epsilon = Epsilon(0, 1)}).ok());
  EXPECT_FALSE(CheckCandidates({}).ok());
  EXPECT_FALSE(CheckCandidates({{.utility = 1, .multiplicity = 0}}).ok());
  EXPECT_TRUE(CheckCandidates({{.utility = 1}}).ok());
}

TEST(ExponentialMechanism, TheLossAt95HoldsInTheWorstCase) {
  // One best candidate against 99 that are exactly one beyond the loss.
  const ExponentialMechanism mechanism = Make("2");
  const Integer loss = mechanism.UtilityLossAt95(100);
  double others = 99 * std::exp(-1.0 * (loss.get_d() + 1));
  EXPECT_LE(others / (1 + others), 0.05);
}

}  // namespace
}  // namespace tacit::noise
