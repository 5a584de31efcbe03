#pragma once

#include "accounting/composition/composition.h"

namespace tacit::accounting {

// Every accountant's answer to the same question.
struct EpsilonBounds {
  Bound basic;
  Bound advanced;
  Bound optimal;
  Bound zcdp;
  PldBound pld;

  // The smallest epsilon any of them proves; none where no accountant applies.
  std::optional<double> Best() const;
};

EpsilonBounds EpsilonBoundsFor(const std::vector<Term>& terms, const Delta& delta,
                               Neighbours neighbours);

}  // namespace tacit::accounting
