#include "gateway/learning/statistics/price_release.h"

#include <charconv>

#include "base/secrets/digest.h"
#include "engine/duckdb/database/errors.h"
#include "gateway/answer_query.h"
#include "gateway/carry_out.h"
#include "gateway/charge_request.h"
#include "gateway/learning/rows_to_learn.h"
#include "plan/compile.h"

namespace tacit::gateway::learning {
namespace {

constexpr char kPriceBytes[] = "best_price 1 ";

Error NoCount() {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = "a price is chosen by the bids of people, one number a row",
               .hint = "name rows of a protected table: 'SELECT bid FROM bids'",
               .position = std::nullopt,
               .private_detail = ""};
}

// Rows that one step between neighbours moves at most, in all cells together.
Integer BidsMoved(const plan::Measure& count) {
  const Rational steps = count.sensitivity_l1 / count.step;
  TACIT_ASSERT(steps.get_den() == 1);
  return steps.get_num();
}

}  // namespace

// proof: learn/statistics/proof.md#the-best-price
size_t PriceRelease::Mechanism::Apply(const engine::ExactGroups& groups, Entropy& entropy) const {
  std::vector<Int128> bids(grid_.cut.cells(), 0);
  for (size_t g = 0; g < groups.size(); ++g) {
    const engine::Value key = groups.Key(g, 0);
    const auto* cell = std::get_if<int64_t>(&key);
    TACIT_ASSERT(cell != nullptr && *cell >= 0 && static_cast<size_t>(*cell) < bids.size());
    bids[static_cast<size_t>(*cell)] += std::get<Int128>(groups.Measure(g, 0));
  }
  return chooser_.Apply(learn::RevenuesOf(grid_, bids), entropy);
}

Result<std::unique_ptr<PriceRelease>> PriceRelease::Make(learn::PriceGrid grid,
                                                         const std::string& rows,
                                                         const Request& request,
                                                         Services& services) {
  Request counting = request;
  counting.text = learn::CountsQuery({grid.cut}, rows);
  counting.statement = nullptr;
  counting.parameters.clear();
  const Result<analysis::Facts> facts = FactsOf(counting, services);
  if (!facts.ok()) return InTheRows(facts.error());
  TACIT_TRY(plan::PrivatePlan plan, plan::Compile(*facts, services.policy.privacy, request.wish));
  const bool one_count = plan.releases.size() == 1 && plan.releases[0].measures.size() == 1 &&
                         plan.releases[0].keys.size() == 1 &&
                         std::holds_alternative<plan::AllGroups>(plan.releases[0].selection);
  if (!one_count || plan.releases[0].measures[0].aggregate != "count" ||
      !plan.releases[0].made_from.empty()) {
    return NoCount();
  }
  TACIT_TRY(const plan::Price price, plan::PriceOf(request.wish, services.policy.privacy));
  const Integer moved = BidsMoved(plan.releases[0].measures[0]);
  TACIT_TRY(plan::Chooser chooser, plan::Chooser::Make(learn::RevenueSpread(grid, moved), price));
  return std::unique_ptr<PriceRelease>(new PriceRelease(
      std::move(grid), std::move(plan), std::move(chooser), price, request, services));
}

PriceRelease::PriceRelease(learn::PriceGrid grid, plan::PrivatePlan counting, plan::Chooser chooser,
                           const plan::Price& price, const Request& request, Services& services)
    : grid_(std::move(grid)),
      to_engine_(std::move(counting)),
      chooser_(std::move(chooser)),
      asker_(request),
      services_(services) {
  plan::Release release = to_engine_.releases[0];
  std::string text = "best_price 1";
  for (const Rational& one : grid_.prices) text += " " + ToString(one);
  release.fingerprint = Sha256Hex(text + "\n" + release.fingerprint);
  // A choice at a higher price is a better one, and serves whoever asks at a lower one.
  release.scales = {Rational(Rational(BidsMoved(release.measures[0])) * grid_.prices.back() /
                             price.epsilon.value)};
  release.measures.clear();
  release.shape.reset();
  release.parameters.clear();
  const bool pure = price.accounting == policy::Accounting::kPure;
  const plan::Share share = price.ShareOf(1);
  release.cost = {.epsilon = pure ? share.epsilon.value : Rational(0),
                  .delta = 0,
                  .rho = pure ? Rational(0) : share.rho.value};
  plan_.fingerprint = release.fingerprint;
  plan_.cost = release.cost;
  plan_.releases.push_back(std::move(release));
}

Result<ledger::ChargeRequest> PriceRelease::ChargeOf() const {
  return ChargeRequestOf(asker_, plan_, services_.policy, services_.charge_terms);
}

Result<PriceRelease::Answer> PriceRelease::CarryOut() {
  if (services_.room != nullptr) TACIT_CHECK(services_.room->Check(to_engine_));
  const QuestionGate::Pass pass = QuestionGate::Enter(services_.gate, plan_.fingerprint);
  TACIT_TRY(const ledger::ChargeRequest charge, ChargeOf());
  return gateway::CarryOut(charge, *this, services_.ledger, services_.entropy);
}

Result<Done> PriceRelease::Prepare(const ledger::Receipt& quote) {
  services_.engine.WorkFor(asker_.analyst);
  if (quote.releases[0].bytes) return Done{};
  TACIT_TRY(const auto columns, services_.engine.Prepare(to_engine_));
  stay_.reset(new EngineRoom::Stay(EngineRoom::Enter(services_.room, to_engine_)));
  return Done{};
}

Error PriceRelease::Unfinished() const { return engine::duckdb::ExactQueryFailed("exception"); }

Result<Done> PriceRelease::Replay(size_t, const std::string& bytes) {
  const std::string_view head = kPriceBytes;
  size_t chosen = 0;
  const char* const end = bytes.data() + bytes.size();
  if (bytes.starts_with(head)) {
    const auto [stopped, error] = std::from_chars(bytes.data() + head.size(), end, chosen);
    if (error == std::errc() && stopped == end && chosen < grid_.prices.size()) {
      chosen_ = chosen;
      return Done{};
    }
  }
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the stored answer cannot be read",
               .hint = "the ledger's file was written by something else, or is damaged",
               .position = std::nullopt,
               .private_detail = ""};
}

Result<Sensitive<engine::ExactGroups>> PriceRelease::Exact(size_t) {
  const plan::Release& release = to_engine_.releases[0];
  std::vector<engine::Value> parameters;
  if (!release.parameters.empty()) {
    parameters.emplace_back(std::string(services_.deployment_key));
  }
  return services_.engine.Run(release, parameters);
}

Result<const std::string*> PriceRelease::Take(size_t, size_t chosen) {
  chosen_ = chosen;
  bytes_ = kPriceBytes + std::to_string(chosen);
  return &bytes_;
}

Result<PriceRelease::Answer> PriceRelease::Finish(const ledger::Receipt& receipt) {
  return Answer{.price = chosen_, .receipt = receipt};
}

}  // namespace tacit::gateway::learning
