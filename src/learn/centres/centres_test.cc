#include "learn/centres/centres.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

#include "base/testing/tape_entropy.h"
#include "learn/centres/centre_model.h"
#include "learn/centres/grid.h"
#include "learn/centres/places.h"

namespace tacit::learn {
namespace {

// Rows in round groups, each column over -12 to 12 in 64 bins.
struct Blobs {
  CentreWish wish;
  CellRows rows{1};
  std::vector<std::vector<double>> truth;
};

Blobs MakeBlobs(size_t columns, size_t groups, int count, uint64_t seed, double spread = 1) {
  Blobs made{.wish = {.features = {}, .centres = groups}, .rows = CellRows(columns), .truth = {}};
  for (size_t f = 0; f < columns; ++f) {
    made.wish.features.push_back(BinsOf("x" + std::to_string(f), -12, 12, false, kBinsMax));
  }
  std::mt19937_64 bits(seed);
  std::uniform_real_distribution<double> anywhere(-10, 10);
  std::normal_distribution<double> off(0, spread);
  for (size_t g = 0; g < groups; ++g) {
    std::vector<double>& centre = made.truth.emplace_back();
    for (size_t f = 0; f < columns; ++f) centre.push_back(anywhere(bits));
  }
  std::map<std::vector<uint16_t>, int64_t> equal;
  for (int i = 0; i < count; ++i) {
    std::vector<uint16_t> codes;
    for (size_t f = 0; f < columns; ++f) {
      const double x = made.truth[static_cast<size_t>(i) % groups][f] + off(bits);
      codes.push_back(static_cast<uint16_t>(
          std::clamp(static_cast<int>(std::floor((x + 12) / 24 * 64)), 0, 63)));
    }
    ++equal[codes];
  }
  for (const auto& [codes, weight] : equal) made.rows.Add(codes, weight);
  return made;
}

CentreFit FitOf(const Blobs& made, double price, bool gaussian = false, uint64_t seed = 1) {
  CentreWish wish = made.wish;
  wish.gaussian = gaussian;
  const auto priced =
      PriceRounds(RoundsOf(wish), {}, {.gaussian = gaussian, .amount = RationalOf(price)}).value();
  tacit::testing::SeededEntropy entropy(seed);
  Rounds rounds(made.rows, priced, entropy);
  return Train(wish, rounds);
}

// The mean squared distance of rows to the nearest centre, in the columns' units.
double LossOf(const Blobs& made, const std::vector<std::vector<double>>& centres) {
  double loss = 0;
  double rows = 0;
  std::vector<double> middles;  // of all columns
  for (size_t cell = 0; cell < kBinsMax; ++cell) {
    middles.push_back(made.wish.features[0].MiddleOf(cell).get_d());
  }
  for (size_t i = 0; i < made.rows.size(); ++i) {
    double least = 1e300;
    for (const std::vector<double>& centre : centres) {
      double squared = 0;
      for (size_t f = 0; f < centre.size(); ++f) {
        const double x = middles[made.rows.Codes(i)[f]];
        squared += (x - centre[f]) * (x - centre[f]);
      }
      least = std::min(least, squared);
    }
    const auto weight = static_cast<double>(made.rows.Weight(i));
    loss += weight * least;
    rows += weight;
  }
  return loss / rows;
}
double LossOf(const Blobs& made, const CentreFit& fit) {
  std::vector<std::vector<double>> centres;
  for (const Centre& centre : fit.centres) centres.push_back(centre.at);
  return LossOf(made, centres);
}

TEST(Centres, SharesAddUpToTheWholePrice) {
  for (const bool gaussian : {false, true}) {
    Rational shares = 0;
    Blobs made = MakeBlobs(3, 4, 1, 1);
    made.wish.gaussian = gaussian;
    for (const Round& round : RoundsOf(made.wish)) shares += round.share;
    EXPECT_EQ(shares, 1);
  }
}

TEST(Centres, WithoutNoiseTheyAreInTheMiddlesOfTheGroups) {
  const Blobs made = MakeBlobs(2, 3, 3000, 5);
  const CentreFit fit = FitOf(made, 1e9);
  ASSERT_TRUE(fit.known);
  EXPECT_NEAR(fit.rows, 3000, 0.01);
  for (const std::vector<double>& centre : made.truth) {
    double least = 1e300;
    for (const Centre& found : fit.centres) {
      least = std::min(least, std::hypot(found.at[0] - centre[0], found.at[1] - centre[1]));
    }
    EXPECT_LT(least, 0.15);
  }
}

// 10 groups in 10 columns. What the groups were made around is as good as what k-means finds
// without noise. Mean loss beside that.
double MeanLoss(int count, double price, bool gaussian, int draws) {
  double mean = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const auto seed = static_cast<uint64_t>(draw);
    const Blobs made = MakeBlobs(10, 10, count, 100 + seed);
    mean += LossOf(made, FitOf(made, price, gaussian, seed)) / LossOf(made, made.truth) / draws;
  }
  return mean;
}

TEST(Centres, AtEpsilonOneTheLossIsNearThatWithoutPrivacy) {
  EXPECT_LT(MeanLoss(10'000, 1, false, 2), 1.25);
  if (std::getenv("TACIT_LONG") == nullptr) return;
  // The table of centres.md.
  for (const int count : {5'000, 10'000, 20'000}) {
    for (const double epsilon : {0.1, 1.0, 3.0}) {
      std::printf("%d rows, epsilon %g: %.2f\n", count, epsilon,
                  MeanLoss(count, epsilon, false, 10));
    }
    // Rho 0.0172 is (1, 1e-6).
    std::printf("%d rows, (1, 1e-6): %.2f\n", count, MeanLoss(count, 0.0172, true, 10));
    std::fflush(stdout);
  }
}

TEST(Centres, UnderGaussianNoiseAndInManyColumnsTheyAreFoundToo) {
  const Blobs ten = MakeBlobs(10, 10, 10'000, 9);
  EXPECT_LT(LossOf(ten, FitOf(ten, 0.1, true)), 1.25 * LossOf(ten, ten.truth));
  const Blobs many = MakeBlobs(14, 4, 20'000, 9);
  EXPECT_LT(LossOf(many, FitOf(many, 2, false)), 1.25 * LossOf(many, many.truth));
  const Blobs one = MakeBlobs(1, 2, 20'000, 4);
  EXPECT_LT(LossOf(one, FitOf(one, 2, false)), 1.25 * LossOf(one, one.truth));
}

TEST(Centres, TheirNoiseIsWhatItIs) {
  const Blobs made = MakeBlobs(2, 2, 4000, 11);
  const CentreFit exact = FitOf(made, 1e9);
  int held = 0;
  int narrow = 0;
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns; ++run) {
    const CentreFit fit = FitOf(made, 1, false, 100 + static_cast<uint64_t>(run));
    ASSERT_TRUE(fit.known && !fit.centres[0].noise.empty());
    // The groups are equally large, so which one comes first is chance.
    double off = 1e300;
    for (const Centre& centre : exact.centres) {
      off = std::min(off, std::abs(fit.centres[0].at[0] - centre.at[0]));
    }
    held += off <= 1.96 * fit.centres[0].noise[0] ? 1 : 0;
    narrow += off <= 0.5 * fit.centres[0].noise[0] ? 1 : 0;
  }
  EXPECT_GT(held, kRuns * 0.85);
  EXPECT_LT(narrow, kRuns * 0.7);
}

TEST(Centres, OfNoRowsNothingIsSaid) {
  EXPECT_FALSE(FitOf(MakeBlobs(2, 5, 0, 1), 1).known);
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const CentreFit fit = FitOf(MakeBlobs(3, 7, 40, seed), 1, false, seed);
    for (const Centre& centre : fit.centres) {
      for (const double at : centre.at) EXPECT_LE(std::abs(at), 12.001);
    }
  }
}

TEST(Centres, GridHasEachRowInOneCell) {
  const std::vector<CellColumn> features = {BinsOf("x", 0, 64, false, 64),
                                            {.name = "b", .kind = CellKind::kBoolean}};
  const CentreGrid grid(features);
  EXPECT_EQ(grid.cells(), 32u);  // four halvings and one
  const RowPlaces places(features);
  std::vector<int> rows(grid.cells(), 0);
  for (uint16_t x = 0; x < 64; ++x) {
    for (uint16_t b = 0; b < 2; ++b) {
      const uint16_t codes[] = {x, b};
      ++rows[grid.CellOf(places, codes)];
    }
  }
  for (const int count : rows) EXPECT_EQ(count, 4);
}

// Rows of a part, seen from its middle, are within its half width.
TEST(Centres, LeavesOfTheGridCoverTheirCells) {
  const std::vector<CellColumn> features = {BinsOf("x", -12, 12, false, 64),
                                            BinsOf("y", -12, 12, false, 64)};
  const CentreGrid grid(features);
  const RowPlaces places(features);
  const auto leaves = grid.LeavesOf(std::vector<double>(grid.cells(), 100), 1);
  EXPECT_EQ(leaves.size(), grid.cells());
  size_t covered = 0;
  for (const CentreGrid::Leaf& leaf : grid.LeavesOf(std::vector<double>(grid.cells(), 1), 10)) {
    covered += leaf.cells;
  }
  EXPECT_EQ(covered, grid.cells());
  for (uint16_t x = 0; x < 64; ++x) {
    for (uint16_t y = 0; y < 64; ++y) {
      const uint16_t codes[] = {x, y};
      const size_t cell = grid.CellOf(places, codes);
      for (const CentreGrid::Leaf& leaf : leaves) {
        if (cell < leaf.first || cell >= leaf.first + leaf.cells) continue;
        for (size_t f = 0; f < 2; ++f) {
          EXPECT_LE(std::abs(places.At(codes, f) - leaf.middle[f]), leaf.half[f]);
        }
      }
    }
  }
}

// What a row adds fits what the round was priced for: nothing of it is cut off.
TEST(Centres, AddNothingThatTheLimitOfARowCutsOff) {
  for (const bool gaussian : {false, true}) {
    Blobs made = MakeBlobs(3, 4, 500, 21);
    made.wish.gaussian = gaussian;
    std::vector<std::string> fits;
    for (const bool limited : {true, false}) {
      std::vector<Round> rounds_asked = RoundsOf(made.wish);
      for (Round& round : rounds_asked) {
        if (!limited) round.row.reset();
      }
      const RoundsPrice price{.gaussian = gaussian, .amount = Rational(int64_t{1} << 60)};
      const auto priced = PriceRounds(rounds_asked, {}, price).value();
      tacit::testing::SeededEntropy entropy(1);
      Rounds rounds(made.rows, priced, entropy);
      CentreFit fit = Train(made.wish, rounds);
      for (Centre& centre : fit.centres) centre.noise.clear();  // that differs
      fits.push_back(FitText(fit).substr(0, FitText(fit).find("rows_noise")));
      fits.back() += FitText(fit).substr(FitText(fit).find("centres"));
    }
    EXPECT_EQ(fits[0], fits[1]);
  }
}

TEST(Centres, AreReadBackAsTheyWereWritten) {
  const Blobs made = MakeBlobs(2, 3, 3000, 5);
  CentreModel model{.rows = "SELECT x0, x1 FROM t",
                    .features = made.wish.features,
                    .fit = FitOf(made, 1),
                    .privacy = {.epsilon = "1",
                                .delta = "0",
                                .accounting = "pure",
                                .neighbours = "add_remove",
                                .unit = "t.id",
                                .receipt = "r"}};
  const std::string text = ModelText(model);
  EXPECT_TRUE(IsCentreModel(text));
  const Result<CentreModel> back = ReadCentreModel(text);
  ASSERT_TRUE(back.ok()) << back.error().public_message;
  EXPECT_EQ(ModelText(*back), text);
  EXPECT_EQ(NearestCentre(back->features, back->fit, {0, 0}),
            NearestCentre(model.features, model.fit, {0, 0}));
  EXPECT_NE(ModelPage(*back).find("<svg"), std::string::npos);
  for (const char* part : {"\"centres\"", "\"at\"", "\"features\"", "\"low\""}) {
    std::string wrong = text;
    wrong.replace(wrong.find(part), 3, "\"Xx");
    EXPECT_FALSE(ReadCentreModel(wrong).ok()) << part;
  }
}

}  // namespace
}  // namespace tacit::learn
