#pragma once

#include <optional>

#include "analysis/facts.h"
#include "policy/policy.h"

namespace tacit::plan {

// How far one step between neighbours moves a measure, all groups together, in grid steps.
// sensitivity.md has the claim and the proof.
struct Sensitivity {
  Integer l1;
  Integer l2_squared;
};

// How many people one step between neighbours moves: `protects`, twice that under replace_one.
Integer UnitsMoved(const policy::Privacy& privacy);

using MaybeCap = std::optional<analysis::GroupCap>;

// In how many groups one unit can count under a cap, or under none.
Integer GroupsPerUnit(const analysis::Block& block, const MaybeCap& cap);

// How many of the rows aggregated one unit can have, all groups together, and the most that the
// squares of its rows in each group can add up to.
struct RowsPerUnit {
  Integer all;
  Integer squares_by_group;
};
RowsPerUnit RowsPerUnitOf(const analysis::Block& block, const MaybeCap& cap);

// Under the measure's own cap.
Sensitivity SensitivityOf(const analysis::ExactMeasure& measure, const analysis::Block& block,
                          const policy::Privacy& privacy);

}  // namespace tacit::plan
