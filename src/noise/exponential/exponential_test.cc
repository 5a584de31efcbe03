#include "noise/exponential/exponential.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/testing/tape_entropy.h"
#include "noise/exponential/exp_bounds.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;
using ::tacit::testing::TapeEntropy;

constexpr uint64_t kKeep = ~uint64_t{0};  // the largest word is kept whatever the draw
constexpr uint64_t kNoSixteen = ~uint64_t{0};

uint64_t Threshold(int n, const Rational& weight) { return DigitThreshold(n, weight, 64).get_ui(); }

// The word in the middle of those that make the digit n, and how many words do, of 2^64.
struct DigitWords {
  uint64_t middle;
  Integer count;
};
DigitWords WordsOfDigit(int n, const Rational& weight) {
  const Integer above =
      n == 0 ? Integer(1) << 64 : Integer(static_cast<unsigned long>(Threshold(n, weight)));
  const Integer below =
      n == 15 ? Integer(0) : Integer(static_cast<unsigned long>(Threshold(n + 1, weight)));
  return {.middle = Integer((above + below) / 2).get_ui(), .count = above - below};
}

uint64_t DrawDigit(int place, uint64_t word, std::vector<uint64_t> after = {}) {
  std::vector<uint64_t> tape = {kNoSixteen, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};
  tape[static_cast<size_t>(place + 1)] = word;
  tape.insert(tape.end(), after.begin(), after.end());
  tape.insert(tape.end(), {0, 0, kKeep});
  TapeEntropy entropy(tape);
  Exponential e = Exponential::Draw(entropy);
  EXPECT_EQ(entropy.WordsRead(), tape.size());
  return static_cast<uint64_t>(e.FloorTimes(uint64_t{1} << (4 * place), entropy));
}

// A digit is a falling step function of its word, so its value on both sides of every step fixes it
// on all 2^64 tapes; the words on the step itself are decided by the next word, in the same way.
TEST(Exponential, EveryDigitHasItsExactChance) {
  const Rational weights[] = {Rational(1), Rational(1, 16), Rational(1, 256)};
  for (int place = 0; place < 3; ++place) {
    const Rational& weight = weights[place];
    for (int n = 1; n < 16; ++n) {
      const uint64_t step = Threshold(n, weight);
      EXPECT_EQ(DrawDigit(place, step - 1), static_cast<uint64_t>(n));
      EXPECT_EQ(DrawDigit(place, step + 1), static_cast<uint64_t>(n - 1));
      const Integer finer = DigitThreshold(n, weight, 128);
      const uint64_t second = Integer(finer & Integer(~0ul)).get_ui();
      EXPECT_EQ(Integer(finer >> 64).get_ui(), step);
      EXPECT_EQ(DrawDigit(place, step, {second - 1}), static_cast<uint64_t>(n));
      EXPECT_EQ(DrawDigit(place, step, {second + 1}), static_cast<uint64_t>(n - 1));
      const uint64_t third = Integer(DigitThreshold(n, weight, 192) & Integer(~0ul)).get_ui();
      EXPECT_EQ(DrawDigit(place, step, {second, third - 1}), static_cast<uint64_t>(n));
      EXPECT_EQ(DrawDigit(place, step, {second, third + 1}), static_cast<uint64_t>(n - 1));
    }
  }
}

// All 4,096 classes of tapes by their three digits: the words of a class times the exact share of
// each must add up to e^(-k/256) (1 - e^(-1/256)) for floor(256 E) = k, but for the ties of 2^-64.
TEST(Exponential, AllTapesByClassAddUpToTheExactProbabilities) {
  const Integer one = Integer(1) << 192;
  for (int k = 0; k < 4096; ++k) {
    const DigitWords ones = WordsOfDigit(k >> 8, 1);
    const DigitWords first = WordsOfDigit(k >> 4 & 15, Rational(1, 16));
    const DigitWords second = WordsOfDigit(k & 15, Rational(1, 256));
    TapeEntropy tape({kNoSixteen, ones.middle, first.middle, second.middle, 0, 0, kKeep});
    Exponential e = Exponential::Draw(tape);
    ASSERT_EQ(static_cast<int>(e.FloorTimes(256, tape)), k);
    const Rational share(ones.count * first.count * second.count, one);
    // Given that E < 16: divide by 1 - e^-16.
    const double exact = std::exp(-k / 256.0) * -std::expm1(-1 / 256.0) / -std::expm1(-16.0);
    ASSERT_NEAR(share.get_d() / exact, 1, 1e-12) << k;
  }
}

TEST(Exponential, LargeValuesAreReachedThroughTies) {
  const auto draw = [](std::vector<uint64_t> words) {
    // The words that decide a tie follow the four digit words.
    std::vector<uint64_t> tape = {words[0], ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};
    tape.insert(tape.end(), words.begin() + 1, words.end());
    tape.insert(tape.end(), {0, 0, kKeep});
    TapeEntropy entropy(tape);
    Exponential e = Exponential::Draw(entropy);
    return static_cast<uint64_t>(e.FloorTimes(1, entropy));
  };
  const uint64_t once = ExpThreshold(16, 64).get_ui();
  const uint64_t twice = ExpThreshold(32, 64).get_ui();
  EXPECT_EQ(draw({once + 1}), 0u);
  EXPECT_EQ(draw({once - 1}), 16u);
  EXPECT_EQ(draw({twice + 1}), 16u);
  EXPECT_EQ(draw({twice - 1}), 32u);
  EXPECT_EQ(draw({once, 0}), 16u);
  EXPECT_EQ(draw({once, ~uint64_t{0}}), 0u);
  EXPECT_EQ(draw({0, ~uint64_t{0}}), 32u);
  // 2^-64 * u below e^-48 but above e^-64.
  const uint64_t thrice = ExpThreshold(48, 128).get_ui();
  EXPECT_EQ(draw({0, thrice - 1}), 48u);
  EXPECT_EQ(draw({0, thrice + 1}), 32u);
  // Two words of zeros leave 128 bits undecided: e^-96 is below 2^-138.
  EXPECT_EQ(draw({0, 0, ~uint64_t{0}}), 80u);
}

// The rest below 2^-8 is turned away exactly when the third word is below 1 - e^-rest.
TEST(Exponential, TheRestIsKeptWithItsExactChance) {
  const uint64_t rest_words[] = {0, uint64_t{1} << 63, 0x123456789abcdef0, ~uint64_t{0}};
  for (const uint64_t rest : rest_words) {
    const Integer bits = (Integer(static_cast<unsigned long>(rest)) << 56);
    const Rational x = Fraction(bits, Integer(1) << 128);  // the rest, with the low word 0
    const Integer one = Integer(1) << 128;
    const Integer edge = one - ExpOfMinus(x, 128).high;
    const uint64_t high = Integer(edge >> 64).get_ui();
    const uint64_t low = Integer(edge & Integer(~0ul)).get_ui();
    const auto kept = [&](uint64_t word, uint64_t next) {
      TapeEntropy tape({kNoSixteen, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, rest, 0, word, next,
                        77, kKeep, 88, kKeep, 99});
      Exponential e = Exponential::Draw(tape);
      return static_cast<uint64_t>(e.FloorAt64()) == rest >> 8;
    };
    EXPECT_TRUE(kept(high + 100, 0));
    if (high > 100) {
      EXPECT_FALSE(kept(high - 100, 0));
    }
    // Within the slack the next word decides, to the last bit but the two that rounding leaves.
    EXPECT_TRUE(kept(high, low + 4));
    if (low > 4) {
      EXPECT_FALSE(kept(high, low - 4));
    }
  }
}

TEST(Exponential, TheFastProductIsTheExactOneAndSaysWhenItCannotTell) {
  SeededEntropy seeded(7);
  for (int i = 0; i < 20000; ++i) {
    Exponential e = Exponential::Draw(seeded);
    const uint64_t factor = seeded.NextWord() >> (seeded.NextWord() % 64);
    Exponential same = e;
    EXPECT_EQ(ToInteger(static_cast<Int128>(e.FloorTimes(factor, seeded))),
              same.FloorTimes(Integer(static_cast<unsigned long>(factor)), seeded));
  }
  // E just below 1/3, known to 128 places: 3 E is 1 or not by the next word only.
  const uint64_t third = ~uint64_t{0} / 3;  // 0x5555...
  const DigitWords five = WordsOfDigit(5, Rational(1, 16));
  const DigitWords also_five = WordsOfDigit(5, Rational(1, 256));
  for (const bool above : {false, true}) {
    TapeEntropy tape({kNoSixteen, ~uint64_t{0}, five.middle, also_five.middle, third, third, kKeep,
                      above ? ~uint64_t{0} : 0});
    Exponential e = Exponential::Draw(tape);
    EXPECT_EQ(static_cast<int>(e.FloorTimes(3, tape)), above ? 1 : 0);
    EXPECT_EQ(tape.WordsRead(), 8u);
  }
}

TEST(Exponential, IsAboveReadsFurtherOnlyWhenItMust) {
  TapeEntropy tape({kNoSixteen, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, 1 << 8, 0, kKeep, 5});
  Exponential e = Exponential::Draw(tape);  // 2^-64, then unknown places
  EXPECT_TRUE(e.IsAbove(Fraction(1, Integer(1) << 65), tape));
  EXPECT_FALSE(e.IsAbove(Fraction(1, Integer(1) << 63), tape));
  EXPECT_EQ(tape.WordsRead(), 7u);
  // 2^-64 + 4 * 2^-192 needs the third word of places, which is 5.
  EXPECT_TRUE(e.IsAbove(Fraction((Integer(1) << 128) + 4, Integer(1) << 192), tape));
  EXPECT_EQ(tape.WordsRead(), 8u);
}

TEST(Exponential, FitsItsDensityAndABiasedTwinDoesNot) {
  SeededEntropy entropy(testing::TestSeed());
  const int count = testing::IsLongRun() ? 100'000'000 : 2'000'000;
  testing::Histogram fair(0, 3000);
  testing::Histogram biased(0, 3000);
  for (int i = 0; i < count; ++i) {
    Exponential e = Exponential::Draw(entropy);
    fair.Add(static_cast<int64_t>(e.FloorTimes(256, entropy)));
    biased.Add(static_cast<int64_t>(e.FloorTimes(264, entropy)));
  }
  const auto chance = [](int64_t k) {
    return std::exp(-static_cast<double>(k) / 256) * -std::expm1(-1 / 256.0);
  };
  const double above = std::exp(-3001 / 256.0);
  EXPECT_LT(fair.Deviation(chance, 0, above), testing::kAlarm);
  EXPECT_GT(biased.Deviation(chance, 0, above), testing::kAlarm);
}

}  // namespace
}  // namespace tacit::noise
