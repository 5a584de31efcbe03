#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "accounting/zcdp.h"
#include "base/testing/tape_entropy.h"
#include "release/children.h"
#include "release/synthesize.h"
#include "release/tables/tables.h"

// Whole runs as one mechanism each, from outside: what do they tell about one row more?
namespace tacit::release {
namespace {

using tacit::testing::SeededEntropy;

const std::vector<ColumnShape> kAudited = {{.cells = 2}, {.cells = 2}, {.cells = 3}};
const Moved kOneMore{.rows = 1, .l2_squared = 1};

// Twelve rows, and so many more of one kind.
Joint Twelve(int64_t more) {
  return {.codes = {{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 2, 0}}, .weights = {3, 3, 3 + more, 3}};
}

// Which events happened in a run on so many rows more.
using Mechanism = std::function<std::vector<bool>(int64_t more, const Rho& rho, Entropy& entropy)>;

// The probability that so many of the runs show is above (or below) this, but in one of a million
// cases: Chernoff's bound, with the divergence of two coins.
double BoundOf(int happened, int runs, bool above) {
  const double seen = static_cast<double>(happened) / runs;
  const auto divergence = [&](double p) {
    const auto part = [](double a, double b) { return a > 0 ? a * std::log(a / b) : 0; };
    return part(seen, p) + part(1 - seen, 1 - p);
  };
  double inside = seen;
  double outside = above ? 1 : 0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (inside + outside) / 2;
    (runs * divergence(middle) <= std::log(1e6) ? inside : outside) = middle;
  }
  return outside;
}

// The largest epsilon that the counts refute at this delta; 0 where none.
double Refuted(int often, int seldom, int runs, double delta) {
  const double high = BoundOf(often, runs, false) - delta;
  const double low = BoundOf(seldom, runs, true);
  return high > 0 ? std::max(0.0, std::log(high / low)) : 0;
}

class Audit {
 public:
  Audit(Mechanism mechanism, int runs) : mechanism_(std::move(mechanism)), runs_(runs) {}

  // The largest epsilon that is refuted for neighbours that differ by so many rows.
  double Largest(int64_t more) {
    const std::vector<int> with = Count(more, 2);
    double largest = 0;
    for (size_t e = 0; e < with.size(); ++e) {
      for (const auto& [a, b] :
           {std::pair(with[e], without_[e]), std::pair(without_[e], with[e])}) {
        largest = std::max(
            {largest, Refuted(a, b, runs_, kDelta), Refuted(runs_ - b, runs_ - a, runs_, kDelta)});
      }
    }
    return largest;
  }

  // Nothing beyond the claim; and the same noise for somebody who has so many rows and not one, a
  // cap that was forgotten, is seen.
  void Check(int64_t uncapped) {
    without_ = Count(0, 1);
    EXPECT_LT(Largest(1), 1);
    EXPECT_GT(Largest(uncapped), 1);
  }

 private:
  static constexpr double kDelta = 0.001;

  std::vector<int> Count(int64_t more, uint64_t seed) const {
    const Rho rho = accounting::ZcdpRhoDown(Epsilon(1, 1), Delta(1, 1000));
    SeededEntropy entropy(seed);
    std::vector<int> counts;
    for (int i = 0; i < runs_; ++i) {
      const std::vector<bool> events = mechanism_(more, rho, entropy);
      counts.resize(events.size());
      for (size_t e = 0; e < events.size(); ++e) counts[e] += events[e] ? 1 : 0;
    }
    return counts;
  }

  Mechanism mechanism_;
  int runs_;
  std::vector<int> without_;
};

// The rows that are where the row more is.
int SameRows(const std::vector<std::vector<uint16_t>>& codes) {
  int same = 0;
  for (size_t r = 0; r < codes[0].size(); ++r) {
    same += codes[0][r] == 1 && codes[1][r] == 0 && codes[2][r] == 2 ? 1 : 0;
  }
  return same;
}

struct Way {
  std::string name;
  Method method;
  Workload workload;
  int runs;
};

class AuditTest : public ::testing::TestWithParam<Way> {};

TEST_P(AuditTest, FindsNothingBeyondTheClaimAndFindsATableWithoutItsCap) {
  SynthesisWish wish{.method = GetParam().method, .workload = GetParam().workload};
  if (wish.workload == Workload::kQueries) {
    const auto only = [](size_t cells, uint16_t cell) {
      View view{.cell_of = std::vector<uint16_t>(cells, kNowhere), .cells = 1};
      view.cell_of[cell] = 0;
      return view;
    };
    // How many are where the row more is, and tables that know less of it.
    wish.queries = {{.columns = {0, 1, 2}, .views = {only(2, 1), only(2, 0), only(3, 2)}},
                    {.columns = {0, 1}},
                    {.columns = {1, 2}}};
  }
  Audit(
      [&](int64_t more, const Rho& rho, Entropy& entropy) {
        const SyntheticTable made =
            Synthesize(Twelve(more), kAudited, kOneMore, rho, wish, entropy, nullptr);
        std::vector<bool> events = {SameRows(made.codes) >= 8, made.summary.rows_estimated > 14,
                                    made.summary.chi_square > 1, made.summary.error > 0.3};
        // What was chosen first, and what was then counted.
        if (!made.answered.empty()) {
          events.push_back(made.answered[0].which == 0);
          events.push_back(made.answered[0].table.counts[0] > 6);
        }
        return events;
      },
      GetParam().runs)
      .Check(30);
}

// A fit takes some milliseconds, so that there are fewer runs of those.
INSTANTIATE_TEST_SUITE_P(
    Methods, AuditTest,
    ::testing::Values(Way{"Direct", Method::kDirect, Workload::kPairs, 3000},
                      Way{"MixtureOfPairs", Method::kMixture, Workload::kPairs, 300},
                      Way{"MixtureOfQueries", Method::kMixture, Workload::kQueries, 300},
                      Way{"AdaptiveOverPairs", Method::kAdaptive, Workload::kPairs, 300},
                      Way{"AdaptiveOverQueries", Method::kAdaptive, Workload::kQueries, 300},
                      Way{"MwemOverPairs", Method::kMwem, Workload::kPairs, 3000},
                      Way{"MwemOverQueries", Method::kMwem, Workload::kQueries, 3000}),
    [](const auto& way) { return way.param.name; });

// Runs on two columns, where one number shows almost all that was counted: here noise that is too
// small by a factor of two is seen.
class SharpAuditTest : public ::testing::TestWithParam<Way> {
 protected:
  struct Moments {
    double mean = 0;
    double variance = 0;
  };

  // Of the rows in a cell, as they were counted where the run says so and as they were made where
  // not, on so many rows more of it.
  Moments InCell(int64_t more, uint64_t seed) const {
    SynthesisWish wish{.method = GetParam().method, .workload = GetParam().workload};
    if (wish.workload == Workload::kQueries) wish.queries = {{.columns = {0, 1}}};
    const Joint joint{.codes = {{0, 0, 1, 1}, {0, 1, 0, 1}}, .weights = {30, 30, 30 + more, 30}};
    SeededEntropy entropy(seed);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < GetParam().runs; ++i) {
      const SyntheticTable made = Synthesize(joint, {{.cells = 2}, {.cells = 2}}, kOneMore,
                                             Rho(kRho), wish, entropy, nullptr);
      double rows = 0;
      for (size_t r = 0; r < made.codes[0].size(); ++r) {
        rows += made.codes[0][r] == 1 && made.codes[1][r] == 0 ? 1 : 0;
      }
      if (!made.answered.empty()) rows = made.answered[0].table.counts[2];
      sum += rows;
      squares += rows * rows;
    }
    const double mean = sum / GetParam().runs;
    return {.mean = mean, .variance = squares / GetParam().runs - mean * mean};
  }

  // What is rho-zCDP for one row is m^2 rho-zCDP for m rows: Renyi's divergence of order 2 is at
  // most x = 2 m^2 rho, and then no number's mean moves by more than sqrt(e^x - 1) of its standard
  // deviation (Chapman and Robbins). The largest rho that the means refute, five standard
  // deviations of theirs off.
  double RefutedRho(const Moments& with, const Moments& without) const {
    const double sure = 5 * std::sqrt(2.0 / GetParam().runs);
    const double moved = (with.mean - without.mean) / std::sqrt(without.variance) - sure;
    return moved > 0 ? std::log1p(moved * moved) / (2 * kRows * kRows) : 0;
  }

  static constexpr int64_t kRows = 2;
  const Rational kRho = Rational(3, 100);
};

TEST_P(SharpAuditTest, FindsNothingBeyondTheClaimAndFindsNoiseTooSmallByTwo) {
  const Moments without = InCell(0, 1);
  EXPECT_LT(RefutedRho(InCell(kRows, 2), without), kRho.get_d());
  // Rows twice as far apart in the same noise, as if half of it were missing.
  EXPECT_GT(RefutedRho(InCell(2 * kRows, 3), without), kRho.get_d());
}

INSTANTIATE_TEST_SUITE_P(Methods, SharpAuditTest,
                         ::testing::Values(Way{"Direct", Method::kDirect, Workload::kPairs, 10000},
                                           Way{"Mixture", Method::kMixture, Workload::kPairs, 3000},
                                           Way{"Adaptive", Method::kAdaptive, Workload::kQueries,
                                               3000},
                                           Way{"Mwem", Method::kMwem, Workload::kQueries, 10000}),
                         [](const auto& way) { return way.param.name; });

// A person has eight rows, and all of them together count for two.
TEST(AuditOfWeighedRows, FindsNothingBeyondTheClaimAndFindsRowsThatCountInFull) {
  constexpr int64_t kParts = 60;
  std::vector<ColumnShape> columns = kAudited;
  columns.push_back({.cells = 2});
  SynthesisWish wish{.method = Method::kDirect};
  wish.weighing = {.column = 3, .weights = {1, 0.25}};
  const Moved moved{.rows = 2 * kParts, .l2_squared = 4 * kParts * kParts, .different = 8};
  Audit(
      [&](int64_t people, const Rho& rho, Entropy& entropy) {
        Joint joint = Twelve(0);
        joint.parts = kParts;
        for (int64_t& weight : joint.weights) weight *= kParts;
        joint.codes.push_back({0, 0, 0, 0});
        const std::vector<uint16_t> row = {1, 0, 2, 1};
        for (size_t c = 0; c < row.size(); ++c) joint.codes[c].push_back(row[c]);
        joint.weights.push_back(people * 8 * kParts / 4);
        const SyntheticTable made = Synthesize(joint, columns, moved, rho, wish, entropy, nullptr);
        return std::vector<bool>{SameRows(made.codes) >= 12, made.summary.rows_estimated > 24,
                                 made.summary.chi_square > 1};
      },
      3000)
      .Check(30);
}

TEST(AuditOfTables, FindsNothingBeyondTheClaimAndFindsATableWithoutItsCap) {
  Audit(
      [](int64_t more, const Rho& rho, Entropy& entropy) {
        const ReleasedTables made = MeasureTables(Twelve(more), kAudited, {{0, 1}, {1, 2}},
                                                  kOneMore, rho, 1000, entropy, nullptr);
        return std::vector<bool>{made.tables[0].counts[2] >= 5, made.tables[1].counts[2] >= 5,
                                 made.rows > 14};
      },
      3000)
      .Check(30);
}

TEST(AuditOfChildren, FindsNothingBeyondTheClaimAndFindsATableWithoutItsCap) {
  Audit(
      [](int64_t more, const Rho& rho, Entropy& entropy) {
        MadeParents parents{.codes = {{0, 0, 1, 1}}, .children = {3, 3, 3, 3}};
        const SyntheticTable made = SynthesizeChildren(Twelve(more), kAudited, {}, kOneMore, rho, 1,
                                                       parents, entropy, nullptr);
        int same = 0;
        for (size_t r = 6; r < made.codes[0].size(); ++r) {
          same += made.codes[0][r] == 0 && made.codes[1][r] == 2 ? 1 : 0;
        }
        return std::vector<bool>{same >= 3, made.summary.rows_estimated > 14,
                                 made.summary.chi_square > 1, made.summary.error > 0.3};
      },
      3000)
      .Check(30);
}

}  // namespace
}  // namespace tacit::release
