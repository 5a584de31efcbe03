#include "release/publish/publish_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "gateway/testing/deployment.h"
#include "release/publish/file/parquet.h"

namespace tacit::release {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kFamilyPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 12, delta: 1e-4}
  query: {epsilon: 8, epsilon_max: 8, delta: 1e-6}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns: {id: {hidden: true}, sex: {keys: [f, m]}, age: {bounds: [0, 9]}}
  trips:
    unit: {via: who, to: people}
    rows_per_unit: 3
    columns: {who: {hidden: true}, kind: {keys: [by foot, by car]}, far: {bounds: [0, 4]}}
)";

// The same with words that nobody listed, on both sides, and with trips that cannot be.
std::string OpenPolicy() {
  std::string text = kFamilyPolicy;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("sex: {keys: [f, m]}", "sex: {}");
  replace("kind: {keys: [by foot, by car]}", "kind: {}");
  replace("far: {bounds: [0, 4]}}", "far: {bounds: [0, 4]}}\n    impossible: [\"far < 1\"]");
  return text;
}

// Men go by car and women by foot; whoever is above 4 goes twice, and others not at all.
std::vector<std::string> Statements() {
  return {
      "CREATE TABLE people AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex,"
      " i % 10 AS age FROM range(4000) t(i)",
      "CREATE TABLE trips AS SELECT p.id AS who, CASE WHEN sex = 'f' THEN 'by foot' ELSE "
      "'by car' END AS kind, j AS far FROM people p, range(2) r(j) WHERE age > 4"};
}

TEST(PublishFamily, MakesChildrenThatFollowTheirParents) {
  gateway::testing::TestDeployment world(kFamilyPolicy, Statements());
  gateway::Services services = world.Services();
  const FamilyRequest request{.parent = {.table = "people"}, .child = "trips"};
  const Result<FamilyPlan> plan = PlanFamily(request, services);
  ASSERT_TRUE(plan.ok()) << plan.error().public_message;
  const Result<PublishedFamily> made = PublishFamily(*plan, services, nullptr);
  ASSERT_TRUE(made.ok()) << made.error().public_message << made.error().private_detail;
  EXPECT_EQ(world.Spent(), 8);
  EXPECT_NEAR(static_cast<double>(made->parents.rows()), 4000, 60);
  EXPECT_NEAR(static_cast<double>(made->children.rows()), 4000, 300);
  const std::vector<size_t> children = ChildrenOf(made->parents);
  double fits = 0;
  double right = 0;
  size_t child = 0;
  for (size_t p = 0; p < children.size(); ++p) {
    const bool old = made->parents.table.codes[1][p] > 4;
    fits += children[p] == (old ? 2u : 0u) ? 1 : 0;
    for (size_t i = 0; i < children[p]; ++i, ++child) {
      right += made->children.table.codes[0][child] == made->parents.table.codes[0][p] ? 1 : 0;
    }
  }
  EXPECT_GT(fits / static_cast<double>(children.size()), 0.9);
  EXPECT_GT(right / static_cast<double>(child), 0.9);
  EXPECT_THAT(ParentsCsv(*plan, *made), StartsWith("id,sex,age\n1,"));
  EXPECT_THAT(ChildrenCsv(*plan, *made), StartsWith("who,kind,far\n"));
  const Result<PublishedFamily> again = PublishFamily(*plan, services, nullptr);
  EXPECT_FALSE(again->receipt.charged());
  EXPECT_EQ(ChildrenCsv(*plan, *again), ChildrenCsv(*plan, *made));
}

TEST(PublishFamily, ShowsWordsOfBothTablesAndNeverWritesAChildThatIsImpossible) {
  std::vector<std::string> statements = Statements();
  statements.push_back("UPDATE people SET sex = 'none of them' WHERE id = 7");
  statements.push_back("UPDATE trips SET kind = 'by the name of somebody' WHERE who = 6");
  gateway::testing::TestDeployment world(OpenPolicy(), statements);
  gateway::Services services = world.Services();
  const Result<FamilyPlan> plan =
      PlanFamily({.parent = {.table = "people"}, .child = "trips"}, services);
  ASSERT_TRUE(plan.ok()) << plan.error().public_message;
  EXPECT_EQ(plan->parent.showing.columns, 2u);
  Rational together = 0;
  for (const SheetLine& line : plan->parent.sheet) together += line.rho;
  EXPECT_EQ(together, plan->parent.price.rho.value);
  const Result<PublishedFamily> made = PublishFamily(*plan, services, nullptr);
  ASSERT_TRUE(made.ok()) << made.error().public_message << made.error().private_detail;
  EXPECT_THAT(made->parents.shown, ElementsAre(ElementsAre("f", "m")));
  EXPECT_THAT(made->children.shown, ElementsAre(ElementsAre("by car", "by foot")));
  const std::vector<size_t> children = ChildrenOf(made->parents);
  ASSERT_EQ(std::accumulate(children.begin(), children.end(), size_t{0}), made->children.rows());
  double right = 0;
  size_t child = 0;
  for (size_t p = 0; p < children.size(); ++p) {
    for (size_t i = 0; i < children[p]; ++i, ++child) {
      const bool woman = made->parents.table.codes[0][p] == 0;
      right += made->children.table.codes[0][child] == (woman ? 1 : 0) ? 1 : 0;
      ASSERT_NE(made->children.table.codes[1][child], 0);
    }
  }
  EXPECT_GT(right / static_cast<double>(child), 0.9);
  EXPECT_THAT(ParentsCsv(*plan, *made), HasSubstr(",f,"));
  EXPECT_THAT(ChildrenCsv(*plan, *made), HasSubstr(",by car,"));
  EXPECT_THAT(ChildrenCsv(*plan, *made), Not(HasSubstr("somebody")));
  const Result<PublishedFamily> again = PublishFamily(*plan, services, nullptr);
  EXPECT_EQ(ParentsCsv(*plan, *again), ParentsCsv(*plan, *made));
}

TEST(PublishFamily, SaysWhatEachStepCostsAndCountsEveryColumn) {
  gateway::testing::TestDeployment world(kFamilyPolicy, Statements());
  gateway::Services services = world.Services();
  const FamilyPlan plan =
      PlanFamily({.parent = {.table = "people"}, .child = "trips"}, services).value();
  std::vector<std::string> steps;
  Rational together = 0;
  for (const SheetLine& line : plan.parent.sheet) {
    steps.push_back(line.step);
    together += line.rho;
  }
  EXPECT_EQ(together, plan.parent.price.rho.value);
  // Two columns of people and their number of trips; two of trips beside two of their people.
  EXPECT_THAT(
      steps,
      ElementsAre("3 histograms of people, one a column", "3 tables of two columns of people",
                  "how far the rows of people are off", "4 histograms of trips, one a column",
                  "5 tables of two columns of trips", "how far the rows of trips are off"));
}

TEST(PublishFamily, RefusesTablesThatDoNotBelongTogether) {
  gateway::testing::TestDeployment world(kFamilyPolicy, Statements());
  gateway::Services services = world.Services();
  const auto refused = [&](const std::string& parent, const std::string& child) {
    return PlanFamily({.parent = {.table = parent}, .child = child}, services)
        .error()
        .public_message;
  };
  EXPECT_THAT(refused("trips", "people"), HasSubstr("do not belong to rows of trips"));
  EXPECT_THAT(refused("people", "nothing"), HasSubstr("protects no table nothing"));
  const FamilyRequest weighed{.parent = {.table = "people", .rows_per_unit = 1}, .child = "trips"};
  EXPECT_THAT(PlanFamily(weighed, services).error().public_message, HasSubstr("of one table"));
  EXPECT_EQ(world.Spent(), 0);
}

TEST(WriteParquet, KeepsTypesNullsAndEmptyTexts) {
  gateway::testing::TestDeployment world(kFamilyPolicy, Statements());
  const std::string csv = (world.folder() / "rows.csv").string();
  const std::string parquet = (world.folder() / "rows.parquet").string();
  std::ofstream(csv) << "name,age,day,big\n\"\",7,2020-02-03,0.5\n,,,\n";
  const std::vector<Attribute> attributes = {
      {.name = "name", .type = kTextType, .cells = OpenCells{}},
      {.name = "age", .type = kIntegerType, .cells = OpenCells{}},
      {.name = "day", .type = kDateType, .cells = OpenCells{}},
      {.name = "big", .type = kDoubleType, .cells = OpenCells{}}};
  const Result<Done> written = WriteParquet(csv, attributes, parquet);
  ASSERT_TRUE(written.ok()) << written.error().public_message;
  using namespace engine::duckdb;
  const Result<Database> database = Database::OpenForImport(":memory:", {});
  Connection connection = std::move(database->Connect()).value();
  engine::ResultTable read;
  ASSERT_FALSE(connection.Query(
      {.sql = "SELECT count(*) FROM read_parquet(" + QuoteLiteral(parquet) +
              ") WHERE name = '' AND age + 1 = 8 AND day = DATE '2020-02-03' AND big = 0.5"},
      10, &read));
  EXPECT_EQ(std::get<int64_t>(read.rows[0][0]), 1);
  ASSERT_FALSE(connection.Query({.sql = "SELECT count(*) FROM read_parquet(" +
                                        QuoteLiteral(parquet) + ") WHERE name IS NULL"},
                                10, &read));
  EXPECT_EQ(std::get<int64_t>(read.rows[0][0]), 1);
}

}  // namespace
}  // namespace tacit::release
