#pragma once

#include <functional>
#include <memory>

#include "gateway/services.h"
#include "ledger/ledger.h"
#include "release/domain/coded_rows.h"
#include "release/publish/price.h"

namespace tacit::release {

// One question to the engine, and what its cells mean.
struct Question {
  std::vector<Attribute> attributes;
  CodedRows coded;
};

// A mechanism over one or two tables as a whole: all that it gives away is in the bytes that `run`
// returns.
class TableMechanism {
 public:
  using Run = std::function<std::string(std::vector<ExactTable>& exact, Entropy& entropy)>;
  using Groups = Sensitive<engine::ExactGroups>;

  // `more` are the exact groups of the questions after the first.
  TableMechanism(const std::vector<Question>& questions, std::vector<Groups>& more, const Run& run)
      : questions_(questions), more_(more), run_(run) {}

  std::string Apply(engine::ExactGroups groups, Entropy& entropy) const;

 private:
  // Takes the groups of the next question, and goes on to those after it: each of them leaves its
  // Sensitive within a mechanism only.
  class Next;
  std::string Take(std::vector<ExactTable> exact, engine::ExactGroups groups,
                   Entropy& entropy) const;

  const std::vector<Question>& questions_;
  std::vector<Groups>& more_;
  const Run& run_;
};

// A release of tables on its way through gateway::CarryOut: one charge, one run over the exact
// rows, and bytes that are stored and replayed.
class TableRelease {
 public:
  struct Answer {
    std::string bytes;
    ledger::Receipt receipt;
  };

  // `question` says what is done with the rows, whatever it costs: with the tables, their cells and
  // caps it names the release. The services outlive it.
  TableRelease(std::vector<Question> questions, const ReleasePrice& price,
               const std::string& question, TableMechanism::Run run, gateway::Services& services);

  // Quote, prepare, charge, draw, store, finish.
  Result<Answer> CarryOut();

  // The steps, for gateway::CarryOut.
  Result<Done> Prepare(const ledger::Receipt& quote);
  Error Unfinished() const;
  Result<Done> Replay(size_t index, std::string bytes);
  Result<Sensitive<engine::ExactGroups>> Exact(size_t index);
  TableMechanism MechanismOf(size_t) { return {questions_, more_, run_}; }
  Result<const std::string*> Take(size_t index, std::string released);
  Result<Answer> Finish(const ledger::Receipt& receipt);

 private:
  Result<Sensitive<engine::ExactGroups>> Ask(const plan::Release& release);

  std::vector<Question> questions_;
  std::vector<Sensitive<engine::ExactGroups>> more_;
  TableMechanism::Run run_;
  gateway::Services& services_;
  std::string told_;
  plan::PrivatePlan plan_;       // what is charged: one release
  plan::PrivatePlan to_engine_;  // what is asked: one for each question
  std::unique_ptr<const gateway::EngineRoom::Stay> stay_;
  std::string bytes_;
};

}  // namespace tacit::release
