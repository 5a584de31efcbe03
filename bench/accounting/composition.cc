#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "accounting/pld/pld.h"

// Times the distribution of the privacy loss for the compositions docs/performance.md names.
// One JSON object a line: name, milliseconds (best and median of the runs; processor time of all
// threads, best), both bounds.

namespace {

using tacit::Rational;
using tacit::accounting::Event;
using tacit::accounting::LaplaceEvent;
using tacit::accounting::SubsampledGaussianEvent;

struct Case {
  std::string name;
  Event event;
  uint64_t count;
};

Event Sampled(Rational sigma, Rational rate) { return SubsampledGaussianEvent{sigma, rate}; }

int Run(const Case& c) {
  constexpr int kRuns = 15;
  std::vector<double> times_ms;
  double cpu_ms = 1e9;
  tacit::accounting::pld::Bracket bracket;
  for (int i = 0; i < kRuns; ++i) {
    const std::clock_t cpu_start = std::clock();
    const auto start = std::chrono::steady_clock::now();
    auto result = tacit::accounting::pld::EpsilonBracket(
        {{c.event, c.count}}, tacit::Delta(1, 100000), tacit::accounting::Neighbours::kAddRemove);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    cpu_ms = std::min(cpu_ms, 1e3 * static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
    if (!result.ok()) {
      std::fprintf(stderr, "%s: %s\n", c.name.c_str(), result.error().public_message.c_str());
      return 1;
    }
    times_ms.push_back(taken.count());
    bracket = *result;
  }
  std::sort(times_ms.begin(), times_ms.end());
  std::printf(
      "{\"name\": \"%s\", \"best_ms\": %.3f, \"median_ms\": %.3f, \"cpu_ms\": %.3f, \"lower\": "
      "%.9g, \"upper\": "
      "%.9g}\n",
      c.name.c_str(), times_ms.front(), times_ms[kRuns / 2], cpu_ms, bracket.lower, bracket.upper);
  std::fflush(stdout);
  return 0;
}

}  // namespace

int main() {
  const std::vector<Case> cases = {
      {"laplace eps=0.1 x100", LaplaceEvent{tacit::Epsilon(1, 10)}, 100},
      {"sgaussian sigma=1 q=0.01 x1000", Sampled(1, Rational(1, 100)), 1000},
      {"sgaussian sigma=1 q=0.001 x1000000", Sampled(1, Rational(1, 1000)), 1000000},
      {"sgaussian sigma=0.7 q=0.0005 x1000000", Sampled(Rational(7, 10), Rational(1, 2000)),
       1000000},
      {"sgaussian sigma=2 q=0.001 x1000000", Sampled(2, Rational(1, 1000)), 1000000},
      {"sgaussian sigma=10 q=0.01 x1000000", Sampled(10, Rational(1, 100)), 1000000},
  };
  int failed = 0;
  for (const Case& c : cases) failed += Run(c);
  return failed == 0 ? 0 : 1;
}
