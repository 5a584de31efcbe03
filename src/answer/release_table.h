#pragma once

#include "base/entropy.h"
#include "engine/exact_tables.h"
#include "plan/private_plan.h"

namespace tacit::answer {

// The rows of a released table: keys, then measures. release_table.md has the claim.
using ReleasedRows = std::vector<std::vector<engine::Value>>;

// Draws the noise of a release and chooses which of its groups are shown. `exact` must be what the
// engine returned for this very release.
ReleasedRows ReleaseTable(const plan::Release& release, const engine::ExactRelease& exact,
                          Entropy& entropy);

}  // namespace tacit::answer
