#pragma once

#include <functional>
#include <memory>

#include "ledger/ledger.h"
#include "selection/scores.h"

namespace tacit::selection {

// What is drawn of all numbers together; all that it gives away is what it returns.
using Draw = std::function<std::string(const std::vector<Int128>& numbers, Entropy& entropy)>;

// The numbers of all questions go into one mechanism: each leaves its Sensitive there and nowhere
// else.
class NumbersMechanism {
 public:
  using Groups = Sensitive<engine::ExactGroups>;

  // `rest` are the exact groups of the questions after the first.
  NumbersMechanism(std::vector<Groups>& rest, const Draw& draw) : rest_(rest), draw_(draw) {}

  std::string Apply(const engine::ExactGroups& first, Entropy& entropy) const;

 private:
  class Collector;

  std::vector<Groups>& rest_;
  const Draw& draw_;
};

// A choice by several numbers on its way through gateway::CarryOut: one charge, all questions asked
// whatever they find, one drawing, and an answer that is stored and replayed.
class SelectionRelease {
 public:
  struct Answer {
    std::string drawn;
    ledger::Receipt receipt;
  };

  // `what` says what is done with the numbers, whatever it costs: with the questions it names the
  // release. Scores, asker and services outlive it. `progress` is told the percentage.
  SelectionRelease(const Scores& scores, const gateway::Request& asker, const std::string& what,
                   Draw draw, const std::function<void(double)>& progress,
                   gateway::Services& services);

  ~SelectionRelease() { services_.engine.EndQuestion(); }
  SelectionRelease(const SelectionRelease&) = delete;
  SelectionRelease& operator=(const SelectionRelease&) = delete;

  // Quote, prepare, charge, draw, store, finish.
  Result<Answer> CarryOut();
  // What it would cost this asker now. Charges nothing.
  Result<ledger::Receipt> Quote();

  // The steps, for gateway::CarryOut.
  Result<Done> Prepare(const ledger::Receipt& quote);
  Error Unfinished() const;
  Result<Done> Replay(size_t index, std::string bytes);
  Result<Sensitive<engine::ExactGroups>> Exact(size_t index);
  NumbersMechanism MechanismOf(size_t) { return {rest_, draw_}; }
  Result<const std::string*> Take(size_t index, std::string released);
  Result<Answer> Finish(const ledger::Receipt& receipt);

 private:
  Result<ledger::ChargeRequest> ChargeOf() const;
  Result<Sensitive<engine::ExactGroups>> Ask(const plan::Release& release);

  gateway::Request asker_;
  gateway::Services& services_;
  Draw draw_;
  std::function<void(double)> progress_;
  plan::PrivatePlan plan_;       // what is charged: one release
  plan::PrivatePlan to_engine_;  // what is asked: one for each question
  std::vector<Sensitive<engine::ExactGroups>> rest_;
  std::unique_ptr<const gateway::EngineRoom::Stay> stay_;
  std::string drawn_;
};

}  // namespace tacit::selection
