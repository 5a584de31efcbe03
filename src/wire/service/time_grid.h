#pragma once

#include <chrono>

namespace tacit::wire {

// Answers leave on the multiples of a public period: when one leaves says in how many periods it
// was ready, and nothing finer. 0: at once.
inline std::chrono::steady_clock::time_point NextTick(std::chrono::steady_clock::time_point now,
                                                      int every_ms) {
  if (every_ms <= 0) return now;
  const std::chrono::steady_clock::duration period = std::chrono::milliseconds(every_ms);
  const auto since = now.time_since_epoch();
  return std::chrono::steady_clock::time_point((since / period + 1) * period);
}

}  // namespace tacit::wire
