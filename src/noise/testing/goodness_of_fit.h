#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <vector>

#include "base/secrets/entropy.h"

// Statistics for sampler tests. A test draws N values, compares the counts with the exact chances
// by Pearson's chi-square, and fails above 6.5 standard deviations of the Wilson-Hilferty
// approximation: a false alarm about once in 10^10 tests. A biased twin of the sampler must fail
// the same test, or the test could not see the bias. The seed is printed, and TACIT_SEED=n repeats
// a run.

namespace tacit::noise::testing {

inline bool IsLongRun() { return std::getenv("TACIT_LONG") != nullptr; }

inline uint64_t TestSeed() {
  const char* given = std::getenv("TACIT_SEED");
  const uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : Entropy::ForThisThread().NextWord();
  ::testing::Test::RecordProperty("seed", std::to_string(seed));
  std::printf("seed %llu (TACIT_SEED repeats it)\n", static_cast<unsigned long long>(seed));
  return seed;
}

// Counts of whole values; those outside [low, high] share one bin at each end.
class Histogram {
 public:
  Histogram(int64_t low, int64_t high) : low_(low), counts_(static_cast<size_t>(high - low + 3)) {}

  void Add(int64_t value) {
    const int64_t last = static_cast<int64_t>(counts_.size()) - 1;
    const int64_t bin = value < low_ ? 0 : std::min(value - low_ + 1, last);
    ++counts_[static_cast<size_t>(bin)];
    ++total_;
  }

  // How many standard deviations the fit is off; `chance(x)` is P(X = x) for x in the range, and
  // the two ends get `below` and `above`.
  double Deviation(const std::function<double(int64_t)>& chance, double below, double above) const {
    double chi_square = 0;
    int bins = 0;
    double expected = 0;  // neighbouring bins are joined until each expects 20
    double seen = 0;
    const auto close = [&] {
      chi_square += (seen - expected) * (seen - expected) / expected;
      ++bins;
      expected = 0;
      seen = 0;
    };
    for (size_t bin = 0; bin < counts_.size(); ++bin) {
      const double p = bin == 0                    ? below
                       : bin + 1 == counts_.size() ? above
                                                   : chance(low_ + static_cast<int64_t>(bin) - 1);
      expected += p * static_cast<double>(total_);
      seen += static_cast<double>(counts_[bin]);
      if (expected >= 20) close();
    }
    if (expected > 0) close();
    const double degrees = std::max(bins - 1, 1);
    const double spread = 2 / (9 * degrees);
    return (std::cbrt(chi_square / degrees) - (1 - spread)) / std::sqrt(spread);
  }

 private:
  int64_t low_;
  std::vector<uint64_t> counts_;
  uint64_t total_ = 0;
};

inline constexpr double kAlarm = 6.5;

}  // namespace tacit::noise::testing
