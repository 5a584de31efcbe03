#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/testing/tape_entropy.h"
#include "engine/duckdb/engine.h"
#include "gateway/services.h"
#include "ledger/inspect.h"
#include "policy/load.h"

namespace tacit::gateway::testing {

// A database made by these statements, a policy, an empty ledger and a tape, in a folder of its
// own.
class TestDeployment {
 public:
  TestDeployment(const std::string& policy, const std::vector<std::string>& statements) {
    std::string pattern =
        (std::filesystem::path(::testing::TempDir()) / "deployment-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    const std::string path = (folder_ / "data.duckdb").string();
    {
      using namespace engine::duckdb;
      const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
      Result<Connection> connected = database->Connect();
      Connection connection = std::move(connected).value();
      for (const std::string& sql : statements) {
        const auto failure = connection.Execute(sql);
        EXPECT_FALSE(failure) << failure->text;
      }
    }
    std::ofstream(folder_ / "tacit.yaml") << policy;
    policy_ = policy::Load(folder_.string()).value();
    engine_ =
        std::make_unique<engine::duckdb::DuckdbEngine>(path, engine::duckdb::Limits{.threads = 1});
    schema_ = engine_->ReadSchema().value();
    EXPECT_TRUE(ledger::Ledger::Create(LedgerPath()).ok());
    ledger_ = std::make_unique<ledger::Ledger>(ledger::Ledger::Open(LedgerPath()).value());
  }
  ~TestDeployment() {
    engine_.reset();
    ledger_.reset();
    std::filesystem::remove_all(folder_);
  }
  TestDeployment(const TestDeployment&) = delete;
  TestDeployment& operator=(const TestDeployment&) = delete;

  gateway::Services Services() {
    return gateway::Services{.policy = policy_,
                             .schema = schema_,
                             .ledger = *ledger_,
                             .engine = *engine_,
                             .entropy = entropy_,
                             .deployment_key = key_,
                             .kept_results = kept_results_};
  }

  Rational Spent() const {
    const auto accounts = ledger::ReadAccounts(LedgerPath());
    return accounts->empty() ? Rational(0) : accounts->at(0).spent.epsilon;
  }
  std::string LedgerPath() const { return (folder_ / "ledger.sqlite").string(); }
  const std::filesystem::path& folder() const { return folder_; }
  const policy::Policy& policy() const { return policy_; }
  const policy::Schema& schema() const { return schema_; }

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

}  // namespace tacit::gateway::testing
