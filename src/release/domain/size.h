#pragma once

#include "release/domain/condition.h"
#include "release/synthesize.h"

namespace tacit::release {

// kInvalidArgument for columns that a model has no room for, with how many of them would fit. Of
// two tables, the columns of both.
Result<Done> CheckCells(const std::vector<Attribute>& attributes);

// The same, and what the method and the workload add to it.
Result<Done> CheckSize(const std::vector<Attribute>& attributes, const SynthesisWish& wish,
                       const std::vector<WorkloadQuery>& workload);

}  // namespace tacit::release
