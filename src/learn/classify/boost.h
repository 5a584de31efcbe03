#pragma once

#include "learn/classify/train.h"

namespace tacit::learn {

// Boosting of public trees: what they ask is drawn before any row is read, and only what their
// leaves say is learned. trees.md says how.
std::vector<Round> BoostRounds(const CellWish& wish);
CellFit TrainBoost(const CellWish& wish, Rounds& rounds);

}  // namespace tacit::learn
