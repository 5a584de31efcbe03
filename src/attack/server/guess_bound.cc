#include <algorithm>
#include <cmath>

#include "attack/server/server.h"

namespace tacit::attack {

double GuessBoundUp(const Spent& spent) {
  // Guessing a fair coin from an answer succeeds with (1 + TV) / 2, TV the distance of the answer's
  // two distributions. (epsilon, delta): TV <= (e^epsilon - 1 + 2 delta) / (e^epsilon + 1).
  double distance = 1;
  if (spent.zcdp) {
    // KL <= rho: Pinsker gives sqrt(rho / 2), Bretagnolle and Huber sqrt(1 - e^-rho).
    distance = std::min(std::sqrt(spent.rho / 2), std::sqrt(-std::expm1(-spent.rho))) + spent.delta;
  } else {
    distance = std::tanh(spent.epsilon / 2) + 2 * spent.delta / (std::exp(spent.epsilon) + 1);
  }
  // A handful of roundings above, each below one unit in 2^52.
  return std::min(1.0, (1 + distance) / 2 * (1 + 0x1p-46));
}

}  // namespace tacit::attack
