#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "plan/derive/choose.h"
#include "plan/private_plan.h"

namespace tacit::gateway::workload {

// A release of a workload that need not be drawn: others of the same workload tell it, each of its
// numbers with no more noise than it was wished.
struct MadeOfOthers {
  plan::Release release;        // with the scales that it has
  plan::Derivation derivation;  // its tables are what is drawn, by their numbers
};

// Takes such releases out, the dearest first, and leaves in what they are made of. Depends on the
// releases and on public keys; reads no protected row.
// proof: plan/derive/derive.md#in-a-workload
Result<std::vector<MadeOfOthers>> TakeOutWhatFollows(std::vector<plan::Release>& releases,
                                                     engine::Engine& engine);

// The table of such a release, of the bytes of all that was drawn. kUnavailable where their groups
// are not the ones that were planned with.
Result<std::string> BytesOf(const MadeOfOthers& made, const std::vector<std::string>& drawn);

}  // namespace tacit::gateway::workload
