#pragma once

#include <memory>

#include "gateway/services.h"
#include "learn/statistics/prices.h"
#include "plan/price/chooser.h"

namespace tacit::gateway::learning {

// A price chosen by what it earns, through gateway::CarryOut: the engine counts the bids of each
// cell, and all that leaves is which price it is.
class PriceRelease {
 public:
  struct Answer {
    size_t price = 0;  // of the grid
    ledger::Receipt receipt;
  };

  // The bids by cell, as one question counts them; refused where they cannot be counted so. Asks
  // neither the ledger nor the engine.
  static Result<std::unique_ptr<PriceRelease>> Make(learn::PriceGrid grid, const std::string& rows,
                                                    const Request& request, Services& services);
  ~PriceRelease() { services_.engine.EndQuestion(); }
  PriceRelease(const PriceRelease&) = delete;
  PriceRelease& operator=(const PriceRelease&) = delete;

  Result<Answer> CarryOut();
  // What is charged, and of what rows, for EXPLAIN.
  const plan::PrivatePlan& plan() const { return plan_; }
  const plan::PrivatePlan& to_engine() const { return to_engine_; }
  Result<ledger::ChargeRequest> ChargeOf() const;
  const plan::Chooser& chooser() const { return chooser_; }

  // The choice itself, as noise::Release takes it.
  class Mechanism {
   public:
    Mechanism(const learn::PriceGrid& grid, const plan::Chooser& chooser)
        : grid_(grid), chooser_(chooser) {}
    size_t Apply(const engine::ExactGroups& groups, Entropy& entropy) const;

   private:
    const learn::PriceGrid& grid_;
    const plan::Chooser& chooser_;
  };

  // The steps, for gateway::CarryOut.
  Result<Done> Prepare(const ledger::Receipt& quote);
  Error Unfinished() const;
  Result<Done> Replay(size_t index, const std::string& bytes);
  Result<Sensitive<engine::ExactGroups>> Exact(size_t index);
  Mechanism MechanismOf(size_t) const { return {grid_, chooser_}; }
  Result<const std::string*> Take(size_t index, size_t chosen);
  Result<Answer> Finish(const ledger::Receipt& receipt);

 private:
  PriceRelease(learn::PriceGrid grid, plan::PrivatePlan counting, plan::Chooser chooser,
               const plan::Price& price, const Request& request, Services& services);

  learn::PriceGrid grid_;
  plan::PrivatePlan to_engine_;  // the counting
  plan::Chooser chooser_;
  Request asker_;
  Services& services_;
  plan::PrivatePlan plan_;  // what is charged
  std::unique_ptr<const EngineRoom::Stay> stay_;
  size_t chosen_ = 0;
  std::string bytes_;
};

}  // namespace tacit::gateway::learning
