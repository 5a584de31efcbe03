#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/testing/deployment.h"
#include "release/publish/file/tables_files.h"

namespace tacit::release {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kTablesPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 1, epsilon_max: 2, delta: 1e-7}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns: {id: {hidden: true}, sex: {keys: [f, m]}, town: {}}
)";

// Two towns, and one of somebody alone.
const std::vector<std::string> kTowns = {
    "CREATE TABLE people AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex, "
    "CASE WHEN i = 9 THEN 'alone' WHEN i % 3 = 0 THEN 'a' ELSE 'b' END AS town "
    "FROM range(6000) t(i)"};

TEST(PublishTables, ShowsTheValuesThatManyHaveAndCountsAllOthersTogether) {
  gateway::testing::TestDeployment world(kTablesPolicy, kTowns);
  gateway::Services services = world.Services();
  const TablesRequest request{.table = "people", .tables = {{"town", "sex"}, {"town"}}};
  const Result<TablesPlan> plan = PlanTables(request, services);
  ASSERT_TRUE(plan.ok()) << plan.error().public_message;
  const Result<PublishedTables> made = PublishTables(*plan, "people", services, nullptr);
  ASSERT_TRUE(made.ok()) << made.error().public_message << made.error().private_detail;
  EXPECT_EQ(world.Spent(), 1);
  const std::vector<NamedFile> files = FilesOf(*plan, "people", *made);
  EXPECT_THAT(files[1].content, StartsWith("town,count\na,"));
  EXPECT_THAT(files[1].content, HasSubstr("\nb,"));
  EXPECT_THAT(files[1].content, HasSubstr("\n(other),"));
  EXPECT_THAT(files[1].content, HasSubstr("\nNULL,"));
  EXPECT_THAT(files[0].content, Not(HasSubstr("alone")));
  EXPECT_NEAR(static_cast<double>(made->released.tables[1].counts[0]), 2000, 150);
  EXPECT_NEAR(static_cast<double>(made->released.tables[1].counts[1]), 4000, 150);
  const Result<PublishedTables> again = PublishTables(*plan, "people", services, nullptr);
  EXPECT_FALSE(again->receipt.charged());
  EXPECT_EQ(FilesOf(*plan, "people", *again)[0].content, files[0].content);
}

}  // namespace
}  // namespace tacit::release
