#include "answer/release_table.h"

#include <gtest/gtest.h>

#include "answer/table_bytes.h"
#include "base/testing/tape_entropy.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/quantile/quantile.h"
#include "noise/release.h"

namespace tacit::answer {
namespace {

using engine::ExactNumber;
using engine::ExactRelease;
using engine::Value;

// Noise of scale 10^-9 is zero but with a chance below e^(-10^9).
noise::DiscreteLaplace Silent() {
  return noise::DiscreteLaplace::WithScale(Rational(1, 1'000'000'000)).value();
}
noise::DiscreteLaplace Loud() { return noise::DiscreteLaplace::WithScale(Rational(50)).value(); }

using ReleasedRows = engine::PackedRows;

ReleasedRows ReleaseTable(const plan::Release& release, engine::ExactGroups exact,
                          Entropy& entropy) {
  std::vector<engine::ResultColumn> columns;
  for (const plan::KeyColumn& key : release.keys) columns.push_back({key.name, key.type});
  for (const plan::Measure& measure : release.measures) {
    columns.push_back({measure.name, NumericType(38, 0)});
  }
  const std::string bytes =
      noise::Release(TableNoise(release, columns), ExactRelease(std::move(exact)), entropy).value();
  return ReadTable(bytes).value().rows;
}

plan::Measure MeasureWith(noise::AnyMechanism mechanism) {
  return {.name = "m1",
          .aggregate = "count",
          .text = "count(*)",
          .column = "n",
          .mechanism = std::move(mechanism),
          .step = 1,
          .sensitivity_l1 = 1,
          .scale = 1,
          .moe95 = 1,
          .cost = {}};
}

plan::Release ReleaseWith(plan::GroupSelection selection, noise::AnyMechanism mechanism) {
  plan::Release release{.name = "tacit_noisy_1",
                        .fingerprint = "f",
                        .exact = {},
                        .parameters = {},
                        .keys = {{.name = "k1", .type = kTextType, .text = "k"}},
                        .selection = std::move(selection),
                        .measures = {},
                        .cost = {},
                        .scales = {},
                        .made_from = {},
                        .facts = {}};
  release.measures.push_back(MeasureWith(std::move(mechanism)));
  return release;
}

engine::ExactGroups GroupsOf(const std::vector<std::pair<std::string, int>>& sizes) {
  engine::ExactGroups groups(1, {noise::Form::kNumber});
  for (const auto& [key, size] : sizes) {
    groups.Add({.keys = {Value(key)},
                .units = static_cast<uint64_t>(size),
                .measures = {ExactNumber(Int128{size})}});
  }
  return groups;
}

// Without noise the threshold is one more than the units that may leave together.
plan::NoisyThreshold ThresholdOf(Int128 units) {
  return {.measure = 0,
          .mechanism = noise::NoisyThreshold::Over(
                           Silent(), {.units_moved = ToInteger(units - 1), .delta = Delta(1, 1000)})
                           .value()};
}

TEST(ReleaseTable, EveryPublicGroupIsShownInItsOrder) {
  testing::SeededEntropy entropy(1);
  const ReleasedRows rows = ReleaseTable(ReleaseWith(plan::AllGroups{}, Silent()),
                                         GroupsOf({{"a", 7}, {"b", 0}}), entropy);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][1], Value(engine::Numeric{7, 0}));
  EXPECT_EQ(rows[1][1], Value(engine::Numeric{0, 0}));
}

TEST(ReleaseTable, AGroupBelowTheThresholdIsWithheld) {
  testing::SeededEntropy entropy(2);
  const ReleasedRows rows = ReleaseTable(ReleaseWith(ThresholdOf(5), Silent()),
                                         GroupsOf({{"a", 4}, {"b", 5}, {"c", 6}}), entropy);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][0], Value(std::string("b")));
  EXPECT_EQ(rows[1][0], Value(std::string("c")));
}

TEST(ReleaseTable, AWithheldGroupDoesNotShiftTheNoiseOfOthers) {
  const auto last = [](Int128 threshold) {
    testing::SeededEntropy entropy(3);
    const ReleasedRows rows =
        ReleaseTable(ReleaseWith(ThresholdOf(threshold), Loud()),
                     GroupsOf({{"a", 1000}, {"b", 2000}, {"c", 100000}}), entropy);
    return rows[rows.size() - 1];
  };
  EXPECT_EQ(last(2), last(50'000));
}

TEST(ReleaseTable, TheChoiceByUnitsShowsLargeGroupsOnly) {
  const plan::UnitsChoice choice{
      .mechanism =
          noise::TruncatedGeometric::Make({.epsilon = Epsilon(1, 1), .delta = Delta(1, 1'000'000)})
              .value(),
      .cost = {}};
  testing::SeededEntropy entropy(4);
  const ReleasedRows rows =
      ReleaseTable(ReleaseWith(choice, Silent()), GroupsOf({{"one", 1}, {"many", 1000}}), entropy);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0][0], Value(std::string("many")));
}

// A mechanism of nobody's but this test's: it says how many digits a number has.
class Digits final : public noise::ColumnMechanism {
 public:
  noise::Form Reads() const override { return noise::Form::kNumber; }
  accounting::Event event() const override {
    return accounting::PureEvent{.epsilon = Epsilon(1, 1)};
  }
  Integer ErrorAt95() const override { return 1; }
  Rational ScaleUp() const override { return 1; }
  std::string Name() const override { return "digits"; }
  std::string WordsFor(const std::string& /*scale*/) const override { return "digits alone"; }
  std::optional<Integer> ThresholdFor(const accounting::ThresholdWish&) const override {
    return std::nullopt;
  }
  size_t HeldBytes() const override { return sizeof *this; }

 private:
  Int128 Draw(const ExactNumber& exact, Entropy&) const override {
    return static_cast<Int128>(ToString(std::get<Int128>(exact)).size());
  }
};

TEST(ReleaseTable, TheSetOfMechanismsIsOpen) {
  testing::SeededEntropy entropy(6);
  const ReleasedRows rows =
      ReleaseTable(ReleaseWith(plan::AllGroups{}, Digits()), GroupsOf({{"a", 12345}}), entropy);
  EXPECT_EQ(rows[0][1], Value(engine::Numeric{5, 0}));
}

TEST(ReleaseTable, AQuantileReleasesTheIndexOfACell) {
  noise::AnyMechanism quantile =
      noise::QuantileSelection::Make(
          {.quantile = Rational(1, 2), .rows_changed = 1, .epsilon = Epsilon(1000, 1), .points = 3})
          .value();
  plan::Release release = ReleaseWith(plan::AllGroups{}, std::move(quantile));
  engine::ExactGroups groups(1, {noise::Form::kFullCells});
  groups.Add({.keys = {Value(std::string("a"))},
              .units = 0,
              .measures = {ExactNumber(*noise::FullCells::Of({{0, 1}, {1, 100}, {2, 1}}))}});
  testing::SeededEntropy entropy(5);
  const ReleasedRows rows = ReleaseTable(release, std::move(groups), entropy);
  EXPECT_EQ(rows[0][1], Value(engine::Numeric{1, 0}));
}

}  // namespace
}  // namespace tacit::answer
