#pragma once

#include "analysis/facts.h"

namespace tacit::analysis {

// Cuts the measure's grid into the cells that a quantile is chosen from.
void CutIntoCells(ExactMeasure& measure);

}  // namespace tacit::analysis
