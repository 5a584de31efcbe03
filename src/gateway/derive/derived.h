#pragma once

#include <functional>
#include <optional>

#include "gateway/derive/own_shapes.h"
#include "gateway/services.h"

namespace tacit::gateway {

// A question's releases, made of what the asker has paid for before.
struct Derived {
  std::vector<plan::Derivation> made_of;   // one for each release
  std::vector<ledger::ReleaseId> sources;  // what they are made of, each once
  // Of a request that is free, with the tables that were made in the place of stored answers.
  ledger::Receipt receipt;
};

// Nothing where some release cannot be made, at least as good as the plan would buy it (or however
// good), of releases that the asker has paid for. Depends on the plan and on the asker's own
// releases; reads no row. proof: plan/derive/derive.md#only-what-the-asker-has-paid-for
Result<std::optional<Derived>> DeriveFromOwn(const plan::PrivatePlan& plan,
                                             const ledger::ChargeRequest& price, OwnShapes& shapes,
                                             ledger::Ledger& ledger,
                                             plan::Fineness fineness = plan::Fineness::kAsAsked);

}  // namespace tacit::gateway
