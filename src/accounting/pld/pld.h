#pragma once

#include "accounting/event.h"
#include "accounting/pld/losses/losses.h"
#include "base/result.h"

namespace tacit::accounting::pld {

// Bounds on both sides of the exact value: lower <= exact <= upper.
struct Bracket {
  double lower = 0;
  double upper = 0;
};

// The exact epsilon of all terms together at this delta, by the distribution of their privacy loss.
// For releases fixed beforehand; adaptively chosen ones belong to a filter. The error says which
// term has no proven loss, and why.
Result<Bracket> EpsilonBracket(const std::vector<Term>& terms, const Delta& delta,
                               Neighbours neighbours);

// The same for one direction alone (add_remove): for whoever asks which of the two decides.
Result<Bracket> EpsilonBracketOf(const std::vector<Term>& terms, const Delta& delta,
                                 Direction direction);

// The exact delta at this epsilon.
Result<Bracket> DeltaBracket(const std::vector<Term>& terms, double epsilon, Neighbours neighbours);

}  // namespace tacit::accounting::pld
