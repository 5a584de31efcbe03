#include "plan/room.h"

#include <gtest/gtest.h>

#include "analysis/analyze.h"
#include "policy/load.h"
#include "policy/testing/sample.h"
#include "sql/parse.h"

namespace tacit::plan {
namespace {

constexpr char kSizedTables[] = R"(  people:
    unit: pid
    rows_per_unit: 1
    rows_max: ROWS
    columns:
      age: {bounds: [0, 120]}
      sex: {keys: [F, M]}
  visits:
    unit: pid
    rows_per_unit: 20
    rows_max: ROWS
  notes:
    unit: pid
    rows_per_unit: 5
)";

policy::Schema SchemaWith(bool prepared) {
  policy::Schema schema{
      {{"people",
        {{"pid", kIntegerType}, {"age", kIntegerType}, {"sex", kTextType}, {"city", kTextType}}},
       {"visits", {{"pid", kIntegerType}, {"ward", kTextType}, {"days", kIntegerType}}},
       {"notes", {{"pid", kIntegerType}, {"day", kIntegerType}}}}};
  for (policy::SchemaTable& table : schema.tables) table.prepared = prepared;
  return schema;
}

std::optional<Room> RoomFor(const std::string& text, const std::string& rows = "1000000",
                            bool prepared = true) {
  std::string policy_text = policy::testing::SampleWith(kSizedTables);
  for (size_t at; (at = policy_text.find("ROWS")) != std::string::npos;) {
    policy_text.replace(at, 4, rows);
  }
  const Result<policy::Policy> policy = policy::Parse(policy_text, "tacit.yaml");
  EXPECT_TRUE(policy.ok()) << policy.error().public_message;
  const policy::Schema schema = SchemaWith(prepared);
  const Result<analysis::Facts> facts = analysis::Analyze(sql::Parse(text)->query, *policy, schema);
  EXPECT_TRUE(facts.ok()) << text << "\n" << facts.error().public_message;
  return RoomOf(facts->blocks.at(0));
}

TEST(Room, GrowsWithTheDeclaredRowsAlone) {
  const auto small = RoomFor("SELECT city, count(*) FROM people GROUP BY city");
  const auto large = RoomFor("SELECT city, count(*) FROM people GROUP BY city", "2000000");
  ASSERT_TRUE(small && large);
  EXPECT_EQ(large->engine_bytes, Integer(2 * small->engine_bytes));
  EXPECT_EQ(large->held_bytes, Integer(2 * small->held_bytes));
  EXPECT_GT(small->held_bytes, Integer(1'000'000 * 256)) << "each may be a group of its own";
}

TEST(Room, OfPublicKeysIsTheirs) {
  const auto listed = RoomFor("SELECT sex, count(*) FROM people GROUP BY sex");
  ASSERT_TRUE(listed);
  EXPECT_LT(listed->held_bytes, Integer(2 * 1024));
  EXPECT_GT(listed->engine_bytes, Integer(1'000'000 * 16));
}

TEST(Room, OfAJoinIsWhatRowsPerPersonMultiplyTo) {
  const auto one = RoomFor("SELECT count(*) FROM visits");
  const auto both =
      RoomFor("SELECT count(*) FROM people p JOIN visits v ON p.pid = v.pid WHERE p.age > 7");
  ASSERT_TRUE(one && both);
  // Every person may have twenty visits, and every visit a person.
  EXPECT_GT(both->engine_bytes, Integer(20 * one->engine_bytes / 2));
}

TEST(Room, OfTablesThatAreNotPreparedHoldsThemWhole) {
  const auto prepared = RoomFor("SELECT count(*) FROM visits");
  const auto sorted = RoomFor("SELECT count(*) FROM visits", "1000000", false);
  ASSERT_TRUE(prepared && sorted);
  EXPECT_GT(sorted->engine_bytes, Integer(2 * prepared->engine_bytes));
}

TEST(Room, IsUnknownWhereATableDeclaresNothing) {
  EXPECT_FALSE(RoomFor("SELECT count(*) FROM notes"));
  EXPECT_FALSE(RoomFor("SELECT count(*) FROM people p JOIN notes n ON p.pid = n.pid"));
}

}  // namespace
}  // namespace tacit::plan
