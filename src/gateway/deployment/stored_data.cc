#include "gateway/deployment/stored_data.h"

#include "engine/duckdb/engine.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "engine/postgres/engine.h"
#include "gateway/deployment/catalog_file.h"
#include "policy/stored_types.h"

namespace tacit::gateway {
namespace {

Result<StoredData> FindOnServer(const policy::Policy& policy,
                                const policy::PostgresSettings& settings) {
  std::vector<std::string> names;
  for (const policy::Table& table : policy.tables) names.push_back(table.name);
  StoredData stored{.path = "", .identity = "", .schema = {}};
  TACIT_TRY(stored.catalog, engine::postgres::FindTables(settings, names));
  stored.schema = stored.catalog->Seen();
  TACIT_CHECK(policy::CheckUnruledColumns(policy, stored.schema));
  TACIT_CHECK(policy::CheckKeyTypes(policy, stored.schema));
  return stored;
}

}  // namespace

Result<StoredData> FindStoredData(const policy::Policy& policy, std::string_view deployment_key) {
  namespace duck = engine::duckdb;
  if (const auto* server = std::get_if<policy::PostgresSettings>(&policy.engine)) {
    return FindOnServer(policy, *server);
  }
  const auto* duckdb = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (duckdb == nullptr) {
    return InvalidArgument("this program's engines are DuckDB and PostgreSQL",
                           "write engine: {kind: duckdb, path: data.duckdb}");
  }
  duck::DuckdbEngine original(duckdb->path, {.threads = 1});
  StoredData stored{.path = duckdb->path, .identity = "", .schema = {}};
  TACIT_TRY(stored.schema, SchemaOf(duckdb->path, original));
  TACIT_CHECK(policy::CheckUnruledColumns(policy, stored.schema));
  TACIT_CHECK(policy::CheckKeyTypes(policy, stored.schema));
  const std::optional<duck::PreparedCopy> copy =
      duck::FindPreparedCopy(policy, duckdb->path, deployment_key);
  if (!copy) return stored;
  stored.path = copy->path;
  stored.identity = copy->identity;
  duck::MarkPrepared(*copy, policy, stored.schema);
  return stored;
}

}  // namespace tacit::gateway
