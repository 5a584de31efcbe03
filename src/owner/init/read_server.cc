#include "owner/init/read_server.h"

#include "engine/postgres/engine.h"
#include "engine/trino/engine.h"

namespace tacit::owner {
namespace {

using engine::server::Catalog;

// For the owner, who is at the keyboard: the server's own words help.
Error WithDetail(Error error) {
  if (!error.private_detail.empty()) error.public_message += ": " + error.private_detail;
  return error;
}

Result<Done> CheckUnits(const std::vector<UnitColumn>& units, const policy::Schema& schema) {
  for (const UnitColumn& unit : units) {
    if (schema.Find(unit.table, unit.column) != nullptr) continue;
    return InvalidArgument(
        "--unit names " + unit.table + "." + unit.column + ", which is in none of the tables",
        "give --unit TABLE.COLUMN as the database spells it");
  }
  return Done{};
}

Result<Catalog> CatalogOf(const policy::PostgresSettings& settings,
                          const std::vector<std::string>& tables) {
  namespace pg = engine::postgres;
  TACIT_TRY(pg::Connection connection, pg::Connection::Open(settings, {}));
  return pg::ReadCatalog(connection, settings.schema, tables);
}

Result<Catalog> CatalogOf(const policy::TrinoSettings& settings,
                          const std::vector<std::string>& tables) {
  namespace trino = engine::trino;
  TACIT_TRY(trino::Connection connection, trino::Connection::Open(settings, {}));
  return trino::ReadCatalog(connection, settings, tables, {});
}

}  // namespace

Result<policy::Schema> ReadServer(const ServerTables& server, const std::vector<UnitColumn>& units,
                                  std::vector<std::string>& notes) {
  const Result<Catalog> catalog = std::visit(
      [&](const auto& settings) { return CatalogOf(settings, server.tables); }, server.settings);
  if (!catalog.ok()) return WithDetail(catalog.error());
  for (const std::string& name : server.tables) {
    if (catalog->Find(name) != nullptr) continue;
    const auto refused = catalog->refused.find(policy::FoldedName(name));
    const std::string why =
        refused == catalog->refused.end() ? "is not there, or has no columns" : refused->second;
    return InvalidArgument("the table " + name + " of schema " + catalog->schema + " " + why,
                           "name ordinary tables that this role can read");
  }
  for (const auto& [name, why] : catalog->refused)
    notes.push_back(name + " is left out: it " + why);
  policy::Schema schema = catalog->Seen();
  if (schema.tables.empty()) {
    return InvalidArgument("schema " + catalog->schema + " has no table that can be read",
                           "name another one: --schema NAME");
  }
  TACIT_CHECK(CheckUnits(units, schema));
  return schema;
}

}  // namespace tacit::owner
