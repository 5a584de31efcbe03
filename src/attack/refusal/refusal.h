#pragma once

#include "attack/progress.h"
#include "attack/report.h"
#include "attack/scene/scene.h"

namespace tacit::attack {

struct RefusalSettings {
  uint64_t seed = 1;
  int targets = 100;
};

// A rule that depends on the data answers by what it does. The attacker puts the target beside
// exactly as many people known to have the secret as bring the count to a rule's edge: whether the
// server refuses, or which way it rounds, is the target's secret.
Result<Report> AttackByRefusal(const Scene& scene, const RefusalSettings& settings,
                               const Progress& progress);

}  // namespace tacit::attack
