#pragma once

#include <string>

#include "plan/private_plan.h"
#include "plan/workload/tables.h"

namespace tacit::plan::workload {

// How far one step between neighbours moves all cells of a measured table, in grid steps: the
// square of it, as any question by the same keys has it.
Integer MovedSquared(const Tables& tables, const Family& family, AttributeSet set,
                     const policy::Privacy& privacy);

// The table as a release under zCDP, at this rho. Its fingerprint begins with `workload`: what was
// drawn for one workload serves no other.
Result<Release> MeasuredRelease(const Tables& tables, const Family& family, AttributeSet set,
                                const Rho& rho, const policy::Privacy& privacy,
                                const std::string& workload, const std::string& name);

}  // namespace tacit::plan::workload
