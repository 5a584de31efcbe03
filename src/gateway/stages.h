#pragma once

#include <future>
#include <optional>

#include "engine/duckdb/above/post_processing_pool.h"
#include "gateway/services.h"

namespace tacit::gateway {

// Carries a plan out, release by release: each becomes a table that the locked instance reads, from
// which later releases take their constants and the answer its rows.
class Stages {
 public:
  // Opens what will be needed and checks every statement; reads public tables only. `quote` says
  // which releases are stored already: a plan that replays whole does not touch the engine.
  static Result<Stages> Prepare(const plan::PrivatePlan& plan, const ledger::Receipt& quote,
                                Services& services);

  // Whether any release has to be drawn.
  bool NeedsEngine() const { return !columns_.empty(); }

  // Release `index` from its stored bytes.
  Result<Done> Replay(size_t index, const std::string& bytes);
  // Release `index` from the engine, with fresh noise; it has been charged. Returns its bytes.
  Result<std::string> Draw(size_t index);

  // The answer's rows.
  Result<std::vector<std::vector<engine::Value>>> Finish();

 private:
  using Columns = std::vector<engine::ResultColumn>;

  Stages(const plan::PrivatePlan& plan, Services& services)
      : plan_(plan), services_(services), tables_(plan.releases.size()) {}

  Result<Done> OpenPostProcessing();
  Result<Done> PrepareEngine();
  void Load(size_t index);
  Result<std::vector<engine::Value>> ParametersOf(const plan::Release& release);

  const plan::PrivatePlan& plan_;
  Services& services_;
  // Opened only where it is needed: starting it takes longer than everything else of a replay.
  engine::duckdb::PostProcessingPool::Lent post_processing_;
  std::future<Result<engine::duckdb::PostProcessingPool::Lent>> opening_;
  std::vector<Columns> columns_;  // of each release, once the engine was asked
  std::vector<std::optional<engine::ResultTable>> tables_;  // released so far
  AnswerShelf::Label label_;
};

}  // namespace tacit::gateway
