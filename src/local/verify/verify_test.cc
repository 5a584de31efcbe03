#include "local/verify/verify.h"

#include <gtest/gtest.h>

#include "local/design/exact_log.h"
#include "local/design/hash_family.h"

namespace tacit::local {
namespace {

Design Made(Mechanism mechanism, uint32_t values, const Rational& epsilon, uint32_t ticks = 0) {
  return MakeDesign({mechanism, values, Epsilon(epsilon), ticks}).value();
}

TEST(Verify, EnumerationFindsTheRatioOfTheFormula) {
  for (const Rational& epsilon : {Rational(1, 10), Rational(1), Rational(3)}) {
    const std::vector<Design> designs = {
        Made(Mechanism::kWarner, 2, epsilon),     Made(Mechanism::kKary, 2, epsilon),
        Made(Mechanism::kKary, 14, epsilon),      Made(Mechanism::kSymmetric, 2, epsilon),
        Made(Mechanism::kSymmetric, 7, epsilon),  Made(Mechanism::kOptimal, 2, epsilon),
        Made(Mechanism::kOptimal, 7, epsilon),    Made(Mechanism::kHashing, 2, epsilon),
        Made(Mechanism::kHashing, 20, epsilon),   Made(Mechanism::kSeveral, 1, epsilon),
        Made(Mechanism::kSeveral, 5, epsilon),    Made(Mechanism::kSeveral, 5, epsilon, 1),
        Made(Mechanism::kSeveral, 5, epsilon, 2), Made(Mechanism::kSeveral, 5, epsilon, 3)};
    for (const Design& design : designs) {
      const Verdict verdict = VerifyDesign(design, Epsilon(epsilon)).value();
      EXPECT_TRUE(verdict.holds) << NameOf(design.mechanism) << " " << design.values;
      EXPECT_EQ(verdict.true_ratio, LikelihoodRatio(design)) << NameOf(design.mechanism);
    }
  }
}

TEST(Verify, EnumerationFindsTheSupportProbabilitiesSoEstimatesAreUnbiased) {
  for (const Mechanism mechanism :
       {Mechanism::kKary, Mechanism::kSymmetric, Mechanism::kOptimal, Mechanism::kHashing}) {
    const Design design = Made(mechanism, 9, Rational(3, 2));
    const Transitions table = EnumerateTransitions(design).value();
    const auto supports = [&](size_t report, uint32_t value) {
      if (HasBits(mechanism)) return (report >> value & 1) != 0;
      if (mechanism == Mechanism::kKary) return report == value;
      const HashFamily family(design.values, design.buckets);
      return family.Hash(static_cast<uint32_t>(report / design.buckets), value) ==
             report % design.buckets;
    };
    for (uint32_t held = 0; held < design.values; ++held) {
      for (uint32_t value = 0; value < design.values; ++value) {
        Integer weight = 0;
        for (size_t report = 0; report < table.weight[held].size(); ++report) {
          if (supports(report, value)) weight += table.weight[held][report];
        }
        Rational share(weight, table.total);
        share.canonicalize();
        const SupportProbabilities claimed = SupportOf(design);
        EXPECT_EQ(share, held == value ? claimed.held : claimed.other) << NameOf(mechanism);
      }
    }
  }
}

TEST(Verify, AThresholdThatIsOffByOneIsCaught) {
  for (const Mechanism mechanism : {Mechanism::kWarner, Mechanism::kKary, Mechanism::kHashing}) {
    Design design = Made(mechanism, mechanism == Mechanism::kWarner ? 2 : 9, 1);
    EXPECT_TRUE(VerifyDesign(design, Epsilon(1, 1)).value().holds);
    ++design.keep;
    EXPECT_FALSE(VerifyDesign(design, Epsilon(1, 1)).value().holds) << NameOf(mechanism);
  }
  Design design = Made(Mechanism::kOptimal, 5, 1);
  --design.lie;
  EXPECT_FALSE(VerifyDesign(design, Epsilon(1, 1)).value().holds);
}

TEST(Verify, UnaryEncodingWithTheWrongSplitIsCaught) {
  // The classic mistake: every bit gets the whole epsilon, but two people differ in two bits.
  const Design one_bit = Made(Mechanism::kWarner, 2, 1);
  Design broken{.mechanism = Mechanism::kSymmetric, .values = 4};
  broken.keep = one_bit.keep;
  broken.lie = ~one_bit.keep + 1;
  const Verdict verdict = VerifyDesign(broken, Epsilon(1, 1)).value();
  EXPECT_FALSE(verdict.holds);
  EXPECT_TRUE(LogAtMost(verdict.true_ratio, 2));
  EXPECT_FALSE(LogAtMost(verdict.true_ratio, Rational(199, 100)));

  // The other one: the fair coin of the optimal split beside the rare bits of the symmetric one
  // for the same epsilon, which is too little noise where it counts.
  Design mixed = Made(Mechanism::kOptimal, 4, 1);
  mixed.keep = one_bit.keep;
  EXPECT_FALSE(VerifyDesign(mixed, Epsilon(1, 1)).value().holds);
}

TEST(Verify, SeveralThatForgetsHowManyBitsCanDifferIsCaught) {
  Design broken = Made(Mechanism::kSeveral, 5, 1, 1);  // two bits differ at most
  broken.ticks_max = 3;                                // now five do
  EXPECT_FALSE(VerifyDesign(broken, Epsilon(1, 1)).value().holds);
}

TEST(Verify, AReportThatRulesAnAnswerOutIsInfinite) {
  const Transitions certain{.total = 2, .weight = {{1, 1}, {2, 0}}};
  EXPECT_FALSE(TrueRatio(certain).ok());
  const Transitions lost{.total = 3, .weight = {{1, 1}, {2, 1}}};
  EXPECT_FALSE(TrueRatio(lost).ok()) << "probabilities must add up to one";
}

TEST(Verify, TablesThatWouldTakeTooLongAreRefused) {
  EXPECT_FALSE(EnumerateTransitions(Made(Mechanism::kOptimal, 13, 1)).ok());
  EXPECT_FALSE(EnumerateTransitions(Made(Mechanism::kKary, 2000, 1)).ok());
}

}  // namespace
}  // namespace tacit::local
