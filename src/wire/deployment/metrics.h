#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"

namespace tacit::wire {

// Counts for the operator. None of them depends on a protected row but through time, which is why
// they are shown on the admin listener only.
class Metrics {
 public:
  enum class Outcome { kAnswered, kRefused, kExhausted, kUnavailable, kCount };

  void Count(Outcome outcome, std::chrono::steady_clock::duration time);
  static Outcome OutcomeOf(const Error& error);

  // What is read when the operator asks. Absent: it could not be read.
  struct Gauges {
    std::string version;
    bool backend_up = false;
    std::optional<double> budget_left;  // of the dataset, as a share of the whole
    size_t waiting = 0;
    size_t unprepared = 0;  // tables with a cap
  };

  // In Prometheus' text format.
  std::string Text(const Gauges& gauges) const;

 private:
  static constexpr std::array<double, 9> kSeconds = {0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 1, 5, 30};
  std::array<std::atomic<uint64_t>, static_cast<size_t>(Outcome::kCount)> outcomes_{};
  std::array<std::atomic<uint64_t>, kSeconds.size() + 1> durations_{};
  std::atomic<uint64_t> micros_{0};
};

}  // namespace tacit::wire
