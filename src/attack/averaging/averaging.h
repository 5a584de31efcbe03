#pragma once

#include "attack/progress.h"
#include "attack/report.h"
#include "attack/scene/scene.h"

namespace tacit::attack {

struct AveragingSettings {
  uint64_t seed = 1;
  int runs = 1000;      // against servers of the lab
  int tacit_runs = 20;  // against Tacit, each with a new ledger
  int questions = 4000;
};

// The same count, asked again and again, and the mean of the answers: noise that is drawn anew
// averages away. How many questions until the rounded mean is the truth; how stored answers stop
// the plain repetition and the budget stops the reworded one.
Result<Report> AttackByAveraging(const Scene& scene, const AveragingSettings& settings,
                                 const Progress& progress);

}  // namespace tacit::attack
