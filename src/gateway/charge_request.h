#pragma once

#include "gateway/services.h"

namespace tacit::gateway {

// What every charge under a policy says of it.
struct ChargeTerms {
  std::string policy_version;
  ledger::Declarations declarations;
  std::vector<std::string> public_tables;
};
ChargeTerms ChargeTermsOf(const policy::Policy& policy);

// As the ledger keeps it. A shape that is too long is none: its release then serves its own
// question.
std::string KeptShape(const std::optional<plan::Shape>& shape);

// What the ledger has to know of a plan: who asks, under which policy, and the price of each
// release. kInvalidArgument for an analyst whom the policy does not name. `terms` are the policy's,
// where they were made before; null: they are made.
Result<ledger::ChargeRequest> ChargeRequestOf(const Request& request, const plan::PrivatePlan& plan,
                                              const policy::Policy& policy,
                                              const ChargeTerms* terms = nullptr);

}  // namespace tacit::gateway
