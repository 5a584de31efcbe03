#pragma once

#include "learn/cells/fit.h"
#include "learn/rounds/rounds.h"

namespace tacit::learn {

// What is to be learned. In the rows, the first cell is the target's, the others are the
// features'.
struct CellWish {
  CellTask task = CellTask::kNaiveBayes;
  CellColumn target;
  std::vector<CellColumn> features;  // at least one
  bool gaussian = false;             // which noise there will be
  bool scored = false;               // by rows that are held out
};

// What is asked of the rows, fixed before any is read: a function of what is public.
std::vector<Round> RoundsOf(const CellWish& wish);

// Asks these rounds, each once, and makes a model of what they say. Inside the mechanism.
CellFit Train(const CellWish& wish, Rounds& rounds);

// Why 3: below it one can hardly say that there are rows at all.
inline constexpr double kRowsOverNoise3 = 3;

}  // namespace tacit::learn
