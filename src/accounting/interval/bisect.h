#pragma once

#include <cmath>

namespace tacit::accounting {

// The smallest double x >= 0 at which a condition holds that stays true once it is true; infinity
// where it never holds. The condition is checked at the returned value itself, so a condition that
// errs on the safe side gives a safe x.
template <class Holds>
double SmallestWhere(Holds holds) {
  if (holds(0.0)) return 0;
  double high = 1;
  while (!holds(high)) {
    high *= 4;
    if (high > 1e300) return INFINITY;
  }
  double low = 0;
  // Why 80: halving from 1e300 settles a double's 53 bits; near zero the width is absolute.
  for (int i = 0; i < 80 && high > std::nextafter(low, high); ++i) {
    const double middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace tacit::accounting
