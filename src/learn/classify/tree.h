#pragma once

#include "learn/classify/train.h"

namespace tacit::learn {

// One tree to be read: each question is the best one by noisy counts. trees.md says how.
std::vector<Round> TreeRounds(const CellWish& wish);
CellFit TrainTree(const CellWish& wish, Rounds& rounds);

}  // namespace tacit::learn
