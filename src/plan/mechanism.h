#pragma once

#include <string>

#include "analysis/facts.h"
#include "plan/price.h"
#include "plan/private_plan.h"
#include "plan/sensitivity.h"

namespace tacit::plan {

// The measure with its noise: Laplace under pure accounting, Gaussian under zCDP, where at equal
// rho its error at 95 % is two thirds of Laplace's.
Result<Measure> MakeMeasure(const analysis::ExactMeasure& measure, const analysis::Block& block,
                            const policy::Privacy& privacy, const Share& share);

std::string MechanismName(const ColumnMechanism& mechanism);

// The smallest decimal with 12 significant digits that is not below the root.
Rational SquareRootUp(const Rational& value);

}  // namespace tacit::plan
