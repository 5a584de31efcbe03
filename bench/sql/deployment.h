#pragma once

#include <memory>
#include <string>

#include "engine/duckdb/engine.h"
#include "gateway/services.h"
#include "policy/policy.h"
#include "suite.h"

namespace tacit::bench {

// What `tacit prepare` took.
struct Preparation {
  int64_t rows = 0;  // of all tables as imported; 0: the copy was there already
  double seconds = 0;
};

// A suite's tables in a folder, with and without what `tacit prepare` stores.
class Deployment {
 public:
  // Made once and found again afterwards.
  static void MakeRows(const Suite& suite, const std::string& folder);
  static Preparation Prepare(const Suite& suite, const std::string& folder);

  // Opened with an empty ledger of its own.
  Deployment(const Suite& suite, const std::string& folder, bool prepared, int threads);

  gateway::Services Services(ledger::Ledger& ledger);
  ledger::Ledger FreshLedger();
  // Removes the ledgers and the kept answers.
  static void Clean(const std::string& folder);

 private:
  std::string folder_;
  policy::Policy policy_;
  policy::Schema schema_;
  std::unique_ptr<engine::duckdb::DuckdbEngine> engine_;
  gateway::KeptResults kept_results_;
  engine::duckdb::PostProcessingPool instances_{1};
  int ledgers_ = 0;
};

}  // namespace tacit::bench
