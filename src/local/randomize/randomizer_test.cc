#include "local/randomize/randomizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/testing/tape_entropy.h"

namespace tacit::local {
namespace {

using testing::SeededEntropy;
using testing::TapeEntropy;

Design Made(Mechanism mechanism, uint32_t values, uint32_t ticks_max = 0) {
  return MakeDesign({mechanism, values, Epsilon(1, 1), ticks_max}).value();
}

TEST(BernoulliLanes, ALaneSaysWhetherItsNumberIsBelowTheThreshold) {
  SeededEntropy random(20260729);
  for (int round = 0; round < 2'000; ++round) {
    uint64_t threshold = random.NextWord();
    if (round % 4 == 0) threshold <<= round / 4 % 64;  // many trailing zeros
    if (round % 4 == 1) threshold >>= round / 4 % 64;
    std::array<uint64_t, 64> numbers;
    for (uint64_t& number : numbers) number = random.NextWord();
    numbers[0] = threshold;
    numbers[1] = threshold - 1;
    numbers[2] = threshold + 1;
    numbers[3] = 0;
    numbers[4] = ~uint64_t{0};
    for (size_t i = 5; i < 30; ++i) numbers[i] = threshold ^ (uint64_t{1} << (i * 2));
    int bit = 63;
    const uint64_t lanes = BernoulliLanes(threshold, [&] {
      uint64_t word = 0;
      for (size_t lane = 0; lane < 64; ++lane) word |= (numbers[lane] >> bit & 1) << lane;
      --bit;
      return word;
    });
    for (size_t lane = 0; lane < 64; ++lane) {
      ASSERT_EQ(lanes >> lane & 1, numbers[lane] < threshold) << threshold << " " << numbers[lane];
    }
  }
}

TEST(Randomizer, TheCoinDecidesExactlyAtTheThreshold) {
  const Randomizer randomizer(Made(Mechanism::kWarner, 2));
  const uint64_t keep = randomizer.design().keep;
  TapeEntropy tape({0, keep - 1, keep, ~uint64_t{0}});
  EXPECT_EQ(randomizer.Kary(1, tape), 1u);
  EXPECT_EQ(randomizer.Kary(1, tape), 1u);
  EXPECT_EQ(randomizer.Kary(1, tape), 0u);
  EXPECT_EQ(randomizer.Kary(1, tape), 0u);
}

TEST(Randomizer, ALieIsAnyOfTheOthersAndNeverTheTruth) {
  const Randomizer randomizer(Made(Mechanism::kKary, 5));
  const uint64_t quarter = uint64_t{1} << 62;
  for (uint32_t value = 0; value < 5; ++value) {
    std::map<uint32_t, int> seen;
    for (uint64_t other = 0; other < 4; ++other) {
      TapeEntropy tape({~uint64_t{0}, other * quarter});
      ++seen[randomizer.Kary(value, tape)];
    }
    EXPECT_EQ(seen.size(), 4u);
    EXPECT_FALSE(seen.contains(value));
  }
}

TEST(Randomizer, TheNumberOfWordsDrawnDoesNotDependOnTheAnswer) {
  for (const Mechanism mechanism :
       {Mechanism::kKary, Mechanism::kHashing, Mechanism::kSymmetric, Mechanism::kOptimal}) {
    const Randomizer randomizer(Made(mechanism, 100));
    SeededEntropy source(7);
    std::vector<uint64_t> words(400);
    for (uint64_t& word : words) word = source.NextWord();
    std::optional<size_t> drawn;
    for (uint32_t value = 0; value < 100; ++value) {
      TapeEntropy tape(words);
      Report report;
      randomizer.Randomize(value, tape, report);
      if (!drawn) drawn = tape.WordsRead();
      EXPECT_EQ(tape.WordsRead(), *drawn) << NameOf(mechanism);
    }
  }
}

TEST(Randomizer, BitsBeyondTheLastValueStayZero) {
  for (const uint32_t values : {2, 63, 64, 65, 130}) {
    const Randomizer randomizer(Made(Mechanism::kOptimal, values));
    for (int i = 0; i < 100; ++i) {
      Report report;
      randomizer.Randomize(values - 1, Entropy::ForThisThread(), report);
      EXPECT_EQ(report.bits.size(), WordsFor(values));
      EXPECT_EQ(report.bits.back() & ~LastWordMask(values), 0u);
    }
  }
}

// Shares over 200,000 reports, five standard deviations: false alarm below 6e-7 a share, and the
// twin with a wrong threshold must fail.
void ExpectShare(double share, const Rational& expected, bool same) {
  const double p = expected.get_d();
  const double sigma = std::sqrt(p * (1 - p) / 200'000);
  EXPECT_EQ(std::abs(share - p) < 5 * sigma, same) << share << " " << p;
}

TEST(Randomizer, SupportHappensAsOftenAsTheDesignSays) {
  constexpr uint32_t kValues = 10;
  for (const Mechanism mechanism : {Mechanism::kKary, Mechanism::kSymmetric, Mechanism::kOptimal,
                                    Mechanism::kHashing, Mechanism::kSeveral}) {
    const Design design = Made(mechanism, kValues);
    Design biased = design;
    biased.keep += biased.keep / 20;
    for (const bool right : {true, false}) {
      const Randomizer randomizer(right ? design : biased);
      const std::optional<HashFamily> family =
          design.buckets ? std::optional<HashFamily>(std::in_place, kValues, design.buckets)
                         : std::nullopt;
      double held = 0;
      double other = 0;
      Report report;
      const auto supports = [&](uint32_t value) {
        if (HasBits(mechanism)) return (report.bits[0] & BitOf(value)) != 0;
        return report.value == (family ? family->Hash(report.seed, value) : value);
      };
      for (int i = 0; i < 200'000; ++i) {
        if (mechanism == Mechanism::kSeveral) {
          const std::array<uint32_t, 2> set = {3, 7};
          randomizer.RandomizeSet(set, Entropy::ForThisThread(), report);
        } else {
          randomizer.Randomize(3, Entropy::ForThisThread(), report);
        }
        held += supports(3);
        other += supports(5);
      }
      ExpectShare(held / 200'000, SupportOf(design).held, right);
      if (right) ExpectShare(other / 200'000, SupportOf(design).other, true);
    }
  }
}

}  // namespace
}  // namespace tacit::local
