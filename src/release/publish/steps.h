#pragma once

#include <functional>
#include <memory>

#include "gateway/services.h"
#include "ledger/ledger.h"
#include "release/domain/coded_rows.h"
#include "release/publish/price.h"

namespace tacit::release {

// A mechanism over a whole table: all that it gives away is in the bytes that `run` returns.
class TableMechanism {
 public:
  using Run = std::function<std::string(const Joint& exact, Entropy& entropy)>;
  TableMechanism(const CodedRows& coded, const std::vector<Attribute>& attributes, const Run& run)
      : coded_(coded), attributes_(attributes), run_(run) {}

  std::string Apply(engine::ExactGroups groups, Entropy& entropy) const;

 private:
  const CodedRows& coded_;
  const std::vector<Attribute>& attributes_;
  const Run& run_;
};

// A release of a table on its way through gateway::CarryOut: one charge, one run over the exact
// rows, and bytes that are stored and replayed.
class TableRelease {
 public:
  struct Answer {
    std::string bytes;
    ledger::Receipt receipt;
  };

  // `question` says what is done with the rows, whatever it costs: with the table, its cells and
  // caps it names the release. All references outlive it.
  TableRelease(const std::vector<Attribute>& attributes, CodedRows coded, const ReleasePrice& price,
               const std::string& question, TableMechanism::Run run, gateway::Services& services);

  // Quote, prepare, charge, draw, store, finish.
  Result<Answer> CarryOut();

  // The steps, for gateway::CarryOut.
  Result<Done> Prepare(const ledger::Receipt& quote);
  Error Unfinished() const;
  Result<Done> Replay(size_t index, std::string bytes);
  Result<engine::ExactRelease> Exact(size_t index);
  TableMechanism MechanismOf(size_t) const { return {coded_, attributes_, run_}; }
  Result<const std::string*> Take(size_t index, std::string released);
  Result<Answer> Finish(const ledger::Receipt& receipt);

 private:
  const std::vector<Attribute>& attributes_;
  CodedRows coded_;
  TableMechanism::Run run_;
  gateway::Services& services_;
  std::string told_;
  plan::PrivatePlan plan_;
  std::unique_ptr<const gateway::EngineRoom::Stay> stay_;
  std::string bytes_;
};

}  // namespace tacit::release
