#pragma once

#include "attack/reconstruction/reconstruction.h"

// The parts of the reconstruction's report.

namespace tacit::attack {

// Least squares and the linear program against noise in units of sqrt(n): the curves of different n
// fall together, so sqrt(n) is what decides.
Result<Chart> ThresholdChart(const ReconstructionSettings& settings, const Progress& progress);

// The same against noise in people: the more people, the more noise is needed.
Result<Chart> NoiseChart(const ReconstructionSettings& settings, const Progress& progress);

// Servers of the scene against the number of questions; fills the sentences as well.
Result<Chart> ServersChart(const Scene& scene, const ReconstructionSettings& settings,
                           const Progress& progress, std::vector<std::string>& sentences);

}  // namespace tacit::attack
