#include "engine/postgres/engine.h"
#include "engine/postgres/prepared/copies.h"
#include "loaded_tables.h"
#include "owner/prepare.h"
#include "scenes.h"

namespace tacit::adversary {
namespace {

namespace pg = engine::postgres;

// What the worlds' own preparation does, there.
std::shared_ptr<const pg::Catalog> Prepared(const neighbours::World& world,
                                            policy::PostgresSettings& settings) {
  settings.prepared = settings.schema + "_prepared";
  policy::Policy policy = world.policy();
  policy.engine = settings;
  const auto done = owner::PrepareOnServer(policy, settings, neighbours::kDeploymentKey, {});
  if (!done.ok()) std::fprintf(stderr, "%s\n", done.error().public_message.c_str());
  TACIT_ASSERT(done.ok());
  std::vector<std::string> names;
  for (const policy::Table& table : policy.tables) names.push_back(table.name);
  pg::Catalog catalog = *pg::FindTables(settings, names).value();
  const auto copies = pg::FindCopies(policy, settings, neighbours::kDeploymentKey, catalog);
  TACIT_ASSERT(copies.ok() && copies->size() == done->size());
  return std::make_shared<const pg::Catalog>(std::move(catalog));
}

}  // namespace

std::unique_ptr<engine::Engine> OnPostgres(const neighbours::World& world, bool prepared) {
  static int number = 0;
  if (number == 0) {
    golden::RunAsOwner("CREATE EXTENSION IF NOT EXISTS plpgsql SCHEMA pg_catalog");
  }
  const std::string schema = "adversary_" + std::to_string(++number);
  golden::LoadTables(world, schema);
  policy::PostgresSettings settings = golden::TestServer(schema).value();
  std::shared_ptr<const pg::Catalog> catalog;
  if (prepared) catalog = Prepared(world, settings);
  return std::make_unique<pg::PostgresEngine>(settings, catalog);
}

}  // namespace tacit::adversary
