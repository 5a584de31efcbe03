#include "plan/derive/top_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/testing/asked.h"
#include "base/mutant.h"
#include "base/testing/tape_entropy.h"
#include "plan/compile.h"
#include "policy/load.h"
#include "policy/testing/sample.h"

namespace tacit::plan {
namespace {

using ::testing::SizeIs;

Release Asked(const std::string& query, const Rational& epsilon,
              policy::Accounting accounting = policy::Accounting::kZcdp) {
  policy::Privacy privacy =
      policy::Parse(policy::testing::SampleWith("  people: {unit: pid, rows_per_unit: 1}\n"),
                    "tacit.yaml")
          .value()
          .privacy;
  privacy.accounting = accounting;
  Wish wish;
  wish.epsilon = Epsilon(epsilon);
  return Compile(analysis::testing::FactsOf(query), privacy, wish).value().releases.at(0);
}

constexpr char kCount[] = "SELECT count(*) FROM people";
const Rational kTenth(1, 10), kFifth(1, 5);
const Rho kAnyRho(Rational(1, 1'000'000'000));

std::optional<TopUp> ToppedUpFrom(const Release& paid, const Release& asked) {
  return TopUpOf(asked, paid.scales, "1.0", kAnyRho);
}

TEST(TopUp, BothPricesTogetherAreThatOfANewAnswer) {
  for (const char* query : {kCount, "SELECT sex, count(*), sum(age) FROM people GROUP BY sex"}) {
    const Release paid = Asked(query, kTenth);
    const Release asked = Asked(query, kFifth);
    const std::optional<TopUp> top_up = ToppedUpFrom(paid, asked);
    ASSERT_TRUE(top_up.has_value());
    const Rational both = Rational(paid.cost.rho + top_up->draw.cost.rho);
    EXPECT_GE(both, asked.cost.rho) << "nothing is given away";
    EXPECT_LE(both, Rational(asked.cost.rho * Rational(103, 100))) << "rounding, of sigma 5";
    ASSERT_THAT(top_up->scales, SizeIs(asked.scales.size()));
    for (size_t i = 0; i < asked.scales.size(); ++i) {
      EXPECT_LE(top_up->scales[i], asked.scales[i]);
      EXPECT_GT(top_up->scales[i], Rational(asked.scales[i] * Rational(999'999, 1'000'000)));
    }
  }
}

TEST(TopUp, WhatIsDrawnForOneStoredAnswerGoesWithNoOther) {
  const Release paid = Asked(kCount, kTenth);
  const Release asked = Asked(kCount, kFifth);
  const auto name = [&](const std::string& of, const Release& to) {
    return TopUpOf(to, paid.scales, of, kAnyRho)->draw.fingerprint;
  };
  EXPECT_EQ(name("1.0", asked), name("1.0", asked));
  EXPECT_NE(name("1.0", asked), name("1.1", asked));
  EXPECT_NE(name("1.0", asked), name("1.0", Asked(kCount, Rational(3, 10))));
  EXPECT_NE(name("1.0", asked), asked.fingerprint);
}

TEST(TopUp, NothingIsDrawnForLessThanTheLeast) {
  const Release paid = Asked(kCount, kTenth);
  const Release asked = Asked(kCount, Rational(1001, 10000));
  const Rho least(Rational(1, 1000));
  EXPECT_EQ(TopUpOf(asked, paid.scales, "1.0", least)->draw.cost.rho, least.value);
}

TEST(TopUp, WhatCannotBeWeighedIsPaidInFull) {
  const auto can_be = [](const std::string& query) {
    return ToppedUpFrom(Asked(query, kTenth), Asked(query, kFifth)).has_value();
  };
  EXPECT_TRUE(can_be(kCount));
  EXPECT_FALSE(can_be("SELECT city, count(*) FROM people GROUP BY city")) << "private keys";
  EXPECT_FALSE(can_be("SELECT max(age) FROM people")) << "a choice";
  EXPECT_FALSE(can_be("SELECT count(*), max(age) FROM people")) << "a choice beside a count";
  const auto pure = policy::Accounting::kPure;
  EXPECT_FALSE(ToppedUpFrom(Asked(kCount, kTenth, pure), Asked(kCount, kFifth, pure)).has_value());
  EXPECT_FALSE(ToppedUpFrom(Asked(kCount, kFifth), Asked(kCount, kTenth)).has_value())
      << "it is fine enough";
  EXPECT_FALSE(ToppedUpFrom(Asked(kCount, kFifth), Asked(kCount, Rational(1))).has_value())
      << "sigma 1: rounding would count";
}

TEST(TopUp, RoundsUpAsOftenAsTheFractionSays) {
  // The upper half of a word is the number below 2^32.
  const auto with = [](uint64_t upper, Int128 paid, Int128 drawn, uint64_t weight) {
    testing::TapeEntropy entropy({upper << 32});
    return Together(paid, drawn, weight, entropy);
  };
  constexpr uint64_t kThreeQuarters = kWeightParts / 4 * 3;
  EXPECT_EQ(with(kThreeQuarters - 1, 0, 1, kThreeQuarters), 1);
  EXPECT_EQ(with(kThreeQuarters, 0, 1, kThreeQuarters), 0);
  EXPECT_EQ(with(kWeightParts / 4 - 1, 0, -1, kThreeQuarters), 0);
  EXPECT_EQ(with(kWeightParts / 4, 0, -1, kThreeQuarters), -1);
  EXPECT_EQ(with(0, -7, 5, kWeightParts), 5) << "all of it: nothing is rounded";
  EXPECT_EQ(with(0, 4, 12, kWeightParts / 2), 8);
  EXPECT_EQ(with(0, kInt128Max, kInt128Max, kWeightParts / 3), kInt128Max);
  EXPECT_EQ(with(0, kInt128Min, kInt128Max, kWeightParts), kInt128Max);
#ifdef TACIT_MUTANTS
  SetMutant("top_up_rounds_down");
  EXPECT_EQ(with(kThreeQuarters - 1, 0, 1, kThreeQuarters), 0);
  SetMutant("");
#endif
}

struct Errors {
  double mean = 0;
  double square = 0;  // over the claimed one
  double within = 0;  // of the asked error at 95 %
};

// Of a number that is 0 and was paid for at 0.1, topped up to the error of 0.2.
Errors ErrorsOfMany(const std::optional<uint64_t>& other_weight = std::nullopt) {
  const Release paid = Asked(kCount, kTenth);
  const Release asked = Asked(kCount, kFifth);
  const TopUp top_up = ToppedUpFrom(paid, asked).value();
  const uint64_t weight = other_weight.value_or(top_up.weights.at(0));
  const double claimed = top_up.scales.at(0).get_d();
  const double moe = asked.measures.at(0).moe95.get_d();
  testing::SeededEntropy entropy(20261);
  constexpr int kMany = 20'000;
  Errors errors;
  for (int i = 0; i < kMany; ++i) {
    const Int128 before = paid.measures.at(0).mechanism->Apply(Int128{0}, entropy);
    const Int128 drawn = top_up.draw.measures.at(0).mechanism->Apply(Int128{0}, entropy);
    const auto error = static_cast<double>(Together(before, drawn, weight, entropy));
    errors.mean += error / kMany;
    errors.square += error * error / (claimed * claimed) / kMany;
    errors.within += (error <= moe && -error <= moe ? 1.0 : 0.0) / kMany;
  }
  return errors;
}

// The share of the squares has a deviation of sqrt(2 / 20,000), a hundredth.
TEST(TopUp, HasTheErrorThatIsClaimed) {
  const Errors errors = ErrorsOfMany();
  EXPECT_NEAR(errors.mean, 0, 0.15) << "four deviations of 5 / sqrt(20,000)";
  EXPECT_GT(errors.square, 0.95);
  EXPECT_LT(errors.square, 1.04);
  EXPECT_GT(errors.within, 0.945);
  EXPECT_LT(errors.within, 0.98);
  EXPECT_GT(ErrorsOfMany(kWeightParts).square, 1.2) << "the draw alone is no answer";
  EXPECT_GT(ErrorsOfMany(kWeightParts / 2).square, 1.2) << "nor are both by halves";
#ifdef TACIT_MUTANTS
  SetMutant("top_up_rounds_down");
  EXPECT_LT(ErrorsOfMany().mean, -0.3);
  SetMutant("");
#endif
}

}  // namespace
}  // namespace tacit::plan
