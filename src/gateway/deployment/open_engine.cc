#include "gateway/deployment/open_engine.h"

#include "engine/duckdb/engine.h"
#include "engine/postgres/engine.h"

namespace tacit::gateway {

std::unique_ptr<engine::Engine> MakeEngine(const policy::Policy& policy, const StoredData& stored) {
  if (const auto* server = std::get_if<policy::PostgresSettings>(&policy.engine)) {
    return std::make_unique<engine::postgres::PostgresEngine>(*server, stored.catalog);
  }
  return std::make_unique<engine::duckdb::DuckdbEngine>(
      stored.source, engine::duckdb::ExactLimits(std::get<policy::DuckdbSettings>(policy.engine)));
}

Result<OpenEngine> OpenEngine::Open(const policy::Policy& policy, const StoredData& stored) {
  OpenEngine opened;
  if (const auto* server = std::get_if<policy::PostgresSettings>(&policy.engine)) {
    opened.server_ = *server;
    opened.catalog_ = stored.catalog;
    return opened;
  }
  TACIT_TRY(opened.database_,
            engine::duckdb::OpenData(
                stored.source,
                engine::duckdb::ExactLimits(std::get<policy::DuckdbSettings>(policy.engine))));
  return opened;
}

std::unique_ptr<engine::Engine> OpenEngine::ForAThread() const {
  if (database_) return std::make_unique<engine::duckdb::DuckdbEngine>(*database_);
  return std::make_unique<engine::postgres::PostgresEngine>(server_, catalog_);
}

Result<Done> OpenEngine::Check() const {
  if (database_) return database_->Check();
  return engine::postgres::PostgresEngine(server_, catalog_).Check();
}

}  // namespace tacit::gateway
