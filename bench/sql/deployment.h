#pragma once

#include <memory>
#include <string>

#include "engine/duckdb/engine.h"
#include "gateway/services.h"
#include "policy/policy.h"

namespace tacit::bench {

// A deployment of made-up rows: one row a person (people), several rows a person under a row cap
// (events) and the same under a group cap (purchases).
class Deployment {
 public:
  // Made in `folder` once for each number of rows, prepared, and found again afterwards.
  static std::string Make(const std::string& folder, int64_t rows, double* prepare_seconds);

  // Opened with an empty ledger of its own.
  Deployment(const std::string& folder, bool prepared, int threads);

  gateway::Services Services(ledger::Ledger& ledger);
  ledger::Ledger FreshLedger();
  const policy::Policy& policy() const { return policy_; }
  const policy::Schema& schema() const { return schema_; }
  engine::Engine& engine() { return *engine_; }

 private:
  std::string folder_;
  policy::Policy policy_;
  policy::Schema schema_;
  std::unique_ptr<engine::duckdb::DuckdbEngine> engine_;
  gateway::AnswerShelf shelf_;
  engine::duckdb::PostProcessingPool instances_{1};
  int ledgers_ = 0;
};

}  // namespace tacit::bench
