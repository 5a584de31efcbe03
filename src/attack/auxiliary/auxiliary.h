#pragma once

#include "attack/progress.h"
#include "attack/report.h"
#include "base/result.h"

namespace tacit::attack {

struct AuxiliarySettings {
  uint64_t seed = 1;
  uint32_t people = 20000;  // of the invented town
  int draws = 100;          // of the answer, in each world and at each epsilon
};

// Two worlds that differ in one row: a town's survey with Ada in it, and without. What an outsider
// who knows that Ada smokes, or that she earns twice the average, learns from the release in both;
// and how well the worlds can be told apart, which is what epsilon bounds. Tacit answers in both,
// on temporary deployments.
Result<Report> AttackWithAuxiliary(const AuxiliarySettings& settings, const Progress& progress);

}  // namespace tacit::attack
