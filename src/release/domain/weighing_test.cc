#include "release/domain/weighing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "gateway/testing/deployment.h"
#include "release/publish/publish.h"
#include "release/publish/steps.h"

namespace tacit::release {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kWeighedPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 100, delta: 1e-4}
  query: {epsilon: 8, epsilon_max: 8, delta: 1e-6}
tables:
  people: {unit: id, rows_per_unit: 1, columns: {id: {hidden: true}}}
  visits:
    unit: {via: who, to: people}
    rows_per_unit: 20
    columns: {who: {hidden: true}, kind: {keys: [short, long]}, word: {}}
  lines:
    unit: {via: visit, to: visits.number}
    rows_per_unit: 20
    columns: {visit: {hidden: true}, price: {bounds: [0, 9]}}
)";

// Three in four people have one short visit, and the fourth has ten long ones; and then `more`.
std::vector<std::string> VisitStatements(const std::string& more = "") {
  return {"CREATE TABLE people AS SELECT i AS id FROM range(100001) t(i)",
          "CREATE TABLE visits AS SELECT i AS who, CASE WHEN i % 4 = 0 THEN 'long' ELSE 'short' "
          "END AS kind, 'w' AS word, 20 * i + j AS number FROM range(4000) t(i), range(10) u(j) "
          "WHERE i % 4 = 0 OR j = 0" +
              more,
          "ALTER TABLE visits ADD PRIMARY KEY (number)",
          "CREATE TABLE lines AS SELECT number AS visit, 3 AS price FROM visits"};
}

TEST(RowWeights, LetNobodyCountForMoreThanTheyMay) {
  gateway::testing::TestDeployment world(kWeighedPolicy, VisitStatements());
  const policy::Table& visits = *world.policy().Find("visits");
  for (int64_t counted = 1; counted < 20; ++counted) {
    const RowWeights weights = RowWeightsFor(counted, world.policy(), visits).value();
    const auto& edges = std::get<GridCells>(weights.rows_of_person.cells).edges;
    ASSERT_EQ(edges.size(), weights.parts.size() + 1);
    EXPECT_EQ(edges.front(), 1);
    EXPECT_EQ(edges.back(), 21);
    for (size_t bin = 0; bin < weights.parts.size(); ++bin) {
      for (Int128 rows = edges[bin]; rows < edges[bin + 1]; ++rows) {
        const Int128 all = rows * weights.parts[bin];
        EXPECT_LE(all, counted * kRowParts);
        // And not much less than that.
        EXPECT_GE(all, std::min<Int128>(rows, counted) * kRowParts * 3 / 4);
      }
    }
    EXPECT_EQ(weights.MovedBy(visits, world.policy().privacy).rows, counted * kRowParts);
  }
}

TEST(RowWeights, RefuseWhatCannotBeWeighed) {
  gateway::testing::TestDeployment world(kWeighedPolicy, VisitStatements());
  const auto refused = [&](const std::string& table, int64_t counted) {
    return RowWeightsFor(counted, world.policy(), *world.policy().Find(table))
        .error()
        .public_message;
  };
  EXPECT_THAT(refused("visits", 21), HasSubstr("lets 20 rows of a person count"));
  EXPECT_THAT(refused("lines", 2), HasSubstr("does not name its person itself"));
}

// What the mechanism is given, by the rows' cells: in parts of a row.
std::map<std::vector<uint16_t>, int64_t> Weighed(gateway::testing::TestDeployment& world,
                                                 int64_t counted) {
  gateway::Services services = world.Services();
  const policy::Table& visits = *world.policy().Find("visits");
  const RowWeights weights = RowWeightsFor(counted, world.policy(), visits).value();
  std::vector<Attribute> attributes =
      AttributesOf(world.policy(), world.schema(), visits, {"kind"}, services.engine).value();
  attributes.push_back(weights.rows_of_person);
  const Source source = WeighedSource(world.policy(), visits, attributes).value();
  std::map<std::vector<uint16_t>, int64_t> seen;
  const auto run = [&](std::vector<ExactTable>& exact, Entropy&) {
    Joint& joint = exact[0].joint;
    weights.Apply(joint);
    EXPECT_EQ(joint.parts, kRowParts);
    for (size_t r = 0; r < joint.weights.size(); ++r) {
      seen[{joint.codes[0][r], joint.codes[1][r]}] += joint.weights[r];
    }
    return std::string("seen");
  };
  std::vector<Question> questions;
  questions.push_back(
      {attributes, CodedRowsOf(world.policy(), world.schema(), source, attributes).value()});
  TableRelease release(std::move(questions), PriceOf({}, {}, world.policy().privacy).value(),
                       "a look", run, services);
  EXPECT_TRUE(release.CarryOut().ok());
  return seen;
}

// One person more, with one row, with some, or far above the cap.
TEST(RowWeights, MoveByNoMoreThanWasDeclaredBetweenNeighbours) {
  for (const int64_t counted : {1, 4}) {
    gateway::testing::TestDeployment without(kWeighedPolicy, VisitStatements());
    const auto before = Weighed(without, counted);
    for (const int rows : {1, 3, 7, 20, 300}) {
      gateway::testing::TestDeployment with(
          kWeighedPolicy,
          VisitStatements(
              " UNION ALL SELECT 100000, CASE WHEN i % 3 = 0 THEN 'short' ELSE 'long' END, "
              "'w', 1000000 + i FROM range(" +
              std::to_string(rows) + ") t(i)"));
      int64_t l1 = 0;
      for (const auto& [row, parts] : Weighed(with, counted)) {
        l1 += std::abs(parts - (before.contains(row) ? before.at(row) : 0));
      }
      EXPECT_LE(l1, counted * kRowParts) << rows;
      EXPECT_GE(l1, std::min<int64_t>(counted, rows) * kRowParts * 3 / 4) << rows;
    }
  }
}

// A fourth of the people have ten visits each: they would be 40 % of the rows if four of theirs
// were taken, and are 77 % of the table.
TEST(PublishSynthetic, WritesRowsOfPeopleWithManyInTheirFullNumber) {
  gateway::testing::TestDeployment world(kWeighedPolicy, VisitStatements());
  gateway::Services services = world.Services();
  for (const Method method : {Method::kMixture, Method::kDirect, Method::kMwem}) {
    SynthesisRequest request{.table = "visits", .columns = {"kind", "word"}, .rows_per_unit = 4};
    request.wish.method = method;
    const Result<SynthesisPlan> plan = PlanSynthesis(request, services);
    ASSERT_TRUE(plan.ok()) << plan.error().public_message;
    const Result<Published> made = PublishSynthetic(*plan, "visits", services, nullptr);
    ASSERT_TRUE(made.ok()) << made.error().public_message;
    EXPECT_NEAR(static_cast<double>(made->file.rows()), 13'000, 500);
    EXPECT_NEAR(made->file.table.summary.rows_estimated, 13'000, 500);
    ASSERT_EQ(made->file.table.codes.size(), 2u);
    double many = 0;
    for (const uint16_t kind : made->file.table.codes[0]) many += kind == 1 ? 1 : 0;
    EXPECT_NEAR(many / static_cast<double>(made->file.rows()), 0.77, 0.03);
    EXPECT_THAT(made->file.shown, ElementsAre(ElementsAre("w")));
    EXPECT_THAT(plan->sheet[1].step, HasSubstr("3 histograms"));
  }
  // Other numbers are other releases, and the policy's own is no weighing at all.
  const SynthesisRequest all{.table = "visits", .columns = {"kind"}, .rows_per_unit = 20};
  EXPECT_FALSE(PlanSynthesis(all, services)->weights);
}

}  // namespace
}  // namespace tacit::release
