#include "gateway/deployment/deployment.h"

#include "gateway/deployment/open_engine.h"
#include "gateway/deployment/stored_data.h"
#include "owner/check.h"
#include "owner/data/change.h"
#include "owner/open_ledger.h"

namespace tacit::gateway {

Result<std::unique_ptr<Deployment>> Deployment::Open(const std::string& path) {
  TACIT_TRY(policy::Policy policy, owner::LoadDeployment(path));
  return OpenWith(std::move(policy));
}

Result<std::unique_ptr<Deployment>> Deployment::OpenWith(policy::Policy policy) {
  TACIT_TRY(owner::OpenedLedger opened, owner::OpenLedger(policy));
  TACIT_TRY(StoredData stored, FindStoredData(policy, opened.key));
  // Before the first charge, which freezes the units.
  TACIT_CHECK(owner::RefuseErrors(policy));
  std::unique_ptr<engine::Engine> engine = MakeEngine(policy, stored);
  auto deployment = std::unique_ptr<Deployment>(new Deployment(
      std::move(policy), std::move(opened.ledger), std::move(opened.key), std::move(engine)));
  deployment->schema_ = std::move(stored.schema);
  return deployment;
}

// The owner has the empty name.
std::vector<std::string> Deployment::AskersOf(const policy::Policy& policy) {
  std::vector<std::string> askers = {""};
  for (const policy::Analyst& analyst : policy.analysts) askers.push_back(analyst.name);
  return askers;
}

Services Deployment::ForThisThread() {
  return Services{.policy = policy_,
                  .schema = schema_,
                  .ledger = ledger_,
                  .engine = *engine_,
                  .entropy = Entropy::ForThisThread(),
                  .deployment_key = key_,
                  .kept_results = kept_results_,
                  .gate = nullptr,
                  .instances = &instances_,
                  .plans = &plans_,
                  .charge_terms = &charge_terms_,
                  .texts = nullptr,
                  .replays = nullptr,
                  .room = &room_,
                  .own_shapes = nullptr};
}

}  // namespace tacit::gateway
