#include "gateway/deployment/stored_data.h"

#include "engine/duckdb/engine.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "engine/postgres/engine.h"
#include "engine/trino/engine.h"
#include "gateway/deployment/catalog_file.h"
#include "owner/in_place/verify.h"
#include "policy/stored_types.h"

namespace tacit::gateway {
namespace {

namespace duck = engine::duckdb;

Result<StoredData> FindOriginal(const policy::Policy& policy, const policy::DuckdbSettings& data) {
  StoredData stored;
  if (data.ReadsFiles()) {
    TACIT_TRY(owner::VerifiedFiles verified, owner::VerifyFiles(policy));
    stored.source = std::move(verified.source);
    stored.schema = std::move(verified.schema);
    return stored;
  }
  stored.source = duck::SourceOf(data);
  duck::DuckdbEngine original(stored.source, {.threads = 1});
  TACIT_TRY(stored.schema, SchemaOf(data.path, original));
  return stored;
}

template <class Settings, class Find>
Result<StoredData> FindOnServer(const policy::Policy& policy, const Settings& settings, Find find) {
  std::vector<std::string> names;
  for (const policy::Table& table : policy.tables) names.push_back(table.name);
  StoredData stored;
  TACIT_TRY(stored.catalog, find(settings, names));
  stored.schema = stored.catalog->Seen();
  TACIT_CHECK(policy::CheckUnruledColumns(policy, stored.schema));
  TACIT_CHECK(policy::CheckKeyTypes(policy, stored.schema));
  return stored;
}

// Says of each table whether its copy is read instead.
Result<Done> FindCopiesOnServer(const policy::Policy& policy,
                                const policy::PostgresSettings& settings,
                                std::string_view deployment_key, StoredData& stored) {
  engine::server::Catalog catalog = *stored.catalog;
  TACIT_TRY(const engine::postgres::Copies copies,
            engine::postgres::FindCopies(policy, settings, deployment_key, catalog));
  engine::postgres::MarkPrepared(copies, stored.schema);
  stored.prepared = catalog.copies && copies.size() == catalog.copies->fingerprints.size();
  stored.catalog = std::make_shared<const engine::server::Catalog>(std::move(catalog));
  return Done{};
}

}  // namespace

Result<StoredData> FindStoredData(const policy::Policy& policy, std::string_view deployment_key) {
  if (const auto* server = std::get_if<policy::PostgresSettings>(&policy.engine)) {
    TACIT_TRY(StoredData stored, FindOnServer(policy, *server, engine::postgres::FindTables));
    TACIT_CHECK(FindCopiesOnServer(policy, *server, deployment_key, stored));
    return stored;
  }
  if (const auto* cluster = std::get_if<policy::TrinoSettings>(&policy.engine)) {
    return FindOnServer(policy, *cluster, engine::trino::FindTables);
  }
  const auto* duckdb = &std::get<policy::DuckdbSettings>(policy.engine);
  TACIT_TRY(StoredData stored, FindOriginal(policy, *duckdb));
  TACIT_CHECK(policy::CheckUnruledColumns(policy, stored.schema));
  TACIT_CHECK(policy::CheckKeyTypes(policy, stored.schema));
  const std::optional<duck::PreparedCopy> copy =
      duck::FindPreparedCopy(policy, duckdb->path, deployment_key);
  if (!copy) return stored;
  stored.source = {.path = copy->path, .identity = copy->identity};
  stored.prepared = true;
  duck::MarkPrepared(*copy, policy, stored.schema);
  return stored;
}

}  // namespace tacit::gateway
