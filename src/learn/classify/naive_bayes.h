#pragma once

#include "learn/classify/train.h"

namespace tacit::learn {

std::vector<Round> NaiveBayesRounds(const CellWish& wish);
CellFit TrainNaiveBayes(const CellWish& wish, Rounds& rounds);

}  // namespace tacit::learn
