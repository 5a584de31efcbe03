#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "case_request.h"
#include "engine/postgres/engine.h"
#include "harness/golden_case.h"
#include "loaded_tables.h"
#include "world.h"

// Every case of test/sql on PostgreSQL and on DuckDB: the same policy, key and random tape, and the
// same rows. What leaves must be the same byte for byte; or the engine refuses by name, before
// anything is charged, and refused_by_postgres.txt says how often it does so for what.
namespace tacit::golden {
namespace {

using neighbours::World;

struct Pair {
  std::unique_ptr<World> duckdb;
  std::unique_ptr<World> postgres;
  std::unique_ptr<engine::postgres::PostgresEngine> engine;
};

const std::map<std::string, std::vector<std::pair<std::string, Case>>>& CasesByDatabase() {
  static const auto* const all = [] {
    auto* const cases = new std::map<std::string, std::vector<std::pair<std::string, Case>>>();
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(TACIT_SQL_TEST_FOLDER)) {
      if (entry.path().extension() == ".test") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
      const std::vector<Case> read = ReadCases(file.string()).value();
      for (const Case& test : read) {
        const std::string place = file.filename().string() + ":" + std::to_string(test.line);
        (*cases)[test.database].emplace_back(place, test);
      }
    }
    return cases;
  }();
  return *all;
}

std::string Rows(const engine::PackedRows& rows) {
  std::string text;
  for (const std::vector<engine::Value>& row : rows) {
    for (const engine::Value& value : row) text += engine::ToText(value) + "|";
    text += "\n";
  }
  return text;
}

// "PostgreSQL has no X that gives ..."
std::string WhatIsMissing(const Error& error) {
  const std::string before = "has no ", after = " that gives";
  const size_t begin = error.public_message.find(before) + before.size();
  return error.public_message.substr(begin, error.public_message.find(after) - begin);
}

class PostgresEngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TestServer("public")) GTEST_SKIP() << "run it by test/engines/with_postgres.py";
  }

  static Pair Open(const std::string& name, const std::string& schema) {
    Pair pair;
    pair.duckdb = World::Make(name, "");
    pair.postgres = World::Make(name, "");
    LoadTables(*pair.duckdb, schema);
    pair.engine =
        std::make_unique<engine::postgres::PostgresEngine>(TestServer(schema).value(), nullptr);
    return pair;
  }
};

// What decides about refusals and prices is the same: types, keys, and what is never NULL.
void ExpectSameSchema(const policy::Schema& one, const policy::Schema& other) {
  ASSERT_EQ(one.tables.size(), other.tables.size());
  for (const policy::SchemaTable& table : one.tables) {
    const policy::SchemaTable* found = other.Find(table.name);
    ASSERT_NE(found, nullptr) << table.name;
    ASSERT_EQ(table.columns.size(), found->columns.size()) << table.name;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      policy::SchemaColumn column = found->columns[i];
      column.without_rule = table.columns[i].without_rule;  // each engine's own name
      EXPECT_EQ(table.columns[i] == column, true) << table.name << "." << column.name;
    }
  }
}

TEST_F(PostgresEngineTest, GivesWhatDuckdbGivesOrRefusesByName) {
  std::map<std::string, size_t> refused;
  size_t answered = 0, both_refused = 0, differ = 0;
  const char* only = std::getenv("TACIT_SQL_ONLY");
  for (const auto& [name, cases] : CasesByDatabase()) {
    if (only != nullptr && name != only) continue;
    const Pair pair = Open(name, "golden_" + name);
    const Result<policy::Schema> schema = pair.engine->ReadSchema();
    ASSERT_TRUE(schema.ok()) << name << ": " << schema.error().private_detail;
    ExpectSameSchema(pair.duckdb->schema(), *schema);
    uint64_t seed = 1;
    for (const auto& [place, test] : cases) {
      SCOPED_TRACE(name + " " + place + "\n" + test.query);
      const gateway::Request request = neighbours::RequestOf(test);
      ++seed;
      const World::Seen given = pair.postgres->Ask(request, seed, pair.engine.get());
      if (given.error && given.error->rule == "engine_without_words") {
        ++refused[WhatIsMissing(*given.error)];
        continue;
      }
      const World::Seen expected = pair.duckdb->Ask(request, seed);
      EXPECT_EQ(given.said, expected.said)
          << (given.error ? given.error->private_detail : std::string());
      EXPECT_EQ(Rows(given.rows), Rows(expected.rows));
      (given.answered ? answered : both_refused) += 1;
      // With another tape the noise is another: the comparison can fail.
      if (given.answered && !given.cached && answered % 50 == 0) {
        const World::Seen other = World::Make(name, "")->Ask(request, seed + 1'000'000);
        differ += Rows(other.rows) != Rows(given.rows) ? 1 : 0;
      }
    }
  }
  size_t by_name = 0;
  std::string list;
  for (const auto& [what, count] : refused) {
    by_name += count;
    list += std::to_string(count) + " " + what + "\n";
  }
  std::printf("%zu cases answered the same, %zu refused by both, %zu by PostgreSQL alone:\n%s",
              answered, both_refused, by_name, list.c_str());
  if (only != nullptr) return;
  EXPECT_GT(differ, 0u);
  std::ifstream file(TACIT_REFUSED_BY_POSTGRES);
  const std::string known{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(list, known) << "refused_by_postgres.txt says what is refused by name: it must not "
                            "change by itself";
}

}  // namespace
}  // namespace tacit::golden
