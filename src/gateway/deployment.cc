#include "gateway/deployment.h"

#include "engine/duckdb/engine.h"
#include "gateway/stored_data.h"
#include "ledger/of_policy.h"
#include "owner/deployment_key.h"
#include "policy/load.h"

namespace tacit::gateway {

Result<std::unique_ptr<Deployment>> Deployment::Open(const std::string& path) {
  TACIT_TRY(policy::Policy policy, policy::Load(path));
  return OpenWith(std::move(policy));
}

Result<std::unique_ptr<Deployment>> Deployment::OpenWith(policy::Policy policy) {
  TACIT_TRY(const std::string ledger_path, ledger::PathOf(policy));
  TACIT_TRY(ledger::Ledger ledger, ledger::Ledger::Open(ledger_path));
  TACIT_TRY(std::string key, owner::ReadDeploymentKey(policy));
  TACIT_TRY(StoredData stored, FindStoredData(policy, key));
  auto engine = std::make_unique<engine::duckdb::DuckdbEngine>(
      stored.path, engine::duckdb::ExactLimits(std::get<policy::DuckdbEngine>(policy.engine)),
      stored.identity);
  auto deployment = std::unique_ptr<Deployment>(
      new Deployment(std::move(policy), std::move(ledger), std::move(key), std::move(engine)));
  deployment->schema_ = std::move(stored.schema);
  return deployment;
}

Services Deployment::ForThisThread() {
  return Services{.policy = policy_,
                  .schema = schema_,
                  .ledger = ledger_,
                  .engine = *engine_,
                  .entropy = Entropy::ForThisThread(),
                  .deployment_key = key_,
                  .shelf = shelf_,
                  .gate = nullptr,
                  .instances = &instances_,
                  .plans = nullptr,
                  .room = &room_};
}

}  // namespace tacit::gateway
