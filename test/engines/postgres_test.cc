#include <gtest/gtest.h>

#include "engine/postgres/engine.h"
#include "loaded_tables.h"
#include "same_answers.h"

// PostgreSQL, and DuckDB.
namespace tacit::golden {
namespace {

TEST(PostgresEngine, GivesWhatDuckdbGivesOrRefusesByName) {
  if (!TestServer("public")) GTEST_SKIP() << "run it by test/engines/with_postgres.py";
  const auto open = [](const neighbours::World& world, const std::string& name) {
    const std::string schema = "golden_" + name;
    LoadTables(world, schema);
    return std::make_unique<engine::postgres::PostgresEngine>(TestServer(schema).value(), nullptr);
  };
  ExpectKnownRefusals(CompareAnswers(open, 1), TACIT_REFUSED_BY_POSTGRES, 1, "PostgreSQL");
}

}  // namespace
}  // namespace tacit::golden
