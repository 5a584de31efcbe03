#pragma once

#include "learn/model/model.h"
#include "policy/policy.h"

namespace tacit::gateway::learning {

// What a model's file says of its price. `promises` say whose rows it is made of.
learn::ModelPrivacy ModelPrivacyOf(const std::vector<std::string>& promises,
                                   const Rational& epsilon, const std::string& receipt,
                                   const policy::Policy& policy);

}  // namespace tacit::gateway::learning
