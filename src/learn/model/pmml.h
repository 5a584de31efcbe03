#pragma once

#include "learn/cells/cell_model.h"

namespace tacit::learn {

// A model as PMML 4.4, which other programs read: the same predictions, without their errors, and
// what was paid in words. kUnsupported for naive Bayes and boosted trees.
Result<std::string> PmmlOf(const LinearModel& model);
Result<std::string> PmmlOf(const CellModel& model);

}  // namespace tacit::learn
