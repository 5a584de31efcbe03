#pragma once

#include <future>
#include <memory>

#include "answer/answer.h"
#include "answer/release_table.h"
#include "answer/table_bytes.h"
#include "engine/duckdb/above/post_processing_pool.h"
#include "gateway/services.h"

namespace tacit::gateway {

// The steps of CarryOut for a plan: each release becomes a table that the locked instance reads,
// from which later releases take their constants and the answer its rows.
class Stages {
 public:
  // All of them outlive it. `price` is the plan's.
  Stages(const plan::PrivatePlan& plan, const ledger::ChargeRequest& price, Services& services)
      : plan_(plan), price_(price), services_(services), tables_(plan.releases.size()) {}
  ~Stages() { services_.engine.EndQuestion(); }
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;

  // Opens what will be needed and checks every statement; reads public tables only, and waits for
  // room in the engine. A plan that replays whole does not touch it.
  Result<Done> Prepare(const ledger::Receipt& quote);
  // As an engine that fails: how much memory exact groups took would be an answer.
  Error Unfinished() const;
  Result<Done> Replay(size_t index, std::string bytes);
  Result<engine::ExactRelease> Exact(size_t index);
  answer::TableNoise MechanismOf(size_t index) const {
    return answer::TableNoise(plan_.releases[index], columns_[index]);
  }
  // Of the released table, once it is known that something will be drawn.
  const std::vector<engine::ResultColumn>& ColumnsOf(size_t index) const {
    return columns_.at(index);
  }
  Result<const std::string*> Take(size_t index, std::string released);
  Result<answer::Answer> Finish(const ledger::Receipt& receipt);

  // Once it is finished: whether the answer cost nothing, and what it was made of.
  bool WasFree() const { return was_free_; }
  const std::vector<ledger::GrantedRelease>& Granted() const { return granted_; }

 private:
  using Columns = std::vector<engine::ResultColumn>;

  Result<Done> OpenPostProcessing();
  Result<Done> PrepareEngine();
  void Keep(size_t index, std::shared_ptr<const answer::TableInBytes> table);
  Result<std::vector<engine::Value>> ParametersOf(const plan::Release& release);
  Result<engine::ResultTable> Rows();
  Result<engine::ResultTable> Run(const std::string& sql);  // over what was released
  bool HasMargins() const;  // by the number of released rows, which is public
  void GiveUpMargins();

  const plan::PrivatePlan& plan_;
  const ledger::ChargeRequest& price_;
  Services& services_;
  // Opened only where it is needed: starting it takes longer than everything else of a replay.
  engine::duckdb::PostProcessingPool::Lent post_processing_;
  std::future<Result<engine::duckdb::PostProcessingPool::Lent>> opening_;
  std::vector<Columns> columns_;  // of each release, once the engine was asked
  std::vector<std::shared_ptr<const answer::TableInBytes>> tables_;  // released so far
  KeptResults::Label label_;
  bool was_free_ = false;
  std::vector<ledger::GrantedRelease> granted_;
  bool margins_given_up_ = false;
  std::unique_ptr<const EngineRoom::Stay> stay_;  // until everything is done
};

}  // namespace tacit::gateway
