#include "local/design/design.h"

#include <gtest/gtest.h>

#include "local/design/exact_log.h"

namespace tacit::local {
namespace {

Rational Number(const char* text) { return ParseRational(text).value(); }

Design Made(Mechanism mechanism, uint32_t values, const char* epsilon, uint32_t ticks_max = 0) {
  return MakeDesign({.mechanism = mechanism,
                     .values = values,
                     .epsilon = Epsilon(Number(epsilon)),
                     .ticks_max = ticks_max})
      .value();
}

TEST(Design, TwoFairCoinsAreThreeToOne) {
  const Design design = MakeWarner(Rational(1, 2)).value();
  EXPECT_EQ(design.keep, uint64_t{3} << 62);
  EXPECT_EQ(LikelihoodRatio(design), 3);
  // ln 3 = 1.0986122886681098...
  EXPECT_EQ(EpsilonUp(design).value, Number("1.098612288669"));
  EXPECT_EQ(LogUpText(3, 20), "1.09861228866810969140");
}

TEST(Design, AnyTruthProbabilityHasItsOdds) {
  for (const char* text : {"1/4", "0.75", "1/1024", "1023/1024"}) {
    const Rational q = Number(text);
    EXPECT_EQ(LikelihoodRatio(MakeWarner(q).value()), Rational((1 + q) / (1 - q))) << text;
  }
  // Where 2^64 (1 + q) / 2 is no whole number, the threshold rounds towards privacy.
  const Rational third(1, 3);
  EXPECT_LT(LikelihoodRatio(MakeWarner(third).value()), Rational((1 + third) / (1 - third)));
}

TEST(Design, TheTruthProbabilityMustLeaveDoubt) {
  for (const char* text : {"0", "1", "-1/2", "2"}) EXPECT_FALSE(MakeWarner(Number(text)).ok());
}

TEST(Design, EveryThresholdIsTheBestThatKeepsTheWishedEpsilon) {
  for (const char* epsilon : {"0.001", "0.1", "0.5", "1", "2", "5", "16"}) {
    const Rational e = Number(epsilon);
    for (const Mechanism mechanism : {Mechanism::kWarner, Mechanism::kKary, Mechanism::kSymmetric,
                                      Mechanism::kOptimal, Mechanism::kHashing}) {
      Design design = Made(mechanism, mechanism == Mechanism::kWarner ? 2 : 14, epsilon);
      EXPECT_TRUE(LogAtMost(LikelihoodRatio(design), e)) << NameOf(mechanism) << " " << epsilon;
      EXPECT_LE(EpsilonUp(design).value, e);
      EXPECT_GE(EpsilonUp(design).value, Rational(e - Number("1e-12")));
      // One step further and the promise is broken.
      if (mechanism == Mechanism::kOptimal) {
        --design.lie;
      } else {
        ++design.keep;
        if (mechanism == Mechanism::kSymmetric) --design.lie;
      }
      EXPECT_FALSE(LogAtMost(LikelihoodRatio(design), e)) << NameOf(mechanism) << " " << epsilon;
    }
  }
}

TEST(Design, SeveralSharesItsEpsilonAmongTheBitsThatCanDiffer) {
  // Any set of ten options: ten bits. At most two of ten: four bits, so each may show more.
  const Design any = Made(Mechanism::kSeveral, 10, "1");
  const Design two = Made(Mechanism::kSeveral, 10, "1", 2);
  EXPECT_EQ(any.ticks_max, 10u);
  EXPECT_LT(any.keep, two.keep);
  EXPECT_LE(EpsilonUp(any).value, 1);
  EXPECT_LE(EpsilonUp(two).value, 1);
  EXPECT_EQ(any.lie, ~any.keep + 1);
}

TEST(Design, HashingTakesTheFieldOfLeastError) {
  EXPECT_EQ(Made(Mechanism::kHashing, 1000, "1").buckets, 4u);  // exp(1) + 1 = 3.7
  EXPECT_EQ(Made(Mechanism::kHashing, 1000, "2").buckets, 8u);  // 8.4
  EXPECT_EQ(Made(Mechanism::kHashing, 1000, "0.1").buckets, 2u);
}

TEST(Design, WrongWishesSayWhatWouldPass) {
  const auto error = [](Mechanism mechanism, uint32_t values, const char* epsilon,
                        uint32_t ticks_max = 0) {
    const auto made = MakeDesign({mechanism, values, Epsilon(Number(epsilon)), ticks_max});
    return made.ok() ? std::string() : made.error().public_message;
  };
  EXPECT_EQ(error(Mechanism::kWarner, 3, "1"), "rr takes 2 to 2 values, not 3");
  EXPECT_EQ(error(Mechanism::kKary, 1, "1"), "krr takes 2 to 65536 values, not 1");
  EXPECT_EQ(error(Mechanism::kKary, 3, "17"), "epsilon must be 0.001 to 16, not 17");
  EXPECT_EQ(error(Mechanism::kSeveral, 3, "1", 4),
            "the most values a person may hold must be 1 to 3, not 4");
  EXPECT_EQ(error(Mechanism::kSeveral, 65, "1"), "several takes 1 to 64 values, not 65");
}

TEST(Design, ParametersOfAnotherMechanismAreRefused) {
  const Design krr = Made(Mechanism::kKary, 5, "1");
  Design wrong = krr;
  wrong.lie = 7;
  EXPECT_FALSE(CheckDesign(wrong).ok());
  wrong = krr;
  wrong.buckets = 4;
  EXPECT_FALSE(CheckDesign(wrong).ok());
  wrong = krr;
  wrong.keep = 0;
  EXPECT_FALSE(CheckDesign(wrong).ok());
  wrong = krr;
  wrong.keep = uint64_t{1} << 60;  // below 1/5: reports would point away from the truth
  EXPECT_FALSE(CheckDesign(wrong).ok());
  wrong = Made(Mechanism::kHashing, 5, "1");
  wrong.buckets = 6;  // no field has six elements
  EXPECT_FALSE(CheckDesign(wrong).ok());
  EXPECT_TRUE(CheckDesign(krr).ok());
}

TEST(Design, NamesReadBack) {
  for (const char* name : {"rr", "krr", "sue", "oue", "olh", "several"}) {
    EXPECT_EQ(NameOf(MechanismNamed(name).value()), name);
  }
  EXPECT_EQ(MechanismNamed("rappor").error().public_message, "there is no mechanism \"rappor\"");
}

}  // namespace
}  // namespace tacit::local
