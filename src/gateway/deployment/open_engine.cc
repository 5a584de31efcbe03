#include "gateway/deployment/open_engine.h"

#include "engine/duckdb/engine.h"
#include "engine/postgres/engine.h"
#include "engine/trino/engine.h"

namespace tacit::gateway {
namespace {

using engine::postgres::PostgresEngine;
using engine::trino::TrinoEngine;

// nullptr where no server holds the tables.
std::unique_ptr<engine::Engine> OnServer(
    const policy::EngineSettings& settings,
    const std::shared_ptr<const engine::server::Catalog>& catalog) {
  if (const auto* server = std::get_if<policy::PostgresSettings>(&settings)) {
    return std::make_unique<PostgresEngine>(*server, catalog);
  }
  if (const auto* cluster = std::get_if<policy::TrinoSettings>(&settings)) {
    return std::make_unique<TrinoEngine>(*cluster, catalog);
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<engine::Engine> MakeEngine(const policy::Policy& policy, const StoredData& stored) {
  if (auto on_server = OnServer(policy.engine, stored.catalog)) return on_server;
  return std::make_unique<engine::duckdb::DuckdbEngine>(
      stored.source, engine::duckdb::ExactLimits(std::get<policy::DuckdbSettings>(policy.engine)));
}

Result<OpenEngine> OpenEngine::Open(const policy::Policy& policy, const StoredData& stored) {
  OpenEngine opened;
  if (const auto* duckdb = std::get_if<policy::DuckdbSettings>(&policy.engine)) {
    TACIT_TRY(opened.database_,
              engine::duckdb::OpenData(stored.source, engine::duckdb::ExactLimits(*duckdb)));
    return opened;
  }
  opened.settings_ = policy.engine;
  opened.catalog_ = stored.catalog;
  return opened;
}

std::unique_ptr<engine::Engine> OpenEngine::ForAThread() const {
  if (database_) return std::make_unique<engine::duckdb::DuckdbEngine>(*database_);
  return OnServer(settings_, catalog_);
}

Result<Done> OpenEngine::Check() const {
  if (database_) return database_->Check();
  if (const auto* server = std::get_if<policy::PostgresSettings>(&settings_)) {
    return PostgresEngine(*server, catalog_).Check();
  }
  return TrinoEngine(std::get<policy::TrinoSettings>(settings_), catalog_).Check();
}

}  // namespace tacit::gateway
