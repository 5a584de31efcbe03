#pragma once

#include "learn/classify/train.h"

namespace tacit::learn {

// Logistic regression, and a linear support vector machine: one weight for each cell of each
// feature, of which a row's margin is the sum. margins.md says how they are found.
std::vector<Round> MarginRounds(const CellWish& wish);
CellFit TrainMargins(const CellWish& wish, Rounds& rounds);

// Margins and what losses make of them are whole numbers of 1/1024.
inline constexpr int64_t kMarginUnits = 1024;
// How much a row of the second class, or else of the first, pulls its margin: at most 1 by size,
// and towards its own class.
int64_t PullOf(CellTask task, bool second, int64_t margin);

}  // namespace tacit::learn
