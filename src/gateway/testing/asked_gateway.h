#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/testing/tape_entropy.h"
#include "engine/duckdb/database/database.h"
#include "engine/duckdb/engine.h"
#include "gateway/answer_query.h"
#include "gateway/derive/own_shapes.h"
#include "gateway/kept/parsed_texts.h"
#include "gateway/kept/replays.h"
#include "ledger/inspect.h"
#include "policy/load.h"

// A whole gateway over a thousand people, for tests of what it answers and charges.
namespace tacit::gateway::testing {

// Nobody's password.
inline constexpr char kVerifier[] =
    "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

inline constexpr char kPolicy[] = R"(tacit: 1
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

class AskedGateway : public ::testing::Test {
 protected:
  AskedGateway() {
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
  ~AskedGateway() override {
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
                    .replays = &replays_,
                    .own_shapes = &own_shapes_};
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
  OwnShapes own_shapes_;
};

}  // namespace tacit::gateway::testing
