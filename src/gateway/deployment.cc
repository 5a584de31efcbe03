#include "gateway/deployment.h"

#include "engine/duckdb/engine.h"
#include "engine/duckdb/prepared_copy.h"
#include "gateway/catalog_file.h"
#include "ledger/of_policy.h"
#include "owner/deployment_key.h"
#include "policy/load.h"

namespace tacit::gateway {
Result<std::unique_ptr<Deployment>> Deployment::Open(const std::string& path) {
  TACIT_TRY(policy::Policy policy, policy::Load(path));
  const auto* duckdb = std::get_if<policy::DuckdbEngine>(&policy.engine);
  if (duckdb == nullptr) {
    return InvalidArgument("this program's only engine is DuckDB",
                           "write engine: {kind: duckdb, path: data.duckdb}");
  }
  TACIT_TRY(const std::string ledger_path, ledger::PathOf(policy));
  TACIT_TRY(ledger::Ledger ledger, ledger::Ledger::Open(ledger_path));
  TACIT_TRY(std::string key, owner::ReadDeploymentKey(policy));
  using engine::duckdb::DuckdbEngine;
  using engine::duckdb::kExactLimits;
  auto engine = std::make_unique<DuckdbEngine>(duckdb->path, kExactLimits);
  TACIT_TRY(policy::Schema schema, SchemaOf(duckdb->path, *engine));
  if (const auto copy = engine::duckdb::FindPreparedCopy(policy, duckdb->path, key)) {
    engine = std::make_unique<DuckdbEngine>(copy->path, kExactLimits, copy->identity);
    for (policy::SchemaTable& table : schema.tables) {
      table.prepared = policy.Find(table.name) != nullptr;
    }
  }
  auto deployment = std::unique_ptr<Deployment>(
      new Deployment(std::move(policy), std::move(ledger), std::move(key), std::move(engine)));
  deployment->schema_ = std::move(schema);
  return deployment;
}

Services Deployment::ForThisThread() {
  return Services{.policy = policy_,
                  .schema = schema_,
                  .ledger = ledger_,
                  .engine = *engine_,
                  .entropy = Entropy::ForThisThread(),
                  .deployment_key = key_,
                  .shelf = shelf_};
}

}  // namespace tacit::gateway
