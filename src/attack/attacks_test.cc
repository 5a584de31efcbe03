#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "attack/averaging/averaging.h"
#include "attack/differencing/differencing.h"
#include "attack/membership/scores.h"
#include "attack/page/page.h"
#include "attack/reconstruction/reconstruction.h"
#include "attack/reconstruction/threshold.h"
#include "attack/refusal/refusal.h"
#include "attack/statistics.h"

// The figures beside which these stand are in docs/attacks; tolerances are five deviations of the
// stated number of trials unless said otherwise.

namespace tacit::attack {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Scene Lab(const std::vector<std::string>& servers) {
  SceneSettings settings;
  settings.servers = servers;
  return Scene::Invented(2000, 0.5, settings, 1).value();
}

double Right(const Report& report, size_t row, size_t column) {
  return *report.tables[0].rows[row][column].number;
}

TEST(Differencing, BreaksExactSmallCountsAndConstantOffsets) {
  const Scene scene = Lab({"exact", "small-counts", "constant", "laplace"});
  const Report report = AttackByDifferencing(scene, {.targets = 400}, {}).value();
  EXPECT_EQ(Right(report, 0, 3), 1);
  EXPECT_EQ(Right(report, 1, 3), 1);
  EXPECT_EQ(Right(report, 2, 3), 1);
  EXPECT_NEAR(Right(report, 3, 3), 0.51, 0.125);
}

TEST(Refusal, TellsTheSecretByItself) {
  const Scene scene = Lab({"exact", "small-counts", "rounding"});
  const Report report = AttackByRefusal(scene, {.targets = 100}, {}).value();
  EXPECT_EQ(Right(report, 1, 3), 1);  // by the refusal alone
  EXPECT_EQ(Right(report, 2, 4), 1);  // rounding's edge
  EXPECT_EQ(Right(report, 0, 2), 0);  // exact answers refuse nothing
}

TEST(Averaging, FollowsTheKnownCurve) {
  const Scene scene = Lab({"laplace"});
  const Report report = AttackByAveraging(scene, {.runs = 400, .questions = 4000}, {}).value();
  const std::vector<Point>& points = report.charts[0].series[0].points;
  const auto at = [&](double x) {
    for (const Point& point : points) {
      if (point.x == x) return point.y / 100;
    }
    return -1.0;
  };
  EXPECT_NEAR(at(1), 0.049, 0.055);
  EXPECT_NEAR(at(100), 0.276, 0.115);
  EXPECT_NEAR(at(1000), 0.736, 0.115);
  EXPECT_NEAR(at(4000), 0.975, 0.04);
}

TEST(Averaging, IsTheSameForTheSameSeed) {
  const Scene scene = Lab({"laplace", "bounded"});
  const AveragingSettings settings{.runs = 20, .questions = 100};
  const Report first = AttackByAveraging(scene, settings, {}).value();
  EXPECT_EQ(ToJson(first), ToJson(AttackByAveraging(scene, settings, {}).value()));
  AveragingSettings other = settings;
  other.seed = 2;
  EXPECT_NE(ToJson(first)["charts"], ToJson(AttackByAveraging(scene, other, {}).value())["charts"]);
}

TEST(Reconstruction, LeastSquaresFollowsItsTheory) {
  for (const double noise : {0.1, 0.25, 0.5, 1.0}) {
    const CoinExperiment experiment{.people = 256, .answers = 1024, .noise = noise, .runs = 2};
    const Estimate share = ReconstructCoins(experiment, Dice(5)).value();
    EXPECT_NEAR(share.value, LeastSquaresTheory(4, noise), 0.075) << noise;
  }
}

TEST(Reconstruction, TheLinearProgramFindsEverybodyWhenNoiseIsSmall) {
  const CoinExperiment experiment{
      .people = 48, .answers = 192, .noise = 0.05, .linear_program = true, .runs = 1};
  EXPECT_EQ(ReconstructCoins(experiment, Dice(5))->value, 1);
}

TEST(Reconstruction, TheLinearProgramIsTheL1Fit) {
  // Two of three equal answers: the L1 fit follows them, least squares would not.
  const SubsetAnswers answers{.people = 1, .subsets = {{0}, {0}, {0}}, .counts = {1, 1, -8}};
  EXPECT_NEAR(SolveLinearProgram(answers).value()[0], 1, 1e-9);
  EXPECT_LT(SolveLeastSquares(answers, 1e-9)[0], 0);
}

TEST(Membership, ThousandExactMeansFindMembersAndNoiseHidesThem) {
  const BitsExperiment exact{.people = 100, .attributes = 1000, .worlds = 2};
  Scores scores = ScoreBits(exact, Dice(7)).value();
  const Separation found = SeparationOf(scores.members, scores.others, Dice(8));
  EXPECT_NEAR(found.tpr_at_1_percent.value, 0.74, 0.17);
  EXPECT_NEAR(found.auc.value, 0.988, 0.02);
  BitsExperiment noisy = exact;
  noisy.noisy = true;
  scores = ScoreBits(noisy, Dice(7)).value();
  EXPECT_NEAR(SeparationOf(scores.members, scores.others, Dice(8)).auc.value, 0.5, 0.12);
}

// What a bar is drawn from: it never goes back, and no part of the work is told as the whole.
class Told {
 public:
  Progress Next() {
    shares_.clear();
    return [this](std::string_view, double share) { shares_.push_back(share); };
  }
  void Check() const {
    ASSERT_GE(shares_.size(), 4u);
    EXPECT_TRUE(std::is_sorted(shares_.begin(), shares_.end()));
    EXPECT_LE(shares_.front(), 0.5);
    EXPECT_GE(shares_.back(), 0.7);
    EXPECT_LE(shares_.back(), 1);
  }

 private:
  std::vector<double> shares_;
};

TEST(Progress, CountsAllOfTheWorkAndNeverGoesBack) {
  const Scene scene = Lab({"exact", "constant", "laplace"});
  Told told;
  ASSERT_TRUE(AttackByAveraging(scene, {.runs = 20, .questions = 100}, told.Next()).ok());
  told.Check();
  const ReconstructionSettings few{
      .people = 16, .runs = 1, .questions = 256, .coins = 64, .lp_coins = 16};
  ASSERT_TRUE(AttackByReconstruction(scene, few, told.Next()).ok());
  told.Check();
}

TEST(Progress, APartIsItsShareOfTheWhole) {
  double last = -1;
  const Progress whole = [&](std::string_view, double share) { last = share; };
  Tell(PartOf(whole, 1, 4), "x", 0.5);
  EXPECT_DOUBLE_EQ(last, 0.375);
  Tell(Between(whole, 0.2, 0.4), "x", 7);
  EXPECT_DOUBLE_EQ(last, 0.4);
  Tell(Between({}, 0, 1), "x", 0.5);
}

TEST(Statistics, IntervalsHoldTheirValue) {
  const Estimate share = ShareOf(50, 100);
  EXPECT_NEAR(share.low, 0.404, 0.001);  // Wilson
  EXPECT_NEAR(share.high, 0.596, 0.001);
  EXPECT_EQ(ShareOf(0, 10).low, 0);
  EXPECT_NEAR(MeanOf({1, 2, 3}).high, 2 + 4.303 / std::sqrt(3.0), 1e-3);
  const Separation same = SeparationOf({1, 1, 1}, {1, 1, 1}, Dice(1));
  EXPECT_EQ(same.auc.value, 0.5);  // ties count half
}

TEST(Page, NeedsNoOtherFileAndEscapesWhatTheDataSays) {
  Report report{.name = "differencing",
                .title = "<script>alert(1)</script>",
                .shows = "a & b",
                .seed = 3,
                .summary = {"'quoted'"}};
  report.charts = {{.title = "c",
                    .x = {.label = "x", .logarithmic = true},
                    .y = {.label = "y", .unit = "%"},
                    .series = {{.name = "<b>", .points = {{1, 2, 1, 3}, {100, 5}, {0, 7}}}},
                    .error_bars = "95 %"}};
  report.tables = {{"t", {"h"}, {{Text("<td>")}}}};
  const std::string html = RenderPage({.title = "T", .reports = {report}});
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("http://")));
  EXPECT_THAT(html, Not(HasSubstr("https://")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("@media print"));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  EXPECT_THAT(html, HasSubstr("seed: 3"));
}

}  // namespace
}  // namespace tacit::attack
