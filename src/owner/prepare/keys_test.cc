#include <gtest/gtest.h>

#include <sstream>

#include "engine/duckdb/values/read_schema.h"
#include "owner/prepare/distinct_columns.h"
#include "owner/prepare/parent_keys.h"
#include "owner/testing/folder.h"

// Which columns lead to one row only: what a foreign key may lead to.

namespace tacit::owner {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::Database;

struct Clinic {
  Database database = Database::OpenForImport(":memory:", {.threads = 1}).value();
  Connection connection = database.Connect().value();

  explicit Clinic(const char* tables) {
    std::stringstream statements(tables);
    for (std::string statement; std::getline(statements, statement, ';');) {
      TACIT_ASSERT(!connection.Execute(statement).has_value());
    }
  }
  policy::Schema Schema() { return engine::duckdb::ReadSchema(connection).value(); }
};

constexpr char kTables[] =
    "CREATE TABLE people(id INTEGER, twin INTEGER, weight DOUBLE, note TEXT, \"a\"\"b\" TEXT);"
    "INSERT INTO people VALUES (1, 7, 1.5, repeat('x', 100), 'a'), (2, 7, 2.5, repeat('y', 100), "
    "'b'), (NULL, NULL, NULL, NULL, NULL), (NULL, 8, 3.5, 'z', 'c');"
    "CREATE TABLE visits(id INTEGER, twin INTEGER);"
    "INSERT INTO visits VALUES (1, 7), (1, 7)";

TEST(DistinctColumns, NullsMayRepeatMeasurementsAndLongTextsAreNoKeys) {
  Clinic clinic(kTables);
  const policy::Schema schema = clinic.Schema();
  const policy::SchemaTable& people = *schema.Find("people");
  EXPECT_EQ(FindDistinctColumns(people, "people", clinic.connection).value(),
            (std::vector<std::string>{"id", "a\"b"}));
}

TEST(ParentKeys, AKeyOfTwoPeopleIsSeenAndOneThatStandsTwiceForTheSameIsNot) {
  Clinic clinic(kTables);
  EXPECT_FALSE(LeadsToTwo("people", "id", "a\"b", clinic.connection).value());
  EXPECT_TRUE(LeadsToTwo("people", "twin", "id", clinic.connection).value());
  EXPECT_FALSE(LeadsToTwo("people", "twin", "twin", clinic.connection).value());
  EXPECT_FALSE(LeadsToTwo("nobody", "id", "id", clinic.connection).ok());
  Clinic baskets(
      "CREATE TABLE t AS SELECT * FROM (VALUES (1, 7), (1, 7), (2, 8), (2, NULL), "
      "(3, NULL), (3, NULL)) v(k, p)");
  EXPECT_TRUE(LeadsToTwo("t", "k", "p", baskets.connection).value()) << "2 is 8's and nobody's";
  EXPECT_FALSE(baskets.connection.Execute("DELETE FROM t WHERE k = 2").has_value());
  EXPECT_FALSE(LeadsToTwo("t", "k", "p", baskets.connection).value());
}

TEST(ParentKeys, AForeignKeyMayLeadToOnePersonOnly) {
  const testing::Folder folder;
  Clinic clinic(kTables);
  const auto check = [&](const std::string& key) {
    const policy::Policy policy = folder.PolicyWith(
        "  people: {unit: a\"b, rows_per_unit: 1}\n"
        "  visits: {unit: {via: " +
        key + ", to: people." + key + "}, rows_per_unit: 2}\n");
    return CheckParentKeys(policy, clinic.Schema(), clinic.connection);
  };
  EXPECT_TRUE(check("id").ok());
  const Result<Done> twice = check("twin");
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.error().public_message.find("people.twin is not unique"), std::string::npos)
      << twice.error().public_message;
  EXPECT_NE(twice.error().public_message.find("tacit.yaml:11:"), std::string::npos)
      << twice.error().public_message;
}

TEST(ParentKeys, InitHasTheDatabaseKeepSharedKeysUnique) {
  Clinic clinic(kTables);
  EXPECT_EQ(KeepKeysUnique(clinic.Schema(), clinic.connection).value(),
            std::vector<std::string>{"people.id"})
      << "twin repeats, and nothing else has a name that another table has";
  EXPECT_TRUE(clinic.Schema().Find("people", "id")->unique);
  EXPECT_TRUE(clinic.connection.Execute("INSERT INTO people(id) VALUES (1)").has_value());
}

}  // namespace
}  // namespace tacit::owner
