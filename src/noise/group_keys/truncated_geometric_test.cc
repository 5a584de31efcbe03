#include "noise/group_keys/truncated_geometric.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/testing/tape_entropy.h"
#include "noise/exponential/exp_bounds.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::TapeEntropy;

TruncatedGeometric MakeGeometric(const char* epsilon, const char* delta, uint64_t groups = 1) {
  return TruncatedGeometric::Make({.epsilon = Epsilon(ParseRational(epsilon).value()),
                                   .delta = Delta(ParseRational(delta).value()),
                                   .groups_per_unit = groups})
      .value();
}

Rational ChanceOf(const TruncatedGeometric& mechanism, uint64_t units) {
  const TruncatedGeometric::Chance chance = mechanism.ChanceShown(units);
  if (chance.always) return 1;
  const Integer high = static_cast<unsigned long>(chance.scaled >> 64);
  const Integer low = static_cast<unsigned long>(chance.scaled);
  return Fraction((high << 64) + low, Integer(1) << 128);
}

// The claim itself, in exact arithmetic, for every pair of neighbouring group sizes: showing and
// not showing are both (epsilon, delta)-indistinguishable in both directions.
TEST(TruncatedGeometric, EveryEntryOfTheTableKeepsThePromiseExactly) {
  for (const char* epsilon : {"0.01", "0.1", "1", "3", "31", "100"}) {
    for (const char* delta : {"1e-12", "1e-5", "0.1"}) {
      for (const uint64_t groups : {1, 3}) {
        const TruncatedGeometric mechanism = MakeGeometric(epsilon, delta, groups);
        const Rational share = ParseRational(epsilon).value() / static_cast<unsigned long>(groups);
        const Rational d = ParseRational(delta).value() / static_cast<unsigned long>(groups);
        const Rational growth = Fraction(ExpOfPlus(share, 256).low, Integer(1) << 256);
        Rational before = 0;
        ASSERT_EQ(ChanceOf(mechanism, 0), 0);
        for (uint64_t n = 1; n <= mechanism.ShownAlways() + 1; ++n) {
          const Rational after = ChanceOf(mechanism, n);
          ASSERT_LE(before, after) << "larger groups are shown more often";
          ASSERT_LE(after, growth * before + d);
          ASSERT_LE(1 - before, growth * (1 - after) + d);
          before = after;
        }
        ASSERT_EQ(before, 1);
      }
    }
  }
}

// The recurrence of the proof in whole numbers of any size, entry by entry.
TEST(TruncatedGeometric, TheTableIsThatOfExactArithmetic) {
  const Integer one = Integer(1) << 128;
  for (const char* epsilon : {"1e-30", "1e-6", "0.0025", "0.7", "1", "31.9", "32"}) {
    for (const char* delta : {"1e-38", "1e-11", "1e-3", "0.5", "0.999"}) {
      const Rational e = ParseRational(epsilon).value();
      const Rational d = ParseRational(delta).value();
      const Result<TruncatedGeometric> mechanism =
          TruncatedGeometric::Make({.epsilon = Epsilon(e), .delta = Delta(d)});
      if (!mechanism.ok()) continue;  // more than a million entries
      const Integer growth = ExpOfPlus(e, 64).low;
      const Integer step = FloorOf(d * one);
      Integer chance = 0;
      for (uint64_t n = 0; n <= mechanism->ShownAlways(); ++n) {
        ASSERT_EQ(ChanceOf(*mechanism, n), Fraction(chance, one)) << epsilon << " " << delta;
        Integer hidden;
        const Integer left = (one - chance - step) << 64;
        mpz_cdiv_q(hidden.get_mpz_t(), left.get_mpz_t(), growth.get_mpz_t());
        chance = std::min(Integer(((growth * chance) >> 64) + step),
                          Integer(one - std::max(hidden, Integer(0))));
      }
    }
  }
}

// One more in the last of 128 bits of delta would break it: the table leaves nothing unused.
TEST(TruncatedGeometric, AGroupOfOneIsShownWithExactlyDelta) {
  const TruncatedGeometric mechanism = MakeGeometric("1", "1e-5");
  const Rational delta(1, 100000);
  EXPECT_LE(ChanceOf(mechanism, 1), delta);
  EXPECT_GT(ChanceOf(mechanism, 1) + Fraction(1, Integer(1) << 128), delta);
}

TEST(TruncatedGeometric, ReproducesTheOptimalRule) {
  // epsilon 1, delta 1e-5, computed independently from the recursion of the paper.
  const TruncatedGeometric mechanism = MakeGeometric("1", "1e-5");
  EXPECT_NEAR(ChanceOf(mechanism, 5).get_d(), 8.579102488e-4, 1e-13);
  EXPECT_NEAR(ChanceOf(mechanism, 10).get_d(), 0.1281830805, 1e-10);
  EXPECT_NEAR(ChanceOf(mechanism, 12).get_d(), 0.7603109969, 1e-10);
  EXPECT_NEAR(ChanceOf(mechanism, 13).get_d(), 0.9118270223, 1e-10);
  EXPECT_NEAR(ChanceOf(mechanism, 20).get_d(), 0.9999254111, 1e-10);
  EXPECT_EQ(ChanceOf(mechanism, 24), 1);
  EXPECT_EQ(mechanism.ShownAtLeastHalf(), 12u);
}

// The draw is a step function of its 128 bits: both sides of each step fix it on all tapes.
TEST(TruncatedGeometric, EveryTapeShowsAGroupExactlyAsOftenAsTheTableSays) {
  const TruncatedGeometric mechanism = MakeGeometric("0.5", "1e-6");
  for (uint64_t n = 1; n < mechanism.ShownAlways(); ++n) {
    const UInt128 chance = mechanism.ChanceShown(n).scaled;
    const auto shown = [&](UInt128 word) {
      TapeEntropy tape({static_cast<uint64_t>(word >> 64), static_cast<uint64_t>(word)});
      return mechanism.Apply(n, tape);
    };
    EXPECT_TRUE(shown(chance - 1));
    EXPECT_FALSE(shown(chance));
  }
  TapeEntropy largest({~uint64_t{0}, ~uint64_t{0}});
  EXPECT_TRUE(mechanism.Apply(mechanism.ShownAlways(), largest));
  TapeEntropy smallest({0, 0});
  EXPECT_FALSE(mechanism.Apply(0, smallest)) << "an empty group is never shown";
}

TEST(TruncatedGeometric, RefusesWhatItCannotPromise) {
  const auto refused = [](const char* epsilon, const char* delta, uint64_t groups) {
    return !TruncatedGeometric::Make({.epsilon = Epsilon(ParseRational(epsilon).value()),
                                      .delta = Delta(ParseRational(delta).value()),
                                      .groups_per_unit = groups})
                .ok();
  };
  EXPECT_TRUE(refused("1", "0", 1));
  EXPECT_TRUE(refused("0", "1e-5", 1));
  EXPECT_TRUE(refused("1", "1", 1));
  EXPECT_TRUE(refused("1", "1e-5", 0));
  EXPECT_TRUE(refused("1", "1e-40", 1));
  EXPECT_TRUE(refused("1e-7", "1e-12", 1));
}

}  // namespace
}  // namespace tacit::noise
