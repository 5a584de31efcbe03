#include "release/publish/steps.h"

#include "base/secrets/digest.h"
#include "engine/duckdb/database/errors.h"
#include "gateway/carry_out.h"
#include "gateway/charge_request.h"
#include "noise/release.h"

namespace tacit::release {

class TableMechanism::Next {
 public:
  Next(const TableMechanism& mechanism, std::vector<ExactTable> exact)
      : mechanism_(mechanism), exact_(std::move(exact)) {}
  std::string Apply(engine::ExactGroups groups, Entropy& entropy) const {
    return mechanism_.Take(std::move(exact_), std::move(groups), entropy);
  }

 private:
  const TableMechanism& mechanism_;
  mutable std::vector<ExactTable> exact_;  // handed on once
};

std::string TableMechanism::Take(std::vector<ExactTable> exact, engine::ExactGroups groups,
                                 Entropy& entropy) const {
  const Question& question = questions_[exact.size()];
  exact.push_back(JointOf(groups, question.coded, question.attributes));
  groups = engine::ExactGroups(0, {});  // its memory is the largest part of a run
  if (exact.size() == questions_.size()) return run_(exact, entropy);
  Groups& next = more_[exact.size() - 1];
  return noise::Release(Next(*this, std::move(exact)), std::move(next), entropy).value();
}

std::string TableMechanism::Apply(engine::ExactGroups groups, Entropy& entropy) const {
  return Take({}, std::move(groups), entropy);
}

TableRelease::TableRelease(std::vector<Question> questions, const ReleasePrice& price,
                           const std::string& question, TableMechanism::Run run,
                           gateway::Services& services)
    : questions_(std::move(questions)), run_(std::move(run)), services_(services) {
  std::string text = "release";
  told_ = question + ":";  // for the owner who wants to know what was charged
  for (const Question& one : questions_) text += "\n" + one.coded.fingerprint;
  text += "\n" + question;
  // What is published says its epsilon and delta: a file of another price is another file, even
  // one with less noise.
  text += "\nprice " + ToString(price.epsilon.value) + " " + ToString(price.delta.value);
  for (const Question& one : questions_) {
    for (const Attribute& attribute : one.attributes) {
      text += "\n" + policy::FoldedName(attribute.name);
      told_ += " " + attribute.name;
    }
    to_engine_.releases.push_back(one.coded.release);
    to_engine_.releases.back().name += std::to_string(to_engine_.releases.size());
  }
  plan::Release release = to_engine_.releases[0];
  release.fingerprint = Sha256Hex(text);
  release.cost = price.cost;
  release.scales = {Rational(1 / price.rho.value)};
  plan_.fingerprint = release.fingerprint;
  plan_.cost = price.cost;
  plan_.releases.push_back(std::move(release));
}

Result<TableRelease::Answer> TableRelease::CarryOut() {
  if (services_.room != nullptr) TACIT_CHECK(services_.room->Check(to_engine_));
  const gateway::Request request{.text = told_, .analyst = "", .request_id = "", .wish = {}};
  TACIT_TRY(const ledger::ChargeRequest charge,
            gateway::ChargeRequestOf(request, plan_, services_.policy, services_.charge_terms));
  Result<Answer> answer = gateway::CarryOut(charge, *this, services_.ledger, services_.entropy);
  services_.engine.EndQuestion();
  return answer;
}

Result<Done> TableRelease::Prepare(const ledger::Receipt& quote) {
  services_.engine.WorkFor("");
  if (quote.releases[0].bytes) return Done{};
  TACIT_TRY(const auto columns, services_.engine.Prepare(to_engine_));
  stay_.reset(
      new gateway::EngineRoom::Stay(gateway::EngineRoom::Enter(services_.room, to_engine_)));
  return Done{};
}

Error TableRelease::Unfinished() const { return engine::duckdb::ExactQueryFailed("exception"); }

Result<Done> TableRelease::Replay(size_t, std::string bytes) {
  bytes_ = std::move(bytes);
  return Done{};
}

Result<Sensitive<engine::ExactGroups>> TableRelease::Ask(const plan::Release& release) {
  std::vector<engine::Value> parameters;
  if (!release.parameters.empty()) {
    parameters.emplace_back(std::string(services_.deployment_key));
  }
  return services_.engine.Run(release, parameters);
}

Result<Sensitive<engine::ExactGroups>> TableRelease::Exact(size_t) {
  for (size_t q = 1; q < to_engine_.releases.size(); ++q) {
    TACIT_TRY(Sensitive<engine::ExactGroups> groups, Ask(to_engine_.releases[q]));
    more_.push_back(std::move(groups));
  }
  return Ask(to_engine_.releases[0]);
}

Result<const std::string*> TableRelease::Take(size_t, std::string released) {
  bytes_ = std::move(released);
  return &bytes_;
}

Result<TableRelease::Answer> TableRelease::Finish(const ledger::Receipt& receipt) {
  return Answer{.bytes = std::move(bytes_), .receipt = receipt};
}

}  // namespace tacit::release
