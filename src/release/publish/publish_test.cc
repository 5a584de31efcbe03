#include "release/publish/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "base/testing/tape_entropy.h"
#include "engine/duckdb/engine.h"
#include "ledger/inspect.h"
#include "policy/load.h"
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
  rooms: {public: true}
)";
constexpr char kTable[] =
    "CREATE TABLE visits (person INTEGER, age INTEGER, kind VARCHAR, day DATE, cost DOUBLE, "
    "code INTEGER, room VARCHAR, new BOOLEAN)";

// A database with these rows, its ledger, and a tape.
class World {
 public:
  explicit World(const std::string& rows, const std::string& neighbours = "add_remove") {
    std::string pattern = (std::filesystem::path(::testing::TempDir()) / "release-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    const std::string path = (folder_ / "data.duckdb").string();
    {
      using namespace engine::duckdb;
      const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
      Result<Connection> connected = database->Connect();
      Connection connection = std::move(connected).value();
      for (const std::string& sql :
           {std::string(kTable), "INSERT INTO visits " + rows,
            std::string("CREATE TABLE rooms AS SELECT 'r' || i AS name FROM range(4) t(i)")}) {
        const auto failure = connection.Execute(sql);
        EXPECT_FALSE(failure) << failure->text;
      }
    }
    std::string text = kPolicy;
    text.replace(text.find("NEIGHBOURS"), 10, neighbours);
    policy_ = policy::Parse(text, (folder_ / "tacit.yaml").string()).value();
    engine_ =
        std::make_unique<engine::duckdb::DuckdbEngine>(path, engine::duckdb::Limits{.threads = 1});
    schema_ = engine_->ReadSchema().value();
    EXPECT_TRUE(ledger::Ledger::Create(LedgerPath()).ok());
    ledger_ = std::make_unique<ledger::Ledger>(ledger::Ledger::Open(LedgerPath()).value());
  }
  ~World() {
    engine_.reset();
    ledger_.reset();
    std::filesystem::remove_all(folder_);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  gateway::Services Services() {
    return gateway::Services{.policy = policy_,
                             .schema = schema_,
                             .ledger = *ledger_,
                             .engine = *engine_,
                             .entropy = entropy_,
                             .deployment_key = key_,
                             .kept_results = kept_results_};
  }

  Result<Published> Publish(const SynthesisRequest& request) {
    gateway::Services services = Services();
    TACIT_TRY(const SynthesisPlan plan, PlanSynthesis(request, services));
    return PublishSynthetic(plan, request.table, services, nullptr);
  }

  // What the mechanism is given: how often each row of codes occurs.
  std::map<std::vector<uint16_t>, int64_t> Exact(const std::vector<std::string>& columns,
                                                 Moved* moved = nullptr) {
    gateway::Services services = Services();
    const policy::Table& table = *policy_.Find("visits");
    const auto attributes = AttributesOf(policy_, schema_, table, columns, services.engine).value();
    CodedRows coded = CodedRowsOf(policy_, schema_, table, attributes).value();
    if (moved != nullptr) *moved = coded.moved;
    std::map<std::vector<uint16_t>, int64_t> seen;
    const auto run = [&](const Joint& joint, Entropy&) {
      for (size_t r = 0; r < joint.weights.size(); ++r) {
        std::vector<uint16_t> row;
        for (const auto& column : joint.codes) row.push_back(column[r]);
        seen[row] += joint.weights[r];
      }
      return std::string("seen");
    };
    const ReleasePrice price = PriceOf({}, {}, policy_.privacy).value();
    TableRelease release(attributes, std::move(coded), price, "a look", run, services);
    EXPECT_TRUE(release.CarryOut().ok());
    return seen;
  }

  Rational Spent() const {
    const auto accounts = ledger::ReadAccounts(LedgerPath());
    return accounts->empty() ? Rational(0) : accounts->at(0).spent.epsilon;
  }
  std::string LedgerPath() const { return (folder_ / "ledger.sqlite").string(); }

 private:
  std::filesystem::path folder_;
  policy::Policy policy_;
  policy::Schema schema_;
  std::unique_ptr<engine::duckdb::DuckdbEngine> engine_;
  std::unique_ptr<ledger::Ledger> ledger_;
  tacit::testing::SeededEntropy entropy_{7};
  std::string key_ = std::string(64, 'a');
  gateway::KeptResults kept_results_{""};
};

constexpr char kCrowd[] =
    "SELECT i % 400, i % 10, CASE WHEN i % 3 = 0 THEN 'in' ELSE 'out' END, "
    "DATE '2020-01-01' + (i % 60)::INTEGER, (i % 1000) / 1000.0, 1 + i % 3, 'r' || (i % 4), "
    "i % 2 = 0 FROM range(1000) t(i)";

TEST(CodedRows, GiveEveryKindOfValueItsCell) {
  World world(
      "VALUES (1, 5, 'in', DATE '2020-01-31', 0.5, 3, 'r2', true),"
      "(2, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
      "(3, -7, 'out', DATE '2020-02-01', 99, 1, 'r0', false),"
      "(4, 1000, 'in', DATE '2020-02-29', 'nan'::DOUBLE, 2, 'r3', false),"
      "(5, 1, 'elsewhere', DATE '2020-01-01', 0, 1, 'r0', true),"  // a text that is not listed
      "(6, 1, 'in', DATE '2020-03-01', 0, 1, 'r0', true),"         // a day after the last month
      "(NULL, 1, 'in', DATE '2020-01-01', 0, 1, 'r0', true)");     // nobody's
  const auto seen = world.Exact({"age", "kind", "day", "cost", "code", "room", "new"});
  const std::map<std::vector<uint16_t>, int64_t> expected = {
      {{5, 0, 0, 64, 2, 2, 1}, 1},
      {{10, 2, 2, 128, 3, 4, 2}, 1},
      {{0, 1, 1, 127, 0, 0, 0}, 1},
      {{9, 0, 1, 127, 1, 3, 0}, 1},
  };
  EXPECT_EQ(seen, expected);
}

// One person more, ordinary or far over the cap, moves no table by more than was declared.
TEST(CodedRows, MoveByNoMoreThanWasDeclaredBetweenNeighbours) {
  const std::string crowd = kCrowd;
  const std::string one = " UNION ALL SELECT 9999, 3, 'in', DATE '2020-01-05', 0.25, 2, 'r1', true";
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
             " UNION ALL SELECT 9999, NULL, NULL, NULL, NULL, NULL, NULL, NULL");
  for (const std::vector<std::string>& columns :
       {std::vector<std::string>{"age", "kind"}, {"person"}, {"nothing"}, {"age", "age"}}) {
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

TEST(PublishSynthetic, RefusesWithoutACharge) {
  World world(kCrowd);
  const Result<Published> hidden = world.Publish({.table = "visits", .columns = {"person"}});
  EXPECT_THAT(hidden.error().public_message, HasSubstr("says who somebody is"));
  const Result<Published> nobody = world.Publish({.table = "rooms"});
  EXPECT_THAT(nobody.error().public_message, HasSubstr("is public"));
  EXPECT_EQ(world.Spent(), 0);
}

TEST(SyntheticFile, ReadsWhatItWroteAndNothingElse) {
  World world(kCrowd);
  gateway::Services services = world.Services();
  const SynthesisPlan plan =
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
