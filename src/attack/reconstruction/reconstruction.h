#pragma once

#include "attack/progress.h"
#include "attack/report.h"
#include "attack/scene/scene.h"

namespace tacit::attack {

struct ReconstructionSettings {
  uint64_t seed = 1;
  uint32_t people = 64;  // of the scene, whose secrets are reconstructed together
  int runs = 3;          // of every point against servers of the lab
  int tacit_runs = 2;    // against Tacit, each with a new ledger
  uint32_t questions = 16384;
  uint32_t coins = 512;    // the largest n of the curves that show the threshold
  uint32_t lp_coins = 96;  // the n of the linear program's curve
};

// Counts of random subsets, each harmless, all together a system of equations: least squares or a
// linear program solves it for everybody's secret at once unless the noise grows like sqrt(n).
Result<Report> AttackByReconstruction(const Scene& scene, const ReconstructionSettings& settings,
                                      const Progress& progress);

}  // namespace tacit::attack
