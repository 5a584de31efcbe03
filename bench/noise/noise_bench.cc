// Measures the samplers: nanoseconds a sample at several scales, at a fresh scale for every sample
// (what a query draws), and whether time tells the noise (Welch's t-test). Prints one JSON object.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/exponential_mechanism/exponential_mechanism.h"

namespace tacit::noise {
namespace {

using Clock = std::chrono::steady_clock;

uint64_t Ticks() {
#if defined(__x86_64__)
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
#else
  return static_cast<uint64_t>(Clock::now().time_since_epoch().count());
#endif
}

volatile int64_t sink;

// The best of several rounds: what the code costs when nothing else runs on the core.
double NanosecondsEach(int count, const std::function<int64_t(int)>& sample) {
  double best = INFINITY;
  for (int round = 0; round < 7; ++round) {
    const auto start = Clock::now();
    int64_t sum = 0;
    for (int i = 0; i < count; ++i) sum += sample(i);
    sink = sum;
    const double elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    best = std::min(best, elapsed / count);
  }
  return best;
}

template <class Mechanism>
double NanosecondsEach(const Mechanism& mechanism) {
  Entropy& entropy = Entropy::ForThisThread();
  constexpr int kCount = 300'000;
  double best = INFINITY;
  for (int round = 0; round < 15; ++round) {
    const auto start = Clock::now();
    Int128 sum = 0;
    for (int i = 0; i < kCount; ++i) sum += mechanism.Sample(entropy);
    sink = static_cast<int64_t>(sum);
    const double elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    best = std::min(best, elapsed / kCount);
  }
  return best;
}

// Welch's t between the times of small and of large noise; slow outliers (interrupts) are cropped
// at a percentile of all times together, which cannot favour a class.
double TimingT(int count, double split, const std::function<Int128()>& sample) {
  struct Timed {
    uint64_t ticks;
    bool large;
  };
  std::vector<Timed> timed;
  timed.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    const uint64_t start = Ticks();
    const Int128 value = sample();
    const uint64_t end = Ticks();
    timed.push_back({.ticks = end - start, .large = static_cast<double>(Magnitude(value)) > split});
  }
  std::vector<uint64_t> all;
  for (const Timed& t : timed) all.push_back(t.ticks);
  std::ranges::sort(all);
  const uint64_t crop = all[all.size() * 99 / 100];
  double n[2] = {}, mean[2] = {}, square[2] = {};
  for (const Timed& t : timed) {
    if (t.ticks > crop) continue;
    const int c = t.large ? 1 : 0;
    const auto x = static_cast<double>(t.ticks);
    n[c] += 1;
    const double step = x - mean[c];
    mean[c] += step / n[c];
    square[c] += step * (x - mean[c]);
  }
  const double error = square[0] / (n[0] * (n[0] - 1)) + square[1] / (n[1] * (n[1] - 1));
  return (mean[1] - mean[0]) / std::sqrt(error);
}

// What time looks like when it tells: a geometric variate counted up one coin at a time.
Int128 CountedLaplace(Entropy& entropy, uint64_t coin) {
  Int128 value = 0;
  while (entropy.NextWord() < coin) ++value;
  while (entropy.NextWord() < coin) --value;
  return value;
}

nlohmann::json Measure() {
  nlohmann::json report;
  Entropy& entropy = Entropy::ForThisThread();
  for (const char* text : {"1", "10", "1000", "1099511627776"}) {
    const Rational scale = ParseRational(text).value();
    report["laplace"][text] = NanosecondsEach(DiscreteLaplace::WithScale(scale).value());
    report["gaussian"][text] =
        NanosecondsEach(DiscreteGaussian::WithSigmaSquared(scale * scale).value());
    constexpr int kFresh = 20'000;
    std::vector<Rational> scales;
    std::vector<Rational> squares;
    for (int i = 0; i < kFresh; ++i) {
      scales.push_back(scale + Fraction(i, 1000));
      squares.push_back(scale * scale + Fraction(i, 1000));
    }
    report["fresh laplace"][text] = NanosecondsEach(kFresh, [&](int i) {
      const auto fresh = DiscreteLaplace::WithScale(scales[static_cast<size_t>(i)]);
      return static_cast<int64_t>(fresh->Sample(entropy));
    });
    report["fresh gaussian"][text] = NanosecondsEach(kFresh, [&](int i) {
      const auto fresh = DiscreteGaussian::WithSigmaSquared(squares[static_cast<size_t>(i)]);
      return static_cast<int64_t>(fresh->Sample(entropy));
    });
  }
  const auto mechanism =
      ExponentialMechanism::Make({.spread = 2, .epsilon = Epsilon(1, 10)}).value();
  std::vector<ExponentialMechanism::Candidate> candidates(10'000);
  for (size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].utility = -static_cast<int64_t>(i % 700);
  }
  report["exponential mechanism, a candidate"] =
      NanosecondsEach(
          50, [&](int) { return static_cast<int64_t>(mechanism.Apply(candidates, entropy)); }) /
      static_cast<double>(candidates.size());
  report["random word"] =
      NanosecondsEach(1'000'000, [&](int) { return static_cast<int64_t>(entropy.NextWord()); });

  const DiscreteLaplace laplace = DiscreteLaplace::WithScale(10).value();
  const DiscreteGaussian gaussian = DiscreteGaussian::WithSigmaSquared(100).value();
  const uint64_t coin = static_cast<uint64_t>(std::exp(-0.1) * std::pow(2.0, 64));
  constexpr int kTimed = 1'000'000;
  report["t"]["laplace"] = TimingT(kTimed, 7, [&] { return laplace.Sample(entropy); });
  report["t"]["gaussian"] = TimingT(kTimed, 7, [&] { return gaussian.Sample(entropy); });
  report["t"]["counted (leaks)"] =
      TimingT(kTimed, 7, [&] { return CountedLaplace(entropy, coin); });
  return report;
}

}  // namespace
}  // namespace tacit::noise

int main() { std::printf("%s\n", tacit::noise::Measure().dump(1).c_str()); }
