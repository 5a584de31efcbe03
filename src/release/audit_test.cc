#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "accounting/zcdp.h"
#include "base/testing/tape_entropy.h"
#include "release/synthesize.h"

// The whole run as one mechanism, from outside: what does it tell about one row more?
namespace tacit::release {
namespace {

using tacit::testing::SeededEntropy;

const std::vector<ColumnShape> kColumns = {{.cells = 2}, {.cells = 2}, {.cells = 3}};

// Twelve rows, and so many more of one kind.
Joint Rows(int64_t more) {
  return {.codes = {{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 2, 0}}, .weights = {3, 3, 3 + more, 3}};
}

using Event = std::function<bool(const SyntheticTable&)>;

// How often each event happens with so many rows more.
std::vector<int> Count(int64_t more, const SynthesisWish& wish, const Rho& rho, int runs,
                       uint64_t seed, const std::vector<Event>& events) {
  const Joint joint = Rows(more);
  SeededEntropy entropy(seed);
  std::vector<int> counts(events.size());
  for (int i = 0; i < runs; ++i) {
    const SyntheticTable made =
        Synthesize(joint, kColumns, {.rows = 1, .l2_squared = 1}, rho, wish, entropy, nullptr);
    for (size_t e = 0; e < events.size(); ++e) counts[e] += events[e](made) ? 1 : 0;
  }
  return counts;
}

// A share that the true probability is above, or below, but in one of a million cases: Hoeffding.
double Margin(int runs) { return std::sqrt(std::log(1e6) / 2 / runs); }

// The largest epsilon that the counts refute at this delta; 0 where none.
double Refuted(int with, int without, int runs, double delta) {
  const double high = static_cast<double>(with) / runs - Margin(runs) - delta;
  const double low = static_cast<double>(without) / runs + Margin(runs);
  return high > 0 ? std::max(0.0, std::log(high / low)) : 0;
}

struct Audit {
  Method method;
  Workload workload;
  int runs;
};

class AuditTest : public ::testing::TestWithParam<Audit> {};

TEST_P(AuditTest, FindsNothingBeyondTheClaimAndFindsATableWithoutItsCap) {
  const SynthesisWish wish{.method = GetParam().method, .workload = GetParam().workload};
  const Epsilon epsilon(1, 1);
  const Delta delta(1, 1000);
  const Rho rho = accounting::ZcdpRhoDown(epsilon, delta);
  const int runs = GetParam().runs;
  // The cell that the row is in is full, or there are many rows at all.
  const std::vector<Event> events = {
      [](const SyntheticTable& made) {
        int same = 0;
        for (size_t r = 0; r < made.codes[0].size(); ++r) {
          same += made.codes[0][r] == 1 && made.codes[1][r] == 0 && made.codes[2][r] == 2 ? 1 : 0;
        }
        return same >= 10;
      },
      [](const SyntheticTable& made) { return made.summary.rows_estimated > 14; },
      [](const SyntheticTable& made) { return made.summary.chi_square > 1; },
      [](const SyntheticTable& made) { return made.summary.error > 0.3; },
  };
  const std::vector<int> without = Count(0, wish, rho, runs, 1, events);
  const std::vector<int> with = Count(1, wish, rho, runs, 2, events);
  // The same noise for somebody who has forty rows and not one: a cap that was forgotten.
  const std::vector<int> uncapped = Count(40, wish, rho, runs, 3, events);
  bool found_without_cap = false;
  for (size_t e = 0; e < events.size(); ++e) {
    EXPECT_LT(Refuted(with[e], without[e], runs, 0.001), 1) << e;
    EXPECT_LT(Refuted(without[e], with[e], runs, 0.001), 1) << e;
    EXPECT_LT(Refuted(runs - with[e], runs - without[e], runs, 0.001), 1) << e;
    EXPECT_LT(Refuted(runs - without[e], runs - with[e], runs, 0.001), 1) << e;
    found_without_cap |= Refuted(uncapped[e], without[e], runs, 0.001) > 1;
  }
  EXPECT_TRUE(found_without_cap);
}

// A fit takes some milliseconds, so that there are fewer runs of those.
INSTANTIATE_TEST_SUITE_P(Methods, AuditTest,
                         ::testing::Values(Audit{Method::kDirect, Workload::kPairs, 3000},
                                           Audit{Method::kMixture, Workload::kPairs, 400},
                                           Audit{Method::kMixture, Workload::kTriples, 400},
                                           Audit{Method::kMwem, Workload::kPairs, 3000}));

}  // namespace
}  // namespace tacit::release
