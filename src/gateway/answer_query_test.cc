#include "gateway/answer_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "answer/format/format.h"
#include "answer/format/numbers.h"
#include "base/testing/tape_entropy.h"
#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/engine.h"
#include "gateway/deployment/catalog_file.h"
#include "gateway/kept/parsed_texts.h"
#include "gateway/kept/replays.h"
#include "ledger/inspect.h"
#include "policy/load.h"

namespace tacit::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Nobody's password.
constexpr char kVerifier[] =
    "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

constexpr char kPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 1, delta: 1e-6}
  query: {epsilon: 0.4, epsilon_max: 1, delta: 1e-9}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns: {id: {hidden: true}, age: {bounds: [0, 120]}}
  places: {public: true}
analysts:
)";

// Stands between the gateway and the real engine, and does to it what a disk or a row may do.
class FaultyEngine final : public engine::Engine {
 public:
  explicit FaultyEngine(std::unique_ptr<engine::Engine> real) : real_(std::move(real)) {}

  void WorkFor(const std::string& asker) override {
    works_for = asker;
    real_->WorkFor(asker);
  }
  Result<policy::Schema> ReadSchema() override { return real_->ReadSchema(); }
  Result<std::vector<std::vector<engine::ResultColumn>>> Prepare(
      const plan::PrivatePlan& plan) override {
    if (fails_to_prepare) return Fault("prepare");
    return real_->Prepare(plan);
  }
  Result<engine::ExactRelease> Run(const plan::Release& release,
                                   const std::vector<engine::Value>& parameters) override {
    ++runs;
    if (on_run) on_run();
    if (fails_to_run) return Fault("Ann is 37");
    return real_->Run(release, parameters);
  }
  Result<std::vector<engine::Told>> Explain(const plan::PrivatePlan& plan) override {
    return real_->Explain(plan);
  }
  Result<engine::ResultTable> Read(const plan::PublicTable& table) override {
    ++reads;
    return real_->Read(table);
  }

  bool fails_to_prepare = false;
  bool fails_to_run = false;
  int runs = 0;
  int reads = 0;  // of public tables
  std::string works_for;
  std::function<void()> on_run;

 private:
  static Error Fault(const std::string& detail) {
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = "the engine did not finish the query; its charge stands",
                 .hint = "",
                 .position = std::nullopt,
                 .private_detail = detail};
  }
  std::unique_ptr<engine::Engine> real_;
};

// ana's question with one whole number as its parameter, at a tenth.
Request Asking(const std::string& text, const std::string& value) {
  Request request{.text = text, .analyst = "ana", .request_id = "", .wish = {}};
  request.wish.epsilon = Epsilon(Rational(1, 10));
  request.parameters = {sql::MakeExpression(sql::Literal{sql::LiteralKind::kInteger, value, {}})};
  return request;
}

class AnswerQueryTest : public ::testing::Test {
 protected:
  AnswerQueryTest() {
    std::string pattern = (std::filesystem::path(::testing::TempDir()) / "gateway-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    const std::string path = (folder_ / "data.duckdb").string();
    {
      using namespace engine::duckdb;
      const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
      Result<Connection> connected = database->Connect();
      Connection connection = std::move(connected).value();
      EXPECT_FALSE(connection.Execute(
          "CREATE TABLE people AS SELECT i::INTEGER AS id, (i % 90)::INTEGER AS age, 'Ann' AS name "
          "FROM range(1000) t(i)"));
      EXPECT_FALSE(connection.Execute("CREATE TABLE places AS SELECT 'north' AS name"));
    }
    std::string text = kPolicy;
    for (const char* name : {"ana", "bob"}) {
      text += std::string("  ") + name + ": {password: \"" + kVerifier +
              "\", budget: {epsilon: 1, delta: 1e-7}}\n";
    }
    policy_ = policy::Parse(text, (folder_ / "tacit.yaml").string()).value();
    engine_ = std::make_unique<FaultyEngine>(
        std::make_unique<engine::duckdb::DuckdbEngine>(path, engine::duckdb::Limits{.threads = 1}));
    schema_ = engine_->ReadSchema().value();
    EXPECT_TRUE(ledger::Ledger::Create(LedgerPath()).ok());
    ledger_ = std::make_unique<ledger::Ledger>(ledger::Ledger::Open(LedgerPath()).value());
  }
  ~AnswerQueryTest() override {
    engine_.reset();
    ledger_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::string LedgerPath() const { return (folder_ / "ledger.sqlite").string(); }

  Services ServicesNow() {
    return Services{.policy = policy_,
                    .schema = schema_,
                    .ledger = *ledger_,
                    .engine = *engine_,
                    .entropy = entropy_,
                    .deployment_key = key_,
                    .kept_results = kept_results_,
                    .texts = &texts_,
                    .replays = &replays_};
  }
  Result<answer::Answer> Ask(const Request& request) {
    Services services = ServicesNow();
    return AnswerQuery(request, services);
  }
  Result<answer::Answer> Ask(const std::string& text, const std::string& analyst = "") {
    return Ask({.text = text, .analyst = analyst, .request_id = "", .wish = {}});
  }
  // Often enough that the last one need not be looked up.
  answer::Answer AskOften(const Request& request) {
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(Ask(request).ok());
    return Ask(request).value();
  }
  Rational Spent() const { return ledger::ReadAccounts(LedgerPath())->at(0).spent.epsilon; }

  std::filesystem::path folder_;
  policy::Policy policy_;
  policy::Schema schema_;
  std::unique_ptr<FaultyEngine> engine_;
  std::unique_ptr<ledger::Ledger> ledger_;
  tacit::testing::SeededEntropy entropy_{7};
  std::string key_ = std::string(64, 'a');
  KeptResults kept_results_{""};
  ParsedTexts texts_;
  Replays replays_;
};

TEST_F(AnswerQueryTest, TheChargeIsOnStableStorageBeforeTheEngineRuns) {
  Rational spent_at_run;
  engine_->on_run = [&] { spent_at_run = Spent(); };
  ASSERT_TRUE(Ask("SELECT count(*) FROM people").ok());
  EXPECT_EQ(spent_at_run, Rational(2, 5));
}

TEST_F(AnswerQueryTest, AFailureAfterTheChargeIsNotRefundedAndSaysNothing) {
  engine_->fails_to_run = true;
  const Result<answer::Answer> answer = Ask("SELECT count(*) FROM people");
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().public_message + answer.error().hint, Not(HasSubstr("Ann")));
  EXPECT_EQ(Spent(), Rational(2, 5));
}

TEST_F(AnswerQueryTest, WhateverIsThrownAfterTheChargeHasTheTextOfAFailingEngine) {
  const std::string fixed = engine::duckdb::ExactQueryFailed("").public_message;
  const std::function<void()> throwing[] = {[] { throw std::bad_alloc(); },
                                            [] { throw std::runtime_error("Ann is 37"); },
                                            [] { throw 37; }};
  const char* const sql[] = {"SELECT count(*) FROM people", "SELECT sum(age) FROM people",
                             "SELECT avg(age) FROM people"};
  for (size_t i = 0; i < 2; ++i) {
    engine_->on_run = throwing[i];
    const Result<answer::Answer> answer = Ask(sql[i]);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().public_message, fixed);
    EXPECT_THAT(answer.error().hint + answer.error().private_detail, Not(HasSubstr("Ann")));
    EXPECT_EQ(Spent(), Rational(2, 5) * static_cast<int>(i + 1)) << "the charge stands";
  }
  engine_->on_run = throwing[2];
  policy_.privacy.query.epsilon = Epsilon{Rational(1, 5)};
  EXPECT_EQ(Ask(sql[2]).error().public_message, fixed);
}

TEST_F(AnswerQueryTest, TheEngineKnowsForWhomItWorks) {
  int number = 0;
  for (const std::string asker : {"ana", "bob", "", "ana"}) {
    Request request =
        Asking("SELECT count(*) FROM people WHERE age <> $1", std::to_string(++number));
    request.analyst = asker;
    std::string while_running = "nobody";
    engine_->on_run = [&] { while_running = engine_->works_for; };
    ASSERT_TRUE(Ask(request).ok());
    EXPECT_EQ(while_running, asker);
  }
}

TEST_F(AnswerQueryTest, AnEngineThatIsNotThereCostsNothing) {
  engine_->fails_to_prepare = true;
  ASSERT_FALSE(Ask("SELECT count(*) FROM people").ok());
  EXPECT_EQ(engine_->runs, 0);
  EXPECT_TRUE(ledger::ReadAccounts(LedgerPath())->empty() || Spent() == 0);
}

TEST_F(AnswerQueryTest, TheSameQuestionIsReplayedWithoutTheEngine) {
  const Result<answer::Answer> first = Ask("SELECT count(*) AS n FROM people WHERE age > 20");
  ASSERT_TRUE(first.ok()) << first.error().public_message;
  engine_->fails_to_run = engine_->fails_to_prepare = true;
  const Result<answer::Answer> again =
      Ask("select COUNT(*) as n from people where AGE > 20 order by n limit 5");
  ASSERT_TRUE(again.ok()) << again.error().public_message;
  EXPECT_EQ(again->rows, first->rows);
  EXPECT_TRUE(again->privacy.cached);
  EXPECT_EQ(engine_->runs, 1);
}

TEST_F(AnswerQueryTest, AKeptResultIsTheComputedOne) {
  kept_results_ = KeptResults((folder_ / "answers").string());
  const std::string sql = "SELECT count(*) * 2 AS twice, avg(age) FROM people";
  const Result<answer::Answer> first = Ask(sql);
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / "answers"));
  EXPECT_EQ(Ask(sql)->rows, first->rows);
  kept_results_ = KeptResults("");
  EXPECT_EQ(Ask(sql)->rows, first->rows);
}

// What is kept is the answer in everything that leaves, as long as nobody writes to the ledger.
TEST_F(AnswerQueryTest, AnAnswerThatIsFinerThanAskedSaysSoToWhoeverPaidForIt) {
  Request request = Asking("SELECT count(*) FROM people WHERE age > $1", "20");
  request.wish.epsilon = Epsilon(Rational(1, 5));
  const answer::Answer fine = Ask(request).value();
  EXPECT_FALSE(fine.privacy.finer_than_asked);
  EXPECT_FALSE(Ask(request)->privacy.finer_than_asked) << "it is what was asked for";
  request.wish.epsilon = Epsilon(Rational(1, 10));
  const answer::Answer coarse = Ask(request).value();
  EXPECT_EQ(coarse.rows, fine.rows);
  EXPECT_TRUE(coarse.privacy.finer_than_asked);
  EXPECT_THAT(coarse.notices, ::testing::Contains(HasSubstr("finer than asked")));
  // bob has not paid for it: what he gets is as noisy as he asked, and nothing tells of ana.
  request.analyst = "bob";
  const answer::Answer theirs = Ask(request).value();
  EXPECT_FALSE(theirs.privacy.finer_than_asked);
  EXPECT_THAT(theirs.notices, Not(::testing::Contains(HasSubstr("finer than asked"))));
}

TEST_F(AnswerQueryTest, AKeptReplayIsTheReplayUntilTheLedgerChanges) {
  const Request request = {
      .text = "SELECT count(*) FROM people", .analyst = "ana", .request_id = "", .wish = {}};
  ASSERT_TRUE(Ask(request).ok());
  const answer::Answer looked_up = Ask(request).value();
  const ledger::Moment now = ledger_->Now().value();
  ASSERT_NE(replays_.Find(request, now), nullptr);
  const answer::Answer kept = Ask(request).value();
  EXPECT_EQ(kept.rows, looked_up.rows);
  EXPECT_EQ(kept.notices, looked_up.notices);
  EXPECT_EQ(kept.privacy.receipt, looked_up.privacy.receipt);
  EXPECT_TRUE(kept.privacy.cached);
  EXPECT_EQ(kept.privacy.remaining.epsilon, Rational(3, 5));

  ASSERT_TRUE(Ask("SELECT avg(age) FROM people", "ana").ok());
  EXPECT_EQ(replays_.Find(request, ledger_->Now().value()), nullptr);
  const answer::Answer after = Ask(request).value();
  EXPECT_EQ(after.rows, looked_up.rows);
  EXPECT_EQ(after.privacy.remaining.epsilon, Rational(1, 5));
}

TEST_F(AnswerQueryTest, AKeptReplayIsOneAnalystsOwn) {
  const Request of_ana = {
      .text = "SELECT count(*) FROM people", .analyst = "ana", .request_id = "", .wish = {}};
  const answer::Answer first = AskOften(of_ana);
  Request of_bob = of_ana;
  of_bob.analyst = "bob";
  EXPECT_EQ(replays_.Find(of_bob, ledger_->Now().value()), nullptr);
  const Result<answer::Answer> theirs = Ask(of_bob);
  ASSERT_TRUE(theirs.ok()) << theirs.error().public_message;
  EXPECT_FALSE(theirs->privacy.cached);
  EXPECT_EQ(theirs->privacy.cost.epsilon, Rational(2, 5));
  EXPECT_EQ(theirs->rows, first.rows);
}

TEST_F(AnswerQueryTest, AKeptReplayIsOfOneTextOneWishAndOneListOfParameters) {
  const auto with = [](const std::string& value) {
    return Asking("SELECT count(*) FROM people WHERE age > $1", value);
  };
  const answer::Answer young = AskOften(with("20"));
  const ledger::Moment now = ledger_->Now().value();
  EXPECT_EQ(replays_.Find(with("30"), now), nullptr);
  Request wider = with("20");
  wider.wish.intervals = true;
  EXPECT_EQ(replays_.Find(wider, now), nullptr);
  EXPECT_EQ(Ask(wider)->columns.size(), 3u);
  Request dearer = with("20");
  dearer.wish.epsilon = Epsilon(Rational(1, 5));
  EXPECT_EQ(replays_.Find(dearer, now), nullptr);
  Request other = with("20");
  other.text += " ";
  EXPECT_EQ(replays_.Find(other, now), nullptr);
  ASSERT_NE(replays_.Find(with("20"), now), nullptr);
  EXPECT_EQ(Ask(with("20"))->rows, young.rows);
}

TEST_F(AnswerQueryTest, AParsedTextIsOneAnalystsAndEachListOfValuesItsOwnQuestion) {
  const std::string above = "SELECT count(*) FROM people WHERE age > $1";
  const auto ask = [&](const std::string& text, const std::string& value) {
    return Ask(Asking(text, value));
  };
  EXPECT_EQ(texts_.Find("ana", above), nullptr);
  ASSERT_TRUE(ask(above, "20").ok());
  EXPECT_NE(texts_.Find("ana", above), nullptr);
  EXPECT_EQ(texts_.Find("bob", above), nullptr);
  EXPECT_FALSE(ask(above, "30")->privacy.cached);
  EXPECT_FALSE(ask("SELECT count(*) FROM people WHERE age < $1", "20")->privacy.cached);
  EXPECT_TRUE(ask(above, "20")->privacy.cached);
  EXPECT_EQ(engine_->runs, 3);
}

TEST_F(AnswerQueryTest, ARequestIdIsComparedByTheLedgerHoweverOftenItsQuestionWasAsked) {
  Request first = {.text = "SELECT count(*) FROM people WHERE age > 1",
                   .analyst = "ana",
                   .request_id = "id",
                   .wish = {}};
  ASSERT_TRUE(Ask(first).ok());
  Request second = {
      .text = "SELECT count(*) FROM people", .analyst = "ana", .request_id = "", .wish = {}};
  AskOften(second);
  second.request_id = "id";
  const Result<answer::Answer> refused = Ask(second);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(AnswerQueryTest, WhatPublicTablesSayIsReadAgain) {
  const Request request = {.text = "SELECT name, (SELECT count(*) FROM people) FROM places",
                           .analyst = "ana",
                           .request_id = "",
                           .wish = {}};
  AskOften(request);
  const int before = engine_->reads;
  ASSERT_TRUE(Ask(request).ok());
  EXPECT_EQ(engine_->reads, before + 1);
}

TEST_F(AnswerQueryTest, ABudgetThatIsSpentRefusesBeforeTheEngine) {
  ASSERT_TRUE(Ask("SELECT count(*) FROM people").ok());
  ASSERT_TRUE(Ask("SELECT count(*) FROM people WHERE age > 1").ok());
  const Result<answer::Answer> third = Ask("SELECT count(*) FROM people WHERE age > 2");
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.error().code, ErrorCode::kBudgetExhausted);
  EXPECT_EQ(engine_->runs, 2);
  EXPECT_EQ(Spent(), Rational(4, 5));
}

TEST_F(AnswerQueryTest, ExplainChargesNothingAndRunsNothing) {
  Services services = ServicesNow();
  const Result<answer::Explanation> told =
      ExplainQuery({.text = "EXPLAIN VERBOSE SELECT avg(age) FROM people",
                    .analyst = "",
                    .request_id = "",
                    .wish = {}},
                   services);
  ASSERT_TRUE(told.ok());
  EXPECT_EQ(told->plan.cost.epsilon, Rational(2, 5));
  EXPECT_EQ(told->privacy.remaining.epsilon, Rational(3, 5));
  // What is computed, in words and in the engine's; the unit's column, which is hidden, among it.
  EXPECT_THAT(answer::FormatText(*told),
              AllOf(HasSubstr("of people the first 1 row of each person"),
                    HasSubstr("pushed down: SELECT"), HasSubstr("tacit_row_hash")));
  const Result<answer::Answer> same = Ask("EXPLAIN SELECT avg(age) FROM people");
  ASSERT_TRUE(same.ok());
  EXPECT_THAT(engine::ToText(same->rows[0][0]), HasSubstr("price: epsilon 0.4"));
  for (const auto& row : same->rows) {
    EXPECT_THAT(engine::ToText(row[0]), Not(HasSubstr("SELECT"))) << "the SQL is for VERBOSE";
  }
  EXPECT_EQ(engine_->runs, 0);
  EXPECT_EQ(ledger_->ReadHead()->records, 1);
}

Request Within(const std::string& text, const std::string& error) {
  Request request{.text = text, .analyst = "ana", .request_id = "", .wish = {}};
  request.wish.error = plan::ReadErrorWish(error).value();
  return request;
}

TEST_F(AnswerQueryTest, APartOfWhatIsShownIsBoughtInStepsAndIsFreeAgain) {
  const std::string count = "SELECT count(*) AS n FROM people";
  ASSERT_TRUE(Ask(Within(count, "10 %")).ok());
  EXPECT_EQ(Spent(), Rational(1, 25)) << "the first step is enough: 75 of 1000";
  const Result<answer::Answer> finer = Ask(Within(count, "n = 2 %"));
  ASSERT_TRUE(finer.ok()) << finer.error().public_message;
  EXPECT_EQ(finer->columns[0].error->moe95, 19);
  const Rational spent = Spent();
  EXPECT_EQ(spent, Rational(finer->privacy.cost.epsilon + Rational(1, 25)));
  const Result<answer::Answer> again = Ask(Within(count, "2 %"));
  EXPECT_EQ(again->rows, finer->rows);
  EXPECT_EQ(Spent(), spent);
}

TEST_F(AnswerQueryTest, AComputedNumbersOwnErrorIsWhatIsBought) {
  const Result<answer::Answer> mean = Ask(Within("SELECT avg(age) AS mean FROM people", "2.5"));
  ASSERT_TRUE(mean.ok()) << mean.error().public_message << mean.error().hint;
  const std::vector<engine::Value> margins = *mean->margins.begin();
  EXPECT_LE(std::get<double>(margins[0]), 2.5);
  EXPECT_GT(mean->privacy.cost.epsilon, Rational(1, 25)) << "of all steps together";
  EXPECT_EQ(mean->privacy.cost.epsilon, Spent());
  EXPECT_THAT(mean->notices[0],
              HasSubstr("cost " + answer::ShortNumber(Spent(), answer::Rounding::kUp)));
}

TEST_F(AnswerQueryTest, AnErrorThatIsTooDearSaysWhatItWouldTakeAndWhatIsToBeHad) {
  const Result<answer::Answer> refused = Ask(Within("SELECT count(*) AS n FROM people", "0.01 %"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().rule, "price_above_limit");
  EXPECT_THAT(refused.error().public_message,
              HasSubstr("an error of 0.01 % costs more than a query may, epsilon 1: about"));
  EXPECT_THAT(refused.error().hint, AllOf(HasSubstr("the best that epsilon 1 buys is about 0.2"),
                                          HasSubstr("cost epsilon 0.04, and the answer")));
  EXPECT_EQ(Spent(), Rational(1, 25));
}

TEST_F(AnswerQueryTest, StepsUnderARequestIdAreTheSameAtEveryTry) {
  Request request = Within("SELECT count(*) AS n FROM people WHERE age > 20", "2 %");
  request.request_id = "id";
  const Result<answer::Answer> first = Ask(request);
  ASSERT_TRUE(first.ok());
  const Rational spent = Spent();
  const Result<answer::Answer> again = Ask(request);
  ASSERT_TRUE(again.ok()) << again.error().public_message;
  EXPECT_EQ(again->rows, first->rows);
  EXPECT_EQ(Spent(), spent);
}

TEST_F(AnswerQueryTest, ErrorsOfColumnsThatAreNotThereAreRefused) {
  for (const char* error : {"m = 5 %", "age = 1"}) {
    EXPECT_FALSE(Ask(Within("SELECT count(*) AS n FROM people", error)).ok()) << error;
  }
  EXPECT_TRUE(ledger::ReadAccounts(LedgerPath())->empty() || Spent() == 0);
}

TEST_F(AnswerQueryTest, ARefusedQueryTouchesNothing) {
  for (const char* sql : {"SELECT age FROM people", "SELECT count(*) FROM people WHERE id = 1",
                          "SELECT", "SELECT count(*) FROM strangers"}) {
    EXPECT_FALSE(Ask(sql).ok()) << sql;
  }
  EXPECT_EQ(engine_->runs, 0);
  EXPECT_EQ(ledger_->ReadHead()->records, 1);
}

TEST_F(AnswerQueryTest, TheCatalogFileIsReadAgainWhenTheDatabaseChanges) {
  const std::string path = (folder_ / "data.duckdb").string();
  EXPECT_EQ(*SchemaOf(path, *engine_), schema_);
  EXPECT_TRUE(std::filesystem::exists(path + "-catalog"));
  EXPECT_EQ(*SchemaOf(path, *engine_), schema_);
  std::filesystem::resize_file(path + "-catalog", 20);
  EXPECT_EQ(*SchemaOf(path, *engine_), schema_);
}

}  // namespace
}  // namespace tacit::gateway
