#include "owner/init/read_server.h"

#include "engine/postgres/engine.h"

namespace tacit::owner {
namespace {

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

}  // namespace

Result<policy::Schema> ReadServer(const ServerTables& server, const std::vector<UnitColumn>& units,
                                  std::vector<std::string>& notes) {
  namespace pg = engine::postgres;
  Result<pg::Connection> opened = pg::Connection::Open(server.settings, {});
  if (!opened.ok()) return WithDetail(opened.error());
  pg::Connection connection = std::move(opened).value();
  const Result<pg::Catalog> catalog =
      pg::ReadCatalog(connection, server.settings.schema, server.tables);
  if (!catalog.ok()) return WithDetail(catalog.error());
  for (const std::string& name : server.tables) {
    if (catalog->Find(name) != nullptr) continue;
    const auto refused = catalog->refused.find(policy::FoldedName(name));
    const std::string why =
        refused == catalog->refused.end() ? "is not there, or has no columns" : refused->second;
    return InvalidArgument("the table " + name + " of schema " + server.settings.schema + " " + why,
                           "name ordinary tables that this role can read");
  }
  for (const auto& [name, why] : catalog->refused)
    notes.push_back(name + " is left out: it " + why);
  policy::Schema schema = catalog->Seen();
  if (schema.tables.empty()) {
    return InvalidArgument("schema " + server.settings.schema + " has no table that can be read",
                           "name another one: --schema NAME");
  }
  TACIT_CHECK(CheckUnits(units, schema));
  return schema;
}

}  // namespace tacit::owner
