#include <gtest/gtest.h>

#include "case_request.h"
#include "engine/postgres/engine.h"
#include "engine/postgres/prepared/copies.h"
#include "loaded_tables.h"
#include "owner/prepare.h"
#include "same_answers.h"

// What `tacit prepare` stores in PostgreSQL, beside the tables as they are.
namespace tacit::golden {
namespace {

namespace pg = engine::postgres;
using neighbours::kDeploymentKey;
using neighbours::World;

policy::PostgresSettings WithCopies(const std::string& schema) {
  policy::PostgresSettings settings = TestServer(schema).value();
  settings.prepared = schema + "_prepared";
  return settings;
}

policy::Policy PolicyOf(const World& world, const std::string& schema,
                        policy::Unprepared unprepared = policy::Unprepared::kPrepare) {
  policy::Policy policy = world.policy();
  policy.engine = WithCopies(schema);
  policy.server.unprepared = unprepared;
  return policy;
}

Result<std::vector<std::string>> PrepareThere(const policy::Policy& policy) {
  const auto& settings = std::get<policy::PostgresSettings>(policy.engine);
  return owner::PrepareOnServer(policy, settings, kDeploymentKey, {});
}

std::vector<std::string> NamesIn(const policy::Policy& policy) {
  std::vector<std::string> names;
  for (const policy::Table& table : policy.tables) names.push_back(table.name);
  return names;
}

// As a gateway opens it: the catalog says which copies are wanted.
std::unique_ptr<pg::PostgresEngine> EngineOf(const policy::Policy& policy,
                                             const std::string& key = kDeploymentKey) {
  const auto& settings = std::get<policy::PostgresSettings>(policy.engine);
  pg::Catalog catalog = *pg::FindTables(settings, NamesIn(policy)).value();
  EXPECT_TRUE(pg::FindCopies(policy, settings, key, catalog).ok());
  return std::make_unique<pg::PostgresEngine>(settings,
                                              std::make_shared<const pg::Catalog>(catalog));
}

size_t Fresh(const policy::Policy& policy, const std::string& key = kDeploymentKey) {
  const auto& settings = std::get<policy::PostgresSettings>(policy.engine);
  pg::Catalog catalog = *pg::FindTables(settings, NamesIn(policy)).value();
  return pg::FindCopies(policy, settings, key, catalog).value().size();
}

// Every third case: the rest are asked of the tables as they are.
TEST(PostgresPrepared, AnswersAreThoseOfTheTablesAsTheyAre) {
  if (!TestServer("public")) GTEST_SKIP() << "run it by test/engines/with_postgres.py";
  RunAsOwner("CREATE EXTENSION IF NOT EXISTS plpgsql SCHEMA pg_catalog");
  size_t copies = 0;
  const auto open = [&copies](const World& world,
                              const std::string& name) -> std::unique_ptr<engine::Engine> {
    const std::string schema = "prepared_" + name;
    LoadTables(world, schema);
    const policy::Policy policy = PolicyOf(world, schema);
    const auto prepared = PrepareThere(policy);
    // One of them has a key of a wrong type on purpose, which no engine prepares.
    EXPECT_TRUE(prepared.ok() || name == "numbers") << name << prepared.error().public_message;
    if (prepared.ok()) copies += prepared->size();
    if (prepared.ok()) EXPECT_EQ(Fresh(policy), prepared->size());
    return EngineOf(policy);
  };
  ExpectKnownRefusals(CompareAnswers(open, 3), TACIT_REFUSED_BY_POSTGRES, 3, "PostgreSQL");
  EXPECT_GT(copies, 10u);
}

class PostgresCopies : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!TestServer("public")) GTEST_SKIP() << "run it by test/engines/with_postgres.py";
    RunAsOwner("CREATE EXTENSION IF NOT EXISTS plpgsql SCHEMA pg_catalog");
    world_ = World::Make("club", "");
    static int number = 0;
    schema_ = "copies_" + std::to_string(++number);
    LoadTables(*world_, schema_);
    policy_ = PolicyOf(*world_, schema_);
    const auto prepared = PrepareThere(policy_);
    ASSERT_TRUE(prepared.ok()) << prepared.error().public_message;
    copies_ = prepared->size();
    ASSERT_EQ(Fresh(policy_), copies_);
  }

  World::Seen Ask(const std::string& text, engine::Engine& engine) {
    gateway::Request request;
    request.text = text;
    return world_->Ask(request, 7, &engine);
  }
  std::string In(const std::string& table) const { return schema_ + "." + table; }

  std::unique_ptr<World> world_;
  std::string schema_;
  policy::Policy policy_;
  size_t copies_ = 0;
};

TEST_F(PostgresCopies, StatementsReadTheCopyAndNeedNoKey) {
  const auto engine = EngineOf(policy_);
  gateway::Request request;
  request.text = "SELECT sum(km) FROM ride";
  const auto plan = world_->PlanOf(request);
  ASSERT_TRUE(plan.ok());
  const auto told = engine->Explain(*plan);
  ASSERT_TRUE(told.ok());
  const std::string& sql = told->at(0).statement;
  EXPECT_NE(sql.find("tacit_copy_"), std::string::npos) << sql;
  EXPECT_EQ(sql.find("sha256"), std::string::npos) << sql;
  EXPECT_FALSE(told->at(0).storage.empty());
}

TEST_F(PostgresCopies, UnitsThatTheDatabaseKeepsUniqueAreNotRanked) {
  RunAsOwner("ALTER TABLE " + In("member") + " ADD PRIMARY KEY (id)");
  pg::PostgresEngine bare(TestServer(schema_).value(), nullptr);
  gateway::Request request;
  request.text = "SELECT sum(age) FROM member";
  const auto plan = world_->PlanOf(request);
  ASSERT_TRUE(plan.ok());
  const auto told = bare.Explain(*plan);
  ASSERT_TRUE(told.ok());
  EXPECT_EQ(told->at(0).statement.find("sha256"), std::string::npos) << told->at(0).statement;
  const World::Seen seen = world_->Ask(request, 7, &bare);
  const World::Seen expected = World::Make("club", "")->Ask(request, 7);
  ASSERT_TRUE(seen.answered) << seen.error->private_detail;
  EXPECT_EQ(seen.said, expected.said);
}

TEST_F(PostgresCopies, EveryWayToChangeATableMakesItsCopyStale) {
  const std::vector<std::string> changes = {
      "INSERT INTO " + In("ride") + " (km) VALUES (1)",
      "UPDATE " + In("ride") + " SET km = km + 1",
      "DELETE FROM " + In("ride"),
      "TRUNCATE " + In("ride"),
      // Triggers that are not fired, and rows that come back as they were dumped.
      "SET session_replication_role = replica; DELETE FROM " + In("ride"),
      "ALTER TABLE " + In("ride") + " DISABLE TRIGGER ALL",
      "ALTER TABLE " + In("ride") + " DISABLE TRIGGER ALL; DELETE FROM " + In("ride") +
          "; ALTER TABLE " + In("ride") + " ENABLE TRIGGER ALL",
      "DROP TRIGGER tacit_changed_" + schema_ + "_prepared ON " + In("ride"),
      "ALTER TABLE " + In("ride") + " ADD COLUMN another integer",
      "CLUSTER " + In("ride") + " USING ride_key",
  };
  RunAsOwner("CREATE INDEX ride_key ON " + In("ride") + " (km)");
  for (const std::string& change : changes) {
    SCOPED_TRACE(change);
    ASSERT_TRUE(PrepareThere(policy_).ok());
    ASSERT_EQ(Fresh(policy_), copies_);
    RunAsOwner(change + ";");
    EXPECT_LT(Fresh(policy_), copies_);
  }
}

TEST_F(PostgresCopies, ARowsPersonIsInAnotherTableWhoseChangeCountsToo) {
  const auto fresh = Fresh(policy_);
  RunAsOwner("UPDATE " + In("member") + " SET age = age");
  EXPECT_LT(Fresh(policy_), fresh);
}

TEST_F(PostgresCopies, AStaleOneIsRefusedBeforeTheChargeOrIgnored) {
  const std::string question = "SELECT sum(km) FROM ride";
  const auto strict = EngineOf(policy_);
  const auto lenient = EngineOf(PolicyOf(*world_, schema_, policy::Unprepared::kAllow));
  RunAsOwner("UPDATE " + In("ride") + " SET km = 0");
  // The plan was made when the copy was fresh.
  const auto prepared_world = World::Make("club", "", true);
  gateway::Request request;
  request.text = question;
  const std::string before = prepared_world->Ledger();
  const World::Seen refused = prepared_world->Ask(request, 7, strict.get());
  ASSERT_FALSE(refused.answered);
  EXPECT_NE(refused.error->public_message.find("changed since it was prepared"), std::string::npos)
      << refused.error->public_message;
  EXPECT_EQ(prepared_world->Ledger(), before);
  // What is read then is the table as it is now.
  const World::Seen ignored = prepared_world->Ask(request, 7, lenient.get());
  ASSERT_TRUE(ignored.answered) << ignored.error->public_message;
  pg::PostgresEngine bare(TestServer(schema_).value(), nullptr);
  const World::Seen expected = World::Make("club", "")->Ask(request, 7, &bare);
  EXPECT_EQ(ignored.said, expected.said);
  // Made again, it serves the gateway that was open all the time.
  ASSERT_TRUE(PrepareThere(policy_).ok());
  const World::Seen again = World::Make("club", "", true)->Ask(request, 7, strict.get());
  ASSERT_TRUE(again.answered) << again.error->private_detail;
  EXPECT_EQ(again.said, expected.said);
}

TEST_F(PostgresCopies, ACopyIsOfItsPolicyDataVersionAndKey) {
  EXPECT_EQ(Fresh(policy_, std::string(64, 'f')), 0u);
  policy::Policy other = policy_;
  other.data_version += 1;
  EXPECT_EQ(Fresh(other), 0u);
  other = policy_;
  for (policy::Table& table : other.tables) table.rows_per_unit += 1;
  EXPECT_EQ(Fresh(other), 0u);
}

// Somebody who began to write before the copy's snapshot and ends after it.
TEST_F(PostgresCopies, AWriterBesideTheCopyingIsNotForgotten) {
  Result<pg::Connection> opened = pg::Connection::Open(TestServer(schema_).value(), {});
  ASSERT_TRUE(opened.ok());
  pg::Connection writer = std::move(opened).value();
  ASSERT_FALSE(writer.Execute("SET default_transaction_read_only = off"));
  ASSERT_FALSE(writer.Execute("BEGIN; UPDATE " + In("ride") + " SET km = 1"));
  ASSERT_TRUE(PrepareThere(policy_).ok());
  EXPECT_EQ(Fresh(policy_), copies_) << "nothing was changed yet for anybody else";
  ASSERT_FALSE(writer.Execute("COMMIT"));
  EXPECT_LT(Fresh(policy_), copies_);
  // And one that is rolled back changed nothing.
  ASSERT_TRUE(PrepareThere(policy_).ok());
  ASSERT_FALSE(writer.Execute("BEGIN; UPDATE " + In("ride") + " SET km = 1; ROLLBACK"));
  EXPECT_EQ(Fresh(policy_), copies_);
}

TEST_F(PostgresCopies, PartitionsThatComeAndGoAreSeen) {
  RunAsOwner("ALTER TABLE " + In("ride") + " RENAME TO ride_1; CREATE TABLE " + In("ride") +
             " (LIKE " + In("ride_1") + ") PARTITION BY RANGE (km); ALTER TABLE " + In("ride") +
             " ATTACH PARTITION " + In("ride_1") + " DEFAULT");
  ASSERT_TRUE(PrepareThere(policy_).ok());
  ASSERT_EQ(Fresh(policy_), copies_);
  RunAsOwner("UPDATE " + In("ride_1") + " SET km = 2");  // not by the name of the whole
  EXPECT_LT(Fresh(policy_), copies_);
  ASSERT_TRUE(PrepareThere(policy_).ok());
  RunAsOwner("ALTER TABLE " + In("ride") + " DETACH PARTITION " + In("ride_1"));
  EXPECT_LT(Fresh(policy_), copies_);
  ASSERT_TRUE(PrepareThere(policy_).ok());
  RunAsOwner("ALTER TABLE " + In("ride") + " ATTACH PARTITION " + In("ride_1") + " DEFAULT");
  EXPECT_LT(Fresh(policy_), copies_);
}

TEST_F(PostgresCopies, OldOnesAreRemovedAndTheGatewaysRoleOnlyReads) {
  RunAsOwner(
      "DROP ROLE IF EXISTS copy_reader; CREATE ROLE copy_reader LOGIN; GRANT USAGE ON "
      "SCHEMA " +
      schema_ + " TO copy_reader; GRANT SELECT ON ALL TABLES IN SCHEMA " + schema_ +
      " TO copy_reader");
  policy::PostgresSettings reading = WithCopies(schema_);
  reading.dsn.replace(reading.dsn.find("user=tacit"), 10, "user=copy_reader");
  policy::Policy policy = policy_;
  policy.engine = reading;
  for (int i = 0; i < 3; ++i) {
    const auto prepared = owner::PrepareOnServer(policy, WithCopies(schema_), kDeploymentKey, {});
    ASSERT_TRUE(prepared.ok()) << prepared.error().public_message;
  }
  EXPECT_EQ(Fresh(policy), copies_);
  const auto refused = owner::PrepareOnServer(policy, reading, kDeploymentKey, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().public_message.find("SQLSTATE 42501"), std::string::npos);
  Result<pg::Connection> opened = pg::Connection::Open(reading, {});
  ASSERT_TRUE(opened.ok());
  pg::Connection reader = std::move(opened).value();
  std::optional<pg::Reply> reply;
  ASSERT_FALSE(reader.Query(
      "SELECT count(*)::text, bool_or(has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, "
      "TRUNCATE'))::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE "
      "n.nspname = $1 AND c.relkind = 'r'",
      {{schema_ + "_prepared"}}, &reply));
  EXPECT_EQ(reply->Bytes(0, 0), std::to_string(copies_ + 2));
  EXPECT_EQ(reply->Bytes(0, 1), "false");
}

}  // namespace
}  // namespace tacit::golden
