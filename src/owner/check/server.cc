#include "analysis/table_scan.h"
#include "engine/postgres/engine.h"
#include "engine/trino/engine.h"
#include "owner/check/rules.h"
#include "owner/keys/deployment_key.h"
#include "policy/stored_types.h"

namespace tacit::owner {
namespace {

namespace pg = engine::postgres;

// Each table's own hop: what keeps its parent key unique, so that a row has one person.
void CheckServersKey(const policy::Policy& policy, const policy::Table& table,
                     const policy::Schema& schema, Findings& findings) {
  const bool keeps_keys = std::holds_alternative<policy::PostgresSettings>(policy.engine);
  const policy::UnitPath path = policy.PathOf(table);
  if (path.hops.empty() || !path.NeedsUniqueKey(0)) return;
  const policy::UnitHop& hop = path.hops[0];
  const policy::SchemaColumn* key = schema.Find(hop.to_table, hop.to_column);
  if (key == nullptr || key->unique) return;  // a missing one is said elsewhere
  Add(findings, Severity::kWarning, table.unit_place,
      "no constraint keeps " + hop.to_table + "." + hop.to_column + " unique: queries that read " +
          table.name + " are refused",
      keeps_keys
          ? "have the database keep it so: " + analysis::UniqueIndexSql(hop)
          : "if what loads the table keeps it so, say it: engine: {kind: trino, ..., unique: "
            "[" +
                hop.to_table + "." + hop.to_column + "]}");
}

void CheckRefused(const policy::Policy& policy, const engine::server::Catalog& catalog,
                  Findings& findings) {
  for (const policy::Table& table : policy.tables) {
    const auto refused = catalog.refused.find(policy::FoldedName(table.name));
    if (refused == catalog.refused.end()) continue;
    Add(findings, Severity::kError, table.place,
        "the table " + table.name + " of schema " + catalog.schema + " " + refused->second,
        "name an ordinary table that this role can read");
  }
}

// A role that reads is enough, and nothing that goes wrong here can then write.
void CheckRole(pg::Connection& connection, const pg::Catalog& catalog, Findings& findings) {
  std::optional<pg::Reply> reply;
  const auto failure = connection.Query(
      "SELECT coalesce(bool_or(has_table_privilege(c.oid, 'INSERT') OR has_table_privilege(c.oid, "
      "'UPDATE') OR has_table_privilege(c.oid, 'DELETE')), false)::text FROM pg_class AS c JOIN "
      "pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', "
      "'p')",
      {{catalog.schema}}, &reply);
  if (failure || !reply || reply->rows() != 1 || reply->Bytes(0, 0) != "true") return;
  Add(findings, Severity::kWarning, {1, 1},
      "the role of engine: dsn may write to schema " + catalog.schema,
      "reading is all that Tacit does: CREATE ROLE tacit LOGIN; GRANT USAGE ON SCHEMA " +
          catalog.schema + " TO tacit; GRANT SELECT ON the policy's tables TO tacit");
}

std::vector<std::string> NamesOf(const policy::Policy& policy) {
  std::vector<std::string> names;
  for (const policy::Table& table : policy.tables) names.push_back(table.name);
  return names;
}

// A stale copy is harmless to answers, but it still holds people's rows.
Result<Done> CheckCopies(const policy::Policy& policy, const policy::PostgresSettings& settings,
                         pg::Catalog catalog, policy::Schema& schema, Findings& findings) {
  if (settings.prepared.empty()) return Done{};
  const Result<SecretBytes> key = ReadDeploymentKey(policy);
  if (!key.ok()) return Done{};
  TACIT_TRY(const pg::Copies copies, pg::FindCopies(policy, settings, *key, catalog));
  pg::MarkPrepared(copies, schema);
  for (const policy::Table& table : policy.tables) {
    const policy::SchemaTable* stored = schema.Find(table.name);
    if (!table.IsCapped() || stored == nullptr) continue;
    if (!catalog.copies->fingerprints.contains(policy::FoldedName(table.name))) {
      schema.tables[static_cast<size_t>(stored - schema.tables.data())].prepared = true;
      Add(findings, Severity::kWarning, table.place,
          "PostgreSQL has no words to rank the rows of " + table.name +
              " by: every question about it is refused",
          "the unit has to be of another type: no double precision, for one");
      continue;
    }
    if (stored->prepared) {
      Add(findings, Severity::kNote, table.place,
          table.name + " is prepared: questions read its copy in schema " + settings.prepared, "");
      continue;
    }
    Add(findings, Severity::kNote, table.place,
        table.name + " has no fresh copy in schema " + settings.prepared +
            ": there is none, or it was made of another policy, data_version, key or state of the "
            "rows",
        "run  tacit prepare DIR --dsn ...  with a role that owns the table");
  }
  return Done{};
}

void CheckCatalog(const policy::Policy& policy, const engine::server::Catalog& catalog,
                  Findings& findings) {
  const policy::Schema schema = catalog.Seen();
  CheckRefused(policy, catalog, findings);
  if (catalog.refused.empty()) CheckSchema(policy, schema, findings);
  for (const policy::Table& table : policy.tables) {
    CheckServersKey(policy, table, schema, findings);
  }
}

void CheckUnprepared(const policy::Policy& policy, const policy::Schema& schema,
                     Findings& findings) {
  if (policy.server.unprepared != policy::Unprepared::kPrepare) return;
  const bool can_be = std::holds_alternative<policy::PostgresSettings>(policy.engine);
  for (const policy::Table& table : policy.tables) {
    const policy::SchemaTable* stored = schema.Find(table.name);
    if (!table.IsCapped() || (stored != nullptr && stored->prepared)) continue;
    Add(findings, Severity::kNote, table.place,
        "a server holds " + table.name + ", which is not prepared: tacit serve does not start",
        std::string(can_be ? "run tacit prepare with --dsn, or write" : "write") +
            "  server: {unprepared: allow}  where the time that a question takes may tell of "
            "people with many rows, else  server: {unprepared: refuse}");
    return;
  }
}

}  // namespace

Result<Done> CheckServer(const policy::Policy& policy, const policy::PostgresSettings& settings,
                         Findings& findings) {
  TACIT_TRY(pg::Connection connection, pg::Connection::Open(settings, {}));
  TACIT_TRY(const pg::Catalog catalog,
            pg::ReadCatalog(connection, settings.schema, NamesOf(policy)));
  CheckCatalog(policy, catalog, findings);
  CheckRole(connection, catalog, findings);
  policy::Schema schema = catalog.Seen();
  TACIT_CHECK(CheckCopies(policy, settings, catalog, schema, findings));
  CheckUnprepared(policy, schema, findings);
  return Done{};
}

Result<Done> CheckServer(const policy::Policy& policy, const policy::TrinoSettings& settings,
                         Findings& findings) {
  namespace trino = engine::trino;
  const trino::TimeLimits limits;
  TACIT_TRY(trino::Connection connection, trino::Connection::Open(settings, limits));
  TACIT_TRY(const engine::server::Catalog catalog,
            trino::ReadCatalog(connection, settings, NamesOf(policy), limits));
  CheckCatalog(policy, catalog, findings);
  if (const auto unique = trino::CheckUnique(connection, settings, catalog, limits); !unique.ok()) {
    if (unique.error().code != ErrorCode::kInvalidArgument) return unique.error();
    Add(findings, Severity::kError, {1, 1}, unique.error().public_message, unique.error().hint);
  }
  if (!settings.url.starts_with("https://")) {
    Add(findings, Severity::kWarning, {1, 1},
        "engine: url begins with http://: exact numbers, from before any noise, cross the network "
        "as they are",
        "let the cluster serve HTTPS, unless it is on this machine");
  }
  CheckUnprepared(policy, catalog.Seen(), findings);
  return Done{};
}

}  // namespace tacit::owner
