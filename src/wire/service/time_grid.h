#pragma once

#include <chrono>

namespace tacit::wire {

// Answers leave a whole number of public periods after their question came: when one leaves says in
// how many periods it was ready, and nothing finer. Counted from the question and not from the
// clock: who may choose how long before an instant to ask could measure as finely as they like. 0:
// at once.
inline std::chrono::steady_clock::time_point NextTick(std::chrono::steady_clock::time_point asked,
                                                      std::chrono::steady_clock::time_point now,
                                                      int every_ms) {
  if (every_ms <= 0) return now;
  const std::chrono::steady_clock::duration period = std::chrono::milliseconds(every_ms);
  return asked + ((now - asked) / period + 1) * period;
}

}  // namespace tacit::wire
