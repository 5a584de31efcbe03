#include "noise/cube/cube_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/cost.h"
#include "base/testing/tape_entropy.h"
#include "noise/cube/cube_column.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/row_noise.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {

class CubeNoiseProbe {
 public:
  static const std::vector<Integer>& Counts(const CubeNoise& noise) { return noise.counts_; }
};

namespace {

using ::tacit::testing::SeededEntropy;

CubeNoise Cube(std::vector<Integer> widths, const char* scale) {
  const Rational wished = ParseRational(scale).value();
  return CubeNoise::Make(
             {.widths = std::move(widths), .rows = 1, .epsilon = Epsilon(Rational(1 / wished))})
      .value();
}

int64_t Norm(const std::vector<int64_t>& z, const std::vector<int64_t>& widths) {
  int64_t most = 0;
  for (size_t i = 0; i < z.size(); ++i) {
    most = std::max(most, (std::abs(z[i]) + widths[i] - 1) / widths[i]);
  }
  return most;
}

Integer Binomial(unsigned long n, unsigned long k) {
  Integer result;
  mpz_bin_uiui(result.get_mpz_t(), n, k);
  return result;
}

TEST(CubeNoise, CountsMakeUpTheNumberOfPoints) {
  for (const std::vector<Integer>& widths : std::vector<std::vector<Integer>>{
           {1}, {7}, {1, 1}, {1, 3}, {1, 120, 14400}, {1, 1, 5, 2, 9}}) {
    const CubeNoise noise = Cube(widths, "3");
    const std::vector<Integer>& counts = CubeNoiseProbe::Counts(noise);
    const size_t d = widths.size();
    ASSERT_EQ(counts.size(), d + 1);
    for (unsigned long k = 0; k <= 12; ++k) {
      Integer points = 1;
      for (const Integer& width : widths) points *= 2 * k * width + 1;
      Integer sum = 0;
      for (size_t j = 0; j <= d; ++j) {
        EXPECT_GE(counts[j], 0);
        if (k + d >= j) sum += counts[j] * Binomial(k + d - j, d);
      }
      EXPECT_EQ(sum, points) << k;
    }
  }
}

// Every point of a box, and all that is outside of it.
struct Box {
  std::vector<int64_t> widths;
  int64_t radius;

  int64_t Place(const std::vector<Int128>& z) const {
    int64_t place = 0;
    for (size_t i = 0; i < z.size(); ++i) {
      const int64_t reach = radius * widths[i];
      if (z[i] < -reach || z[i] > reach) return Points();
      place = place * (2 * reach + 1) + static_cast<int64_t>(z[i]) + reach;
    }
    return place;
  }
  int64_t Points() const {
    int64_t points = 1;
    for (const int64_t width : widths) points *= 2 * radius * width + 1;
    return points;
  }
  std::vector<int64_t> PointAt(int64_t place) const {
    std::vector<int64_t> z(widths.size());
    for (size_t i = widths.size(); i-- > 0;) {
      const int64_t values = 2 * radius * widths[i] + 1;
      z[i] = place % values - radius * widths[i];
      place /= values;
    }
    return z;
  }
};

TEST(CubeNoise, FitsItsLawAndABiasedTwinDoesNot) {
  SeededEntropy entropy(testing::TestSeed());
  const int count = testing::IsLongRun() ? 20'000'000 : 80'000;
  // So few samples cannot tell three per cent.
  const Rational bias = testing::IsLongRun() ? Rational(103, 100) : Rational(115, 100);
  for (const Box& box : {Box{{1}, 40}, Box{{1, 3}, 9}, Box{{2, 1, 1}, 6}}) {
    for (const char* scale : {"1/3", "2"}) {
      std::vector<Integer> widths;
      for (const int64_t width : box.widths) widths.emplace_back(static_cast<long>(width));
      const Rational exact = ParseRational(scale).value();
      const CubeNoise noise = Cube(widths, scale);
      const CubeNoise twin = Cube(widths, ToString(Rational(exact * bias)).c_str());
      testing::Histogram fair(0, box.Points() - 1);
      testing::Histogram biased(0, box.Points() - 1);
      for (int i = 0; i < count; ++i) {
        fair.Add(box.Place(noise.Sample(entropy)));
        biased.Add(box.Place(twin.Sample(entropy)));
      }
      // Of all points, those of radius k have weight e^(-k / scale).
      double total = 0;
      double inside = 0;
      for (int64_t k = 0; k <= 400; ++k) {
        double points = 1, fewer = k == 0 ? 0 : 1;
        for (const int64_t width : box.widths) {
          points *= static_cast<double>(2 * k * width + 1);
          fewer *= static_cast<double>(2 * (k - 1) * width + 1);
        }
        total += (points - fewer) * std::exp(-static_cast<double>(k) / exact.get_d());
        if (k == box.radius) inside = total;
      }
      const auto chance = [&](int64_t place) {
        const auto norm = static_cast<double>(Norm(box.PointAt(place), box.widths));
        return std::exp(-norm / exact.get_d()) / total;
      };
      EXPECT_LT(fair.Deviation(chance, 0, 1 - inside / total), testing::kAlarm) << scale;
      // A twin of one number at a third is 0 nearly always: too little to be told by this many.
      if (exact < 1 && !testing::IsLongRun()) continue;
      EXPECT_GT(biased.Deviation(chance, 0, 1 - inside / total), testing::kAlarm) << scale;
    }
  }
}

// What the proof says of N, by exhaustion: n rows move it by n at most.
TEST(CubeNoise, NoMoveOfSoManyRowsChangesTheNormByMore) {
  const Box box{{1, 3}, 4};
  for (int64_t place = 0; place < box.Points(); ++place) {
    const std::vector<int64_t> z = box.PointAt(place);
    for (int64_t n = 1; n <= 3; ++n) {
      for (int64_t x = -n; x <= n; ++x) {
        for (int64_t y = -3 * n; y <= 3 * n; ++y) {
          const int64_t moved = Norm({z[0] + x, z[1] + y}, box.widths);
          ASSERT_LE(std::abs(moved - Norm(z, box.widths)), n);
        }
      }
    }
  }
}

TEST(CubeNoise, TheErrorBarHoldsAndIsNotWide) {
  SeededEntropy entropy(testing::TestSeed());
  const int count = 40'000;
  for (const char* scale : {"1/3", "1", "10", "15", "17", "1000", "12345678/89"}) {
    const auto noise = std::make_shared<const CubeNoise>(Cube({1, 120, 14400}, scale));
    std::vector<Integer> errors;
    for (size_t i = 0; i < 3; ++i) errors.push_back(CubeColumn(noise, i).ErrorAt95());
    std::vector<int> beyond(3);
    for (int k = 0; k < count; ++k) {
      const std::vector<Int128> z = noise->Sample(entropy);
      for (size_t i = 0; i < 3; ++i) beyond[i] += abs(ToInteger(z[i])) > errors[i] ? 1 : 0;
    }
    for (size_t i = 0; i < 3; ++i) {
      const double share = static_cast<double>(beyond[i]) / count;
      EXPECT_LT(share, 0.057) << scale << " " << i;
      if (errors[i] > 20) EXPECT_GT(share, 0.043) << scale << " " << i;
    }
  }
}

TEST(CubeNoise, IsLessThanSharesOfThePriceGive) {
  for (const int scale : {2, 20, 2000}) {
    const auto pair =
        std::make_shared<const CubeNoise>(Cube({1, 100}, std::to_string(scale).c_str()));
    for (size_t i = 0; i < 2; ++i) {
      const auto apart = DiscreteLaplace::WithScale(Rational(2 * scale * pair->width(i))).value();
      const double ratio = apart.ErrorAt95().get_d() / CubeColumn(pair, i).ErrorAt95().get_d();
      EXPECT_GT(ratio, 1.3) << scale;
      EXPECT_LT(ratio, 1.6) << scale;
    }
  }
}

TEST(CubeNoise, TheErrorsOfOneNumberAreSpreadAsItIs) {
  for (const char* scale : {"1", "10", "1000"}) {
    const auto noise = std::make_shared<const CubeNoise>(Cube({1, 120}, scale));
    const CubeColumn column(noise, 1);
    std::vector<Integer> errors = column.ErrorsOf(251);
    ASSERT_EQ(errors.size(), 251u);
    EXPECT_TRUE(std::is_sorted(errors.begin(), errors.end()));
    for (Integer& error : errors) error = abs(error);
    std::sort(errors.begin(), errors.end());
    EXPECT_NEAR(errors[239].get_d() / column.ErrorAt95().get_d(), 1, 0.08) << scale;
  }
}

TEST(RowNoise, DrawsWhatBelongsTogetherOnce) {
  const auto noise = std::make_shared<const CubeNoise>(Cube({1, 120}, "10"));
  const auto laplace = DiscreteLaplace::WithScale(5).value();
  const CubeColumn first(noise, 0);
  const CubeColumn second(noise, 1);
  const std::vector<Int128> exact = {1000, 7, -50};
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    SeededEntropy one(seed);
    SeededEntropy other(seed);
    std::vector<Int128> noisy(3);
    RowNoise row({&second, &laplace, &first});
    for (int group = 0; group < 2; ++group) {
      row.Apply([&](size_t i) { return ExactNumber(exact[i]); }, one, noisy);
      const std::vector<Int128> sample = noise->Sample(other);
      EXPECT_EQ(noisy[0], 1000 + sample[1]);
      EXPECT_EQ(noisy[1], laplace.Apply(7, other));
      EXPECT_EQ(noisy[2], -50 + sample[0]);
    }
  }
}

TEST(CubeColumn, CostsItsPartOfThePrice) {
  const CubeNoise made =
      CubeNoise::Make({.widths = {1, 2, 3}, .rows = 20, .epsilon = Epsilon(1, 2)}).value();
  EXPECT_EQ(made.scale(), 40);
  const CubeColumn column(std::make_shared<const CubeNoise>(made), 2);
  EXPECT_EQ(accounting::PureEpsilon(column.event()).value(), Epsilon(1, 6));
  EXPECT_EQ(column.ScaleUp(), 240);
}

TEST(CubeNoise, ReachesTheEndsOfItsRange) {
  SeededEntropy entropy(5);
  const CubeNoise noise = Cube({1, Integer(1) << 90}, "100");
  for (int i = 0; i < 100; ++i) {
    const std::vector<Int128> z = noise.Sample(entropy);
    EXPECT_LT(abs(ToInteger(z[0])), 10'000);
    EXPECT_LT(abs(ToInteger(z[1])), Integer(10'000) << 90);
  }
}

TEST(CubeNoise, OfAnEnormousPriceIsNothing) {
  SeededEntropy entropy(5);
  const auto noise = std::make_shared<const CubeNoise>(Cube({1, 1'000'000'000}, "1e-9"));
  EXPECT_EQ(CubeColumn(noise, 1).ErrorAt95(), 0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(noise->Sample(entropy), std::vector<Int128>(2));
}

TEST(CubeNoise, RefusesParametersOutsideTheirRange) {
  const auto fails = [](std::vector<Integer> widths, Integer rows, const char* epsilon) {
    return !CubeNoise::Make({.widths = std::move(widths),
                             .rows = std::move(rows),
                             .epsilon = Epsilon(ParseRational(epsilon).value())})
                .ok();
  };
  EXPECT_TRUE(fails({}, 1, "1"));
  EXPECT_TRUE(fails({1, 0}, 1, "1"));
  EXPECT_TRUE(fails({1, 1}, 0, "1"));
  EXPECT_TRUE(fails({1, 1}, 1, "0"));
  EXPECT_TRUE(fails({1, Integer(1) << 101}, 1, "1"));
  EXPECT_TRUE(fails(std::vector<Integer>(33, 1), 1, "1"));
  EXPECT_FALSE(fails({1, 1}, 1, "1e9"));
  EXPECT_FALSE(fails(std::vector<Integer>(32, 1), 1, "1"));
}

}  // namespace
}  // namespace tacit::noise
