#pragma once

#include "analysis/facts.h"
#include "plan/price/price.h"
#include "plan/price/sensitivity.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// The measure with its noise: Laplace under pure accounting, Gaussian under zCDP, where at equal
// rho its error at 95 % is two thirds of Laplace's; or `drawn`, where it has one with others
// (cubes.h).
Result<Measure> MakeMeasure(const analysis::ExactMeasure& measure, const analysis::Block& block,
                            const policy::Privacy& privacy, const Share& share,
                            const noise::AnyMechanism* drawn = nullptr);

}  // namespace tacit::plan
