#pragma once

#include <memory>
#include <optional>

#include "attack/server/people.h"
#include "base/numbers/privacy_parameters.h"
#include "policy/policy.h"

namespace tacit::attack {

// Tacit itself, in process: every question is SQL text through gateway::AnswerQuery, and the
// attacker sees the JSON an analyst sees. It asks a rehearsal of the deployment
// (owner/rehearsal.h), whose ledger is its own and begins empty, so nothing is spent of the owner's
// budget.
struct TacitSettings {
  std::optional<Epsilon> epsilon;  // of a question; without it the policy's
};

// `people` outlives it.
Result<std::unique_ptr<Server>> MakeTacitServer(const policy::Policy& policy,
                                                const TacitSettings& settings,
                                                const People& people);

}  // namespace tacit::attack
