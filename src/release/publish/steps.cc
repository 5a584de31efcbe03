#include "release/publish/steps.h"

#include "base/secrets/digest.h"
#include "engine/duckdb/database/errors.h"
#include "gateway/carry_out.h"
#include "gateway/charge_request.h"

namespace tacit::release {

std::string TableMechanism::Apply(engine::ExactGroups groups, Entropy& entropy) const {
  Joint joint = JointOf(groups, coded_, attributes_);
  groups.Resize(0);
  return run_(joint, entropy);
}

TableRelease::TableRelease(const std::vector<Attribute>& attributes, CodedRows coded,
                           const ReleasePrice& price, const std::string& question,
                           TableMechanism::Run run, gateway::Services& services)
    : attributes_(attributes), coded_(std::move(coded)), run_(std::move(run)), services_(services) {
  std::string text = "release\n" + coded_.fingerprint + "\n" + question;
  // For the owner who wants to know what was charged.
  told_ = question + ":";
  for (const Attribute& attribute : attributes) {
    text += "\n" + policy::FoldedName(attribute.name);
    told_ += " " + attribute.name;
  }
  plan::Release release = coded_.release;
  release.fingerprint = Sha256Hex(text);
  release.cost = price.cost;
  release.scales = {Rational(1 / price.rho.value)};
  plan_.fingerprint = release.fingerprint;
  plan_.cost = price.cost;
  plan_.releases.push_back(std::move(release));
}

Result<TableRelease::Answer> TableRelease::CarryOut() {
  if (services_.room != nullptr) TACIT_CHECK(services_.room->Check(plan_));
  const gateway::Request request{.text = told_, .analyst = "", .request_id = "", .wish = {}};
  TACIT_TRY(const ledger::ChargeRequest charge,
            gateway::ChargeRequestOf(request, plan_, services_.policy, services_.charge_terms));
  return gateway::CarryOut(charge, *this, services_.ledger, services_.entropy);
}

Result<Done> TableRelease::Prepare(const ledger::Receipt& quote) {
  services_.engine.WorkFor("");
  if (quote.releases[0].bytes) return Done{};
  TACIT_TRY(const auto columns, services_.engine.Prepare(plan_));
  stay_.reset(new gateway::EngineRoom::Stay(gateway::EngineRoom::Enter(services_.room, plan_)));
  return Done{};
}

Error TableRelease::Unfinished() const { return engine::duckdb::ExactQueryFailed("exception"); }

Result<Done> TableRelease::Replay(size_t, std::string bytes) {
  bytes_ = std::move(bytes);
  return Done{};
}

Result<engine::ExactRelease> TableRelease::Exact(size_t index) {
  const plan::Release& release = plan_.releases[index];
  std::vector<engine::Value> parameters;
  if (!release.parameters.empty()) {
    parameters.emplace_back(std::string(services_.deployment_key));
  }
  return services_.engine.Run(release, parameters);
}

Result<const std::string*> TableRelease::Take(size_t, std::string released) {
  bytes_ = std::move(released);
  return &bytes_;
}

Result<TableRelease::Answer> TableRelease::Finish(const ledger::Receipt& receipt) {
  return Answer{.bytes = std::move(bytes_), .receipt = receipt};
}

}  // namespace tacit::release
