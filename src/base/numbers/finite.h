#pragma once

#include <cmath>
#include <optional>

namespace tacit {

// The doubles that expressions compute with: finite, and zero without a sign. What compares equal
// then prints alike, and every comparison is an order.
inline std::optional<double> FiniteOf(double number) {
  if (!std::isfinite(number)) return std::nullopt;
  return number + 0.0;  // -0 + 0 is 0
}

}  // namespace tacit
