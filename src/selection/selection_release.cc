#include "selection/selection_release.h"

#include "base/secrets/digest.h"
#include "engine/duckdb/database/errors.h"
#include "gateway/carry_out.h"
#include "gateway/charge_request.h"
#include "noise/release.h"

namespace tacit::selection {
namespace {

Int128 NumberOf(const engine::ExactGroups& groups) {
  TACIT_ASSERT(groups.size() == 1);
  return std::get<Int128>(groups.Measure(0, 0));
}

}  // namespace

// Takes one number out, and goes no further: the next is taken where this one is known already.
class NumbersMechanism::Collector {
 public:
  explicit Collector(std::vector<Int128>& numbers) : numbers_(numbers) {}
  bool Apply(const engine::ExactGroups& groups, Entropy&) const {
    numbers_.push_back(NumberOf(groups));
    return true;
  }

 private:
  std::vector<Int128>& numbers_;
};

// proof: selection/proof.md#a-choice
std::string NumbersMechanism::Apply(const engine::ExactGroups& first, Entropy& entropy) const {
  std::vector<Int128> numbers = {NumberOf(first)};
  // Inside the mechanism: what is collected here leaves it by `draw_` alone.
  for (const Groups& groups : rest_) noise::Release(Collector(numbers), groups, entropy);
  return draw_(numbers, entropy);
}

SelectionRelease::SelectionRelease(const Scores& scores, const gateway::Request& asker,
                                   const std::string& what, Draw draw,
                                   const std::function<void(double)>& progress,
                                   gateway::Services& services)
    : asker_(asker), services_(services), draw_(std::move(draw)), progress_(progress) {
  std::string text = "selection 1\n" + what;
  asker_.text = what + ":";  // for whoever wants to know what was charged
  asker_.statement = nullptr;
  for (const Score& score : scores.scores) {
    text += "\n" + score.release.fingerprint;
    asker_.text += "\n" + score.text + ";";
    to_engine_.releases.push_back(score.release);
    to_engine_.releases.back().name += "_" + std::to_string(to_engine_.releases.size());
  }
  plan::Release release = to_engine_.releases[0];
  release.fingerprint = Sha256Hex(text);
  release.measures.clear();
  release.shape.reset();
  const bool pure = scores.price.accounting == policy::Accounting::kPure;
  const plan::Share share = scores.price.ShareOf(1);
  release.cost = {.epsilon = pure ? share.epsilon.value : Rational(0),
                  .delta = 0,
                  .rho = pure ? Rational(0) : share.rho.value};
  // A choice at a higher price is a better one, and serves whoever asks at a lower one.
  release.scales = {Rational(Rational(scores.sensitivity) / scores.price.epsilon.value)};
  plan_.fingerprint = release.fingerprint;
  plan_.cost = release.cost;
  plan_.releases.push_back(std::move(release));
}

Result<ledger::ChargeRequest> SelectionRelease::ChargeOf() const {
  return gateway::ChargeRequestOf(asker_, plan_, services_.policy, services_.charge_terms);
}

Result<ledger::Receipt> SelectionRelease::Quote() {
  TACIT_TRY(const ledger::ChargeRequest charge, ChargeOf());
  return services_.ledger.Quote(charge);
}

Result<SelectionRelease::Answer> SelectionRelease::CarryOut() {
  if (services_.room != nullptr) TACIT_CHECK(services_.room->Check(to_engine_));
  TACIT_TRY(const ledger::ChargeRequest charge, ChargeOf());
  return gateway::CarryOut(charge, *this, services_.ledger, services_.entropy);
}

Result<Done> SelectionRelease::Prepare(const ledger::Receipt& quote) {
  services_.engine.WorkFor(asker_.analyst);
  if (quote.releases[0].bytes) return Done{};
  TACIT_TRY(const auto columns, services_.engine.Prepare(to_engine_));
  stay_.reset(
      new gateway::EngineRoom::Stay(gateway::EngineRoom::Enter(services_.room, to_engine_)));
  return Done{};
}

Error SelectionRelease::Unfinished() const { return engine::duckdb::ExactQueryFailed("exception"); }

Result<Done> SelectionRelease::Replay(size_t, std::string bytes) {
  drawn_ = std::move(bytes);
  return Done{};
}

Result<Sensitive<engine::ExactGroups>> SelectionRelease::Ask(const plan::Release& release) {
  std::vector<engine::Value> parameters;
  if (!release.parameters.empty()) {
    parameters.emplace_back(std::string(services_.deployment_key));
  }
  return services_.engine.Run(release, parameters);
}

// All of them, whichever decides: how long it takes is then the same.
// proof: selection/proof.md#a-choice
Result<Sensitive<engine::ExactGroups>> SelectionRelease::Exact(size_t) {
  const size_t count = to_engine_.releases.size();
  for (size_t i = 1; i < count; ++i) {
    TACIT_TRY(Sensitive<engine::ExactGroups> groups, Ask(to_engine_.releases[i]));
    rest_.push_back(std::move(groups));
    if (progress_) progress_(100.0 * static_cast<double>(i) / static_cast<double>(count));
  }
  return Ask(to_engine_.releases[0]);
}

Result<const std::string*> SelectionRelease::Take(size_t, std::string released) {
  drawn_ = std::move(released);
  return &drawn_;
}

Result<SelectionRelease::Answer> SelectionRelease::Finish(const ledger::Receipt& receipt) {
  return Answer{.drawn = std::move(drawn_), .receipt = receipt};
}

}  // namespace tacit::selection
