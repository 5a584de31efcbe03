#include "gateway/charge_request.h"

#include "ledger/of_policy.h"
#include "policy/schema.h"

namespace tacit::gateway {

Result<ledger::ChargeRequest> ChargeRequestOf(const Request& request, const plan::PrivatePlan& plan,
                                              const policy::Policy& policy) {
  TACIT_TRY(ledger::Limits limits, ledger::LimitsOf(policy, request.analyst));
  ledger::ChargeRequest charge{.analyst = request.analyst,
                               .request_id = request.request_id,
                               .query_fingerprint = plan.fingerprint,
                               .policy_version = policy::PolicyVersion(policy),
                               .data_version = policy.data_version,
                               .declarations = ledger::DeclarationsOf(policy),
                               .public_tables = {},
                               .releases = {},
                               .limits = std::move(limits)};
  for (const policy::Table& table : policy.tables) {
    if (table.is_public) charge.public_tables.push_back(policy::FoldedName(table.name));
  }
  for (const plan::Release& release : plan.releases) {
    charge.releases.push_back({.fingerprint = release.fingerprint,
                               .scales = release.scales,
                               .cost = {.epsilon = release.cost.epsilon,
                                        .delta = release.cost.delta,
                                        .rho = release.cost.rho},
                               .made_from = release.made_from});
  }
  return charge;
}

bool IsFinerThanAsked(const ledger::Receipt& receipt, const ledger::ChargeRequest& asked) {
  for (size_t i = 0; i < receipt.releases.size(); ++i) {
    const ledger::GrantedRelease& granted = receipt.releases[i];
    if (granted.bytes && granted.scales < asked.releases[i].scales) return true;
  }
  return false;
}

}  // namespace tacit::gateway
