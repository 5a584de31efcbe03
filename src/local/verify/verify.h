#pragma once

#include <string>
#include <vector>

#include "local/design/design.h"

namespace tacit::local {

// The exact probabilities of a randomiser: table[answer][report], integers over one common total.
struct Transitions {
  Integer total;
  std::vector<std::vector<Integer>> weight;
};

// Why 2^20: a table above that many cells takes seconds, and a mechanism's epsilon depends on its
// number of values only through the formula that smaller tables check.
inline constexpr uint64_t kTransitionCellsMax = uint64_t{1} << 20;

bool CanEnumerate(const Design& design);

// Runs the randomiser's own code on every class of coins (all words below a threshold act alike, as
// do all others: the ends of each class are tried) and adds up their weights. An error when the
// table would be too large, or when two coins of one class gave different reports.
Result<Transitions> EnumerateTransitions(const Design& design);

// The largest ratio of two answers' probabilities for one report; an error when one answer can give
// a report that another cannot, or when an answer's probabilities do not add up to one.
Result<Rational> TrueRatio(const Transitions& transitions);

struct Verdict {
  Epsilon claimed;
  Rational true_ratio;  // its logarithm is the true epsilon
  size_t answers = 0;
  size_t reports = 0;
  bool holds = false;  // ln(true_ratio) <= claimed, decided exactly
};

Result<Verdict> VerifyDesign(const Design& design, const Epsilon& claimed);

}  // namespace tacit::local
