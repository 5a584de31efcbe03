#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "base/error.h"

namespace tacit::wire {

// What the operator watches, in Prometheus' text format; for the admin listener alone: counts and
// times of other people's questions are a side channel. Safe to use from any thread.
class Metrics {
 public:
  enum class Outcome { kAnswered, kReplayed, kRefused, kInvalid, kExhausted, kUnavailable };

  static Outcome OutcomeOf(ErrorCode code);

  // A question was dealt with: how it ended, and how long it took before the time grid.
  void Observe(Outcome outcome, double seconds);

  std::string Text() const;

 private:
  static constexpr size_t kOutcomes = 6;
  // Upper bounds in seconds; the last bucket has none.
  static constexpr std::array<double, 12> kBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                     0.1,   0.25,   0.5,   1,    5,     30};

  std::array<std::atomic<uint64_t>, kOutcomes> outcomes_{};
  std::array<std::atomic<uint64_t>, kBounds.size() + 1> buckets_{};
  std::atomic<uint64_t> microseconds_{0};
};

}  // namespace tacit::wire
