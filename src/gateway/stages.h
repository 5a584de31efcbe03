#pragma once

#include <optional>
#include <set>

#include "engine/duckdb/post_processing.h"
#include "gateway/services.h"

namespace tacit::gateway {

// Carries a plan out, release by release: each becomes a table in the locked instance, from which
// later releases take their constants and the answer its rows.
class Stages {
 public:
  // Opens what will be needed and checks every statement; reads public tables only. `quote` says
  // which releases are stored already: a plan that replays whole does not touch the engine.
  static Result<Stages> Prepare(const plan::PrivatePlan& plan, const ledger::Receipt& quote,
                                Services& services);

  // Release `index` from its stored bytes.
  Result<Done> Replay(size_t index, const std::string& bytes);
  // Release `index` from the engine, with fresh noise; it has been charged. Returns its bytes.
  Result<std::string> Draw(size_t index);

  // The answer's rows.
  Result<std::vector<std::vector<engine::Value>>> Finish();

 private:
  Stages(const plan::PrivatePlan& plan, Services& services,
         engine::duckdb::PostProcessing post_processing)
      : plan_(plan), services_(services), post_processing_(std::move(post_processing)) {}

  Result<Done> AddPublicTables();
  Result<Done> PrepareEngine();
  Result<std::vector<engine::Value>> ParametersOf(const plan::Release& release);

  const plan::PrivatePlan& plan_;
  Services& services_;
  engine::duckdb::PostProcessing post_processing_;
  std::vector<std::vector<engine::ResultColumn>> columns_;  // of each release, from the engine
  std::set<std::string> added_;
};

}  // namespace tacit::gateway
