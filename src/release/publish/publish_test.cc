#include "release/publish/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gateway/testing/deployment.h"
#include "release/publish/steps.h"

namespace tacit::release {
namespace {

using ::testing::HasSubstr;

constexpr char kPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: NEIGHBOURS
  accounting: pure
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 1, epsilon_max: 2, delta: 1e-7}
tables:
  visits:
    unit: person
    rows_per_unit: 3
    columns:
      person: {hidden: true}
      age: {bounds: [0, 9]}
      kind: {keys: [in, out]}
      day: {keys: {months: [2020-01, 2020-02]}}
      cost: {bounds: [0, 1], step: 0.001}
      code: {keys: {from: 1, to: 3, step: 1}}
      room: {keys: {table: rooms.name}}
    impossible: ["age < 3 AND kind = 'out'"]
  rooms: {public: true}
)";
constexpr char kTable[] =
    "CREATE TABLE visits (person INTEGER, age INTEGER, kind VARCHAR, day DATE, cost DOUBLE, "
    "code INTEGER, room VARCHAR, new BOOLEAN, word VARCHAR)";

std::string PolicyFor(const std::string& neighbours) {
  std::string text = kPolicy;
  return text.replace(text.find("NEIGHBOURS"), 10, neighbours);
}

// Visits with these rows.
class World : public gateway::testing::TestDeployment {
 public:
  explicit World(const std::string& rows, const std::string& neighbours = "add_remove")
      : TestDeployment(PolicyFor(neighbours),
                       {kTable, "INSERT INTO visits " + rows,
                        "CREATE TABLE rooms AS SELECT 'r' || i AS name FROM range(4) t(i)"}) {}

  Result<Published> Publish(const SynthesisRequest& request) {
    gateway::Services services = Services();
    TACIT_TRY(const SynthesisPlan plan, PlanSynthesis(request, services));
    return PublishSynthetic(plan, request.table, services, nullptr);
  }

  // What the mechanism is given: how often each row of codes occurs.
  std::map<std::vector<uint16_t>, int64_t> Exact(const std::vector<std::string>& columns,
                                                 Moved* moved = nullptr) {
    gateway::Services services = Services();
    const policy::Table& table = *policy().Find("visits");
    const auto attributes =
        AttributesOf(policy(), schema(), table, columns, services.engine).value();
    CodedRows coded =
        CodedRowsOf(policy(), schema(), SourceOf(table, attributes), attributes).value();
    if (moved != nullptr) *moved = coded.moved;
    std::map<std::vector<uint16_t>, int64_t> seen;
    const auto run = [&](const std::vector<ExactTable>& exact, Entropy&) {
      const Joint& joint = exact[0].joint;
      for (size_t r = 0; r < joint.weights.size(); ++r) {
        std::vector<uint16_t> row;
        for (const auto& column : joint.codes) row.push_back(column[r]);
        seen[row] += joint.weights[r];
      }
      return std::string("seen");
    };
    const ReleasePrice price = PriceOf({}, {}, policy().privacy).value();
    std::vector<Question> questions;
    questions.push_back({attributes, std::move(coded)});
    TableRelease release(std::move(questions), price, "a look", run, services);
    EXPECT_TRUE(release.CarryOut().ok());
    return seen;
  }
};

constexpr char kCrowd[] =
    "SELECT i % 400, i % 10, CASE WHEN i % 3 = 0 THEN 'in' ELSE 'out' END, "
    "DATE '2020-01-01' + (i % 60)::INTEGER, (i % 1000) / 1000.0, 1 + i % 3, 'r' || (i % 4), "
    "i % 2 = 0, CASE WHEN i = 17 THEN 'a name' ELSE 'w' || (i % 2) END FROM range(1000) t(i)";

TEST(CodedRows, GiveEveryKindOfValueItsCell) {
  World world(
      "VALUES (1, 5, 'in', DATE '2020-01-31', 0.5, 3, 'r2', true, NULL),"
      "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
      "(3, -7, 'out', DATE '2020-02-01', 99, 1, 'r0', false, NULL),"
      "(4, 1000, 'in', DATE '2020-02-29', 'nan'::DOUBLE, 2, 'r3', false, NULL),"
      "(5, 1, 'elsewhere', DATE '2020-01-01', 0, 1, 'r0', true, NULL),"  // a text that is not
                                                                         // listed
      "(6, 1, 'in', DATE '2020-03-01', 0, 1, 'r0', true, NULL),"      // a day after the last month
      "(NULL, 1, 'in', DATE '2020-01-01', 0, 1, 'r0', true, NULL)");  // nobody's
  const auto seen = world.Exact({"age", "kind", "day", "cost", "code", "room", "new"});
  // Sixty days: those of January and February 2020.
  const std::map<std::vector<uint16_t>, int64_t> expected = {
      {{5, 0, 30, 64, 2, 2, 1}, 1},
      {{10, 2, 60, 128, 3, 4, 2}, 1},
      {{0, 1, 31, 127, 0, 0, 0}, 1},
      {{9, 0, 59, 127, 1, 3, 0}, 1},
  };
  EXPECT_EQ(seen, expected);
}

// One person more, ordinary or far over the cap, moves no table by more than was declared.
TEST(CodedRows, MoveByNoMoreThanWasDeclaredBetweenNeighbours) {
  const std::string crowd = kCrowd;
  const std::string one =
      " UNION ALL SELECT 9999, 3, 'in', DATE '2020-01-05', 0.25, 2, 'r1', true, 'w1'";
  const std::string many = one + " FROM range(50)";
  for (const std::string& person : {one, many}) {
    World without(crowd);
    World with(crowd + person);
    Moved moved;
    const auto a = without.Exact({"age", "kind", "cost"}, &moved);
    const auto b = with.Exact({"age", "kind", "cost"});
    EXPECT_EQ(moved.rows, 3);
    EXPECT_EQ(moved.l2_squared, 9);
    int64_t l1 = 0;
    for (const auto& [row, count] : b) l1 += std::abs(count - (a.contains(row) ? a.at(row) : 0));
    EXPECT_EQ(l1, person == one ? 1 : 3);
  }
  World replaced(crowd, "replace_one");
  Moved moved;
  replaced.Exact({"age"}, &moved);
  EXPECT_EQ(moved.rows, 6);
  EXPECT_EQ(moved.l2_squared, 18);
}

TEST(PublishSynthetic, ChargesOnceAndReplaysTheSameRows) {
  World world(kCrowd);
  const SynthesisRequest request{.table = "visits", .columns = {"age", "kind", "new"}};
  const Result<Published> first = world.Publish(request);
  ASSERT_TRUE(first.ok()) << first.error().public_message;
  EXPECT_TRUE(first->receipt.charged());
  EXPECT_EQ(world.Spent(), 1);
  const Result<Published> again = world.Publish(request);
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->receipt.charged());
  EXPECT_EQ(again->file.table.codes, first->file.table.codes);
  EXPECT_EQ(again->file.seed, first->file.seed);
  EXPECT_EQ(world.Spent(), 1);
}

TEST(PublishSynthetic, SaysTheSameOfNeighboursButForWhatIsNoisy) {
  World without(kCrowd);
  World with(std::string(kCrowd) +
             " UNION ALL SELECT 9999, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'alone'");
  for (const std::vector<std::string>& columns : {std::vector<std::string>{"age", "kind"},
                                                  {"age", "word"},
                                                  {"person"},
                                                  {"nothing"},
                                                  {"age", "age"}}) {
    const SynthesisRequest request{.table = "visits", .columns = columns};
    const Result<Published> a = without.Publish(request);
    const Result<Published> b = with.Publish(request);
    ASSERT_EQ(a.ok(), b.ok());
    EXPECT_EQ(without.Spent(), with.Spent());
    if (!a.ok()) {
      EXPECT_EQ(a.error().public_message + a.error().hint,
                b.error().public_message + b.error().hint);
      continue;
    }
    EXPECT_EQ(a->file.table.summary.histogram_sigma, b->file.table.summary.histogram_sigma);
  }
}

TEST(PublishSynthetic, ShowsTheWordsThatManyHave) {
  std::string crowd = kCrowd;
  crowd.replace(crowd.find("i % 400"), 7, "i % 9000")
      .replace(crowd.find("range(1000)"), 11, "range(20000)");
  World world(crowd);
  const Result<Published> made = world.Publish({.table = "visits", .columns = {"word", "new"}});
  ASSERT_TRUE(made.ok()) << made.error().public_message;
  EXPECT_THAT(made->file.shown, ::testing::ElementsAre(::testing::ElementsAre("w0", "w1")));
  EXPECT_EQ(world.Spent(), 1);
  const Result<Published> again = world.Publish({.table = "visits", .columns = {"word", "new"}});
  EXPECT_EQ(again->file.shown, made->file.shown);
  EXPECT_EQ(ToCsv(again->file, again->attributes), ToCsv(made->file, made->attributes));
}

TEST(PublishSynthetic, NeverWritesWhatThePolicyCallsImpossible) {
  World world(kCrowd);
  const Result<Published> made = world.Publish({.table = "visits", .columns = {"age", "kind"}});
  ASSERT_TRUE(made.ok()) << made.error().public_message;
  const std::vector<std::vector<uint16_t>>& codes = made->file.table.codes;
  EXPECT_GT(codes[0].size(), 500u);
  for (size_t r = 0; r < codes[0].size(); ++r) {
    EXPECT_FALSE(codes[0][r] < 3 && codes[1][r] == 1) << r;
  }
}

TEST(PublishSynthetic, TakesAWorkloadWithConditions) {
  World world(kCrowd);
  SynthesisRequest request{.table = "visits", .columns = {"age", "kind", "cost", "day"}};
  request.wish.workload = Workload::kQueries;
  request.workload_file = "queries.txt";
  request.workload =
      "age, kind   # a table\n"
      "count where cost < 0.3335 and kind = 'in'\n"
      "Count WHERE day >= '2020-02-01' and age between 2 and 4\n"
      "average cost where kind in ('in', 'out')\n";
  const Result<Published> made = world.Publish(request);
  ASSERT_TRUE(made.ok()) << made.error().public_message;
  EXPECT_EQ(made->file.table.answered.size(), 4u);
  const auto refused = [&](const std::string& text) {
    request.workload = text;
    const Result<Published> result = world.Publish(request);
    return result.ok() ? std::string() : result.error().public_message;
  };
  EXPECT_THAT(refused("count where nothing = 1"), HasSubstr("queries.txt:1: no column nothing"));
  EXPECT_THAT(refused("\ncount where age = 'x'"), HasSubstr("queries.txt:2: age is a number"));
  EXPECT_THAT(refused("count where age + 1 = 2"), HasSubstr("begins with a column"));
  EXPECT_THAT(refused("count where age < 2 or age > 3"), HasSubstr("not a condition on cells"));
  EXPECT_THAT(refused("average kind"), HasSubstr("needs a column of numbers"));
  EXPECT_THAT(refused("# nothing\n"), HasSubstr("asks for nothing"));
  EXPECT_THAT(refused("count where age < 3; drop table visits"), HasSubstr("queries.txt:1"));
  EXPECT_EQ(world.Spent(), 1);
}

TEST(PublishSynthetic, RefusesWithoutACharge) {
  World world(kCrowd);
  const Result<Published> hidden = world.Publish({.table = "visits", .columns = {"person"}});
  EXPECT_THAT(hidden.error().public_message, HasSubstr("says who somebody is"));
  const Result<Published> nobody = world.Publish({.table = "rooms"});
  EXPECT_THAT(nobody.error().public_message, HasSubstr("is public"));
  SynthesisRequest large{.table = "visits",
                         .columns = {"day", "cost", "age", "room", "code", "kind", "new"}};
  large.wish.method = Method::kMwem;
  const Result<Published> too_large = world.Publish(large);
  EXPECT_THAT(too_large.error().hint, HasSubstr("the first 5 of these columns would fit"));
  EXPECT_EQ(world.Spent(), 0);
}

TEST(SyntheticFile, ReadsWhatItWroteAndNothingElse) {
  World world(kCrowd);
  gateway::Services services = world.Services();
  SynthesisPlan plan =
      PlanSynthesis({.table = "visits", .columns = {"kind", "cost"}}, services).value();
  const SyntheticFile file{
      .table = {.codes = {{0, 1, 2}, {5, 128, 0}}, .cells = {3, 129}, .summary = {}}, .seed = 12};
  const std::string bytes = ToBytes(file);
  EXPECT_EQ(FromBytes(bytes, plan.attributes)->table.codes, file.table.codes);
  EXPECT_FALSE(FromBytes(bytes + "x", plan.attributes).ok());
  EXPECT_FALSE(FromBytes(bytes.substr(0, 40), plan.attributes).ok());
  std::string outside = bytes;
  outside[outside.size() - 6] = 3;  // a kind that there is not
  EXPECT_FALSE(FromBytes(outside, plan.attributes).ok());
  const std::string csv = ToCsv(file, plan.attributes);
  EXPECT_EQ(csv, ToCsv(file, plan.attributes));
  EXPECT_THAT(csv, HasSubstr("kind,cost\nin,0.0"));
  EXPECT_THAT(csv, HasSubstr("\nout,\n,0"));
}

}  // namespace
}  // namespace tacit::release
