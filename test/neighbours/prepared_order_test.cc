#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/duckdb/values/read_schema.h"
#include "owner/prepare/store_table.h"
#include "world.h"

// The stored order is the scan's, whatever the hash does: with a hash of a bit or of none, the
// values decide, as they do at a query over tables that are not prepared.

namespace tacit::neighbours {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::Database;
using engine::duckdb::PreparedTable;

// Rides of a world, stored as owner::Prepare does, with another hash if wished.
class StoredRides {
 public:
  // `hash` stands before every call of the hash: "1 &" leaves one bit of it.
  StoredRides(const World& world, const std::string& hash,
              const std::function<void(PreparedTable&)>& change = nullptr,
              const owner::Progress& progress = nullptr)
      : hash_(hash) {
    Execute("ATTACH '" + world.DataPath() + "' AS tacit_source (READ_ONLY)");
    Execute("ATTACH ':memory:' AS tacit_copy");
    Execute("USE tacit_source");
    const policy::Schema schema = engine::duckdb::ReadSchema(connection_).value();
    std::vector<PreparedTable> tables =
        engine::duckdb::PreparedTables(world.policy(), schema).value();
    for (PreparedTable& table : tables) {
      if (table.name != "ride") continue;
      for (std::string* sql :
           {&table.order->by_hash, &table.order->by_values, &table.order->collisions}) {
        Weaken(sql);
      }
      if (change) change(table);
      stored_ = owner::StoreTable(
          table,
          {.schema = "tacit_copy.main", .folder = ::testing::TempDir(), .key = kDeploymentKey},
          connection_, progress);
    }
  }

  const Result<Done>& stored() const { return stored_; }

  // Rows that the scan keeps and the copy does not, with their ranks, and the other way round.
  std::string Different() {
    const std::string columns = Text(
        "SELECT string_agg('\"' || column_name || '\"', ', ' ORDER BY "
        "column_index) FROM duckdb_columns() WHERE database_name = "
        "'tacit_source' AND table_name = 'ride'");
    std::string scan = "SELECT " + columns +
                       ", row_number() OVER (PARTITION BY member_id ORDER BY tacit_row_hash('" +
                       kDeploymentKey + "', 'ride', CAST(member_id AS VARCHAR), " + columns +
                       "), " + columns +
                       ") AS tacit_rank FROM ride WHERE member_id IN (SELECT id FROM member) "
                       "QUALIFY tacit_rank <= 4";
    Weaken(&scan);
    const std::string copy = "SELECT " + columns + ", tacit_rank FROM tacit_copy.main.ride";
    return Text("SELECT count(*) FROM ((" + scan + " EXCEPT ALL " + copy + ") UNION ALL (" + copy +
                " EXCEPT ALL " + scan + "))");
  }
  std::string Text(const std::string& sql) {
    engine::ResultTable table;
    const auto failure = connection_.Query({.sql = sql}, 1, &table);
    EXPECT_FALSE(failure) << failure->text << "\n" << sql;
    return failure ? "" : ToText(table.rows[0][0]);
  }

 private:
  void Execute(const std::string& sql) {
    const auto failure = connection_.Execute(sql);
    ASSERT_FALSE(failure) << failure->text << "\n" << sql;
  }
  void Weaken(std::string* sql) const {
    const std::string name = "tacit_row_hash(";
    for (size_t at = 0; (at = sql->find(name, at)) != std::string::npos;
         at += hash_.size() + name.size()) {
      sql->insert(at, hash_);
    }
  }

  std::string hash_;
  Database database_ = Database::OpenForImport(":memory:", {.threads = 2}).value();
  Connection connection_ = database_.Connect().value();
  Result<Done> stored_ = InvalidArgument("there is no table ride");
};

// Several row groups, rows that were deleted, rows that are twice there, NULLs.
constexpr char kCrowd[] =
    "INSERT INTO member SELECT 1000 + i, 'c', 30, 70, 'F', 1, true, NULL, '' FROM range(40000) "
    "t(i); INSERT INTO ride SELECT 10000 + i, 1000 + (i * 7919) % 40000, i % 50, CASE WHEN i % 3 = "
    "0 THEN NULL ELSE 's' END, DATE '2024-02-01' FROM range(300000) t(i); INSERT INTO ride SELECT "
    "NULL, 1000 + i % 500, CASE WHEN i % 4 = 0 THEN NULL ELSE 3 END, 'n', NULL FROM range(3000) "
    "t(i); "
    "DELETE FROM ride WHERE ride_id % 1000 = 3";

TEST(PreparedOrder, IsTheScansOwn) {
  const std::unique_ptr<World> world = World::Make("club", kCrowd);
  StoredRides rides(*world, "");
  ASSERT_TRUE(rides.stored().ok()) << rides.stored().error().public_message;
  EXPECT_EQ(rides.Different(), "0");
  EXPECT_EQ(rides.Text("SELECT max(tacit_rank) FROM tacit_copy.main.ride"), "4");
}

TEST(PreparedOrder, IsTheScansOwnWhereHashesCollide) {
  const std::unique_ptr<World> world = World::Make("club", kCrowd);
  for (const char* hash : {"1 & ", "0 & "}) {
    StoredRides rides(*world, hash);
    ASSERT_TRUE(rides.stored().ok()) << rides.stored().error().public_message;
    EXPECT_EQ(rides.Different(), "0") << hash;
  }
  // Who does not look for collisions stores another order: the comparison above can fail.
  StoredRides careless(*world, "1 & ", [](PreparedTable& table) {
    table.order->collisions = "SELECT CAST(0 AS BIGINT) WHERE $1 <> '' OR $2 > 0";
  });
  ASSERT_TRUE(careless.stored().ok()) << careless.stored().error().public_message;
  EXPECT_NE(careless.Different(), "0");
}

TEST(PreparedOrder, IsTheScansOwnWhereAColumnIsCalledRowid) {
  const std::unique_ptr<World> world = World::Make(
      "club", std::string(kCrowd) + "; ALTER TABLE ride ADD COLUMN \"RowId\" INTEGER DEFAULT 7");
  for (const char* hash : {"", "1 & "}) {
    StoredRides rides(*world, hash);
    ASSERT_TRUE(rides.stored().ok()) << rides.stored().error().public_message;
    EXPECT_EQ(rides.Different(), "0") << hash;
    EXPECT_EQ(rides.Text("SELECT min(\"RowId\") FROM tacit_copy.main.ride"), "7");
  }
}

// The engine hands rows on in another order, loses some, or mixes the first pass up.
TEST(PreparedOrder, IsNotUsedWhenTheEngineBreaksIt) {
  const std::unique_ptr<World> world = World::Make("club", "");
  const auto said = [&](const std::string& text, const std::string& instead, bool in_select) {
    StoredRides rides(*world, "", [&](PreparedTable& table) {
      std::string& sql = in_select ? table.select : table.order->by_hash;
      ASSERT_NE(sql.find(text), std::string::npos) << sql;
      sql.replace(sql.find(text), text.size(), instead);
    });
    return rides.stored().ok() ? "stored" : rides.stored().error().public_message;
  };
  const std::string refusal =
      "cannot prepare table ride: the engine did not keep the order of its rows";
  EXPECT_EQ(said("ORDER BY tacit_place", "ORDER BY tacit_place", true), "stored");
  EXPECT_EQ(said("ORDER BY tacit_place", "ORDER BY tacit_place DESC", true), refusal);
  EXPECT_EQ(said("ORDER BY tacit_place", "ORDER BY km", true), refusal);
  EXPECT_EQ(said("IS NOT NULL ORDER BY", "> 2000000000 ORDER BY", true), refusal);
  EXPECT_EQ(said("ORDER BY tacit_unit, tacit_hash", "ORDER BY tacit_unit, tacit_hash DESC", false),
            refusal);
  EXPECT_EQ(said("ORDER BY tacit_unit", "ORDER BY 7 - tacit_unit", false), refusal);
}

TEST(PreparedOrder, TellsHowFarItIsAndStopsWhenTold) {
  const std::unique_ptr<World> world = World::Make("club", kCrowd);
  std::vector<double> told;
  StoredRides rides(*world, "", nullptr, [&](const std::string& table, double percent) {
    EXPECT_EQ(table, "ride");
    if (percent >= 0) told.push_back(percent);
    return true;
  });
  ASSERT_TRUE(rides.stored().ok()) << rides.stored().error().public_message;
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), 100);

  const StoredRides stopped(*world, "", nullptr,
                            [](const std::string&, double percent) { return percent < 50; });
  ASSERT_FALSE(stopped.stored().ok());
  EXPECT_EQ(stopped.stored().error().public_message,
            "interrupted: nothing was changed, and nothing is left behind");
}

TEST(PreparedOrder, OfNoRowsIsNoRows) {
  const std::unique_ptr<World> world = World::Make("club", "DELETE FROM ride");
  StoredRides rides(*world, "");
  ASSERT_TRUE(rides.stored().ok()) << rides.stored().error().public_message;
  EXPECT_EQ(rides.Text("SELECT count(*) FROM tacit_copy.main.ride"), "0");
}

}  // namespace
}  // namespace tacit::neighbours
