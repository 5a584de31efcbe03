#pragma once

#include "attack/progress.h"
#include "attack/report.h"
#include "attack/scene/scene.h"

namespace tacit::attack {

struct DifferencingSettings {
  uint64_t seed = 1;
  int targets = 200;       // whose secret is guessed, one after the other
  int tacit_guesses = 60;  // at each epsilon of the curve; a new ledger whenever a budget is spent
};

// Two harmless questions, "how many people have it" and "how many but her", and their difference is
// her secret. Against every server of the scene, and against Tacit at several prices.
Result<Report> AttackByDifferencing(const Scene& scene, const DifferencingSettings& settings,
                                    const Progress& progress);

}  // namespace tacit::attack
