#pragma once

#include <memory>

#include "answer/answer.h"
#include "gateway/learning/cell_question.h"
#include "learn/cells/cells.h"
#include "learn/rounds/rounds.h"
#include "plan/price/price.h"

namespace tacit::gateway::learning {

// What is asked of rows of cells in rounds, and what is made of them.
class CellTraining {
 public:
  virtual ~CellTraining() = default;
  // All that it asks and makes, whatever the noise, with every public number in it: no two that
  // would answer differently are alike.
  virtual std::string Text() const = 0;
  virtual std::vector<learn::Round> RoundsOf(bool gaussian) const = 0;
  // The share of the people who are held out of all rounds but those about them; 0: none are.
  virtual Rational HeldOut() const { return 0; }
  // What the rounds sum over, made of what the engine found. Inside the mechanism.
  virtual learn::CellRows RowsOf(const engine::ExactGroups& groups, const CellQuestion& question,
                                 std::string_view deployment_key) const;
  // Asks these rounds, each at most once; gives what is stored. Inside the mechanism.
  virtual std::string Train(bool gaussian, learn::Rounds& rounds) const = 0;
};
// Of a column, for CellTraining::Text.
std::string TextOf(const learn::CellColumn& column);

// Everything about a model of cells that is known before a row is read.
struct CellPlan {
  std::shared_ptr<const CellTraining> training;
  CellQuestion question;
  plan::Price price;
  bool gaussian = false;
  std::vector<learn::PricedRound> rounds;
  // What is charged and explained: one release, with a measure for each round.
  plan::PrivatePlan charged;
};
// `question` is of the columns that the training knows, with the unit where it holds people out.
Result<CellPlan> PlanCells(std::shared_ptr<const CellTraining> training, CellQuestion question,
                           const Request& request, const Services& services);

// The whole training as one mechanism: all that it gives away is what it returns.
class CellMechanism {
 public:
  CellMechanism(const CellPlan& plan, std::string_view deployment_key)
      : plan_(plan), deployment_key_(deployment_key) {}

  // proof: learn/rounds/proof.md#all-rounds-together
  std::string Apply(const engine::ExactGroups& groups, Entropy& entropy) const;

 private:
  const CellPlan& plan_;
  std::string_view deployment_key_;
};

// A model of cells on its way through gateway::CarryOut: one charge, one question to the engine,
// rounds that were fixed before, and a fit that is stored and replayed.
class CellRelease {
 public:
  struct Answer {
    std::string trained;  // what the training gave
    answer::Privacy privacy;
  };

  // All of them outlive it.
  CellRelease(const CellPlan& plan, const Request& request, Services& services)
      : plan_(plan), request_(request), services_(services) {}
  ~CellRelease() { services_.engine.EndQuestion(); }
  CellRelease(const CellRelease&) = delete;
  CellRelease& operator=(const CellRelease&) = delete;

  // Quote, prepare, charge, draw, store, finish.
  Result<Answer> CarryOut();

  // The steps, for gateway::CarryOut.
  Result<Done> Prepare(const ledger::Receipt& quote);
  Error Unfinished() const;
  Result<Done> Replay(size_t index, std::string bytes);
  Result<Sensitive<engine::ExactGroups>> Exact(size_t index);
  CellMechanism MechanismOf(size_t) const { return CellMechanism(plan_, services_.deployment_key); }
  Result<const std::string*> Take(size_t index, std::string released);
  Result<Answer> Finish(const ledger::Receipt& receipt);

 private:
  const CellPlan& plan_;
  const Request& request_;
  Services& services_;
  ledger::ChargeRequest charge_;
  plan::PrivatePlan to_engine_;
  std::unique_ptr<const EngineRoom::Stay> stay_;
  std::string bytes_;
};

// What it would cost this asker now, and what noise each round would have. Free.
Result<answer::Explanation> ExplainCells(const CellPlan& plan, const Request& request,
                                         Services& services);

}  // namespace tacit::gateway::learning
