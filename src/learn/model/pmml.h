#pragma once

#include "learn/cells/cell_model.h"
#include "learn/centres/centre_model.h"

namespace tacit::learn {

// A model as PMML 4.4, which other programs read: the same predictions, without their errors, and
// what was paid in words. kUnsupported for naive Bayes, boosted trees and
// k-means.
Result<std::string> PmmlOf(const LinearModel& model);
Result<std::string> PmmlOf(const CellModel& model);
Result<std::string> PmmlOf(const CentreModel& model);

}  // namespace tacit::learn
