#include "gateway/learning/cell_release.h"

#include "answer/assemble.h"
#include "base/secrets/digest.h"
#include "engine/duckdb/database/errors.h"
#include "gateway/carry_out.h"
#include "gateway/charge_request.h"

namespace tacit::gateway::learning {
namespace {

// What is asked of the rows and made of it, whatever the noise.
std::string FingerprintOfCells(const CellTraining& training, const CellQuestion& question,
                               const plan::Price& price, const plan::Cost& cost) {
  // A model says its epsilon: of another price it is another model, even one with less noise.
  return Sha256Hex(training.Text() + "\nrows " + question.fingerprint + "\nprice " +
                   ToString(price.epsilon.value) + " " + ToString(cost.epsilon) + " " +
                   ToString(cost.rho));
}

plan::Measure MeasureOf(const learn::PricedRound& round, size_t number) {
  const Rational& unit = round.round.unit;
  plan::Cost cost;
  (round.paid.gaussian ? cost.rho : cost.epsilon) = round.paid.amount;
  if (round.paid.gaussian) cost.epsilon = SquareRootUp(Rational(2 * cost.rho));
  return plan::Measure{.name = "m" + std::to_string(number + 1),
                       .aggregate = "sum",
                       .text = std::to_string(round.round.Cells()) + " sums: " + round.round.what,
                       .column = "",
                       .mechanism = round.mechanism,
                       .step = unit,
                       .sensitivity_l1 = Rational(Rational(round.moves_l1) * unit),
                       .scale = Rational(round.mechanism->ScaleUp() * unit),
                       .moe95 = Rational(Rational(round.mechanism->ErrorAt95()) * unit),
                       .cost = cost};
}

}  // namespace

learn::CellRows CellTraining::RowsOf(const engine::ExactGroups& groups,
                                     const CellQuestion& question,
                                     std::string_view deployment_key) const {
  const Rational share = HeldOut();
  if (share == 0) return RowsIn(groups, question);
  return RowsIn(groups, question, HeldOutPeople{.share = share, .deployment_key = deployment_key});
}

std::string TextOf(const learn::CellColumn& column) {
  std::string text = "\n" + column.name + " " + std::to_string(column.Cells());
  for (size_t i = 0; i < column.Cells(); ++i) text += "\n " + column.LabelOf(i);
  return text;
}

Result<CellPlan> PlanCells(std::shared_ptr<const CellTraining> training, CellQuestion question,
                           const Request& request, const Services& services) {
  const policy::Privacy& privacy = services.policy.privacy;
  TACIT_TRY(plan::Price price, plan::PriceOf(request.wish, privacy));
  const bool gaussian = price.accounting == policy::Accounting::kZcdp;
  const plan::Share whole = price.ShareOf(1);
  const learn::RoundsPrice amount{.gaussian = gaussian,
                                  .amount = gaussian ? whole.rho.value : whole.epsilon.value};
  TACIT_TRY(std::vector<learn::PricedRound> rounds,
            learn::PriceRounds(training->RoundsOf(gaussian), question.step, amount));
  plan::Cost cost;
  (gaussian ? cost.rho : cost.epsilon) = amount.amount;
  plan::Release release{.name = "tacit_model",
                        .fingerprint = FingerprintOfCells(*training, question, price, cost),
                        .exact = {},
                        .parameters = {},
                        .keys = {},
                        .selection = plan::NoneShown{},
                        .measures = {},
                        .cost = cost,
                        .scales = {Rational(1 / amount.amount)},
                        .made_from = {},
                        .facts = question.promises,
                        .room = question.release.room};
  for (size_t r = 0; r < rounds.size(); ++r) release.measures.push_back(MeasureOf(rounds[r], r));
  CellPlan plan{.training = std::move(training),
                .question = std::move(question),
                .price = std::move(price),
                .gaussian = gaussian,
                .rounds = std::move(rounds),
                .charged = {}};
  plan.charged.fingerprint = release.fingerprint;
  plan.charged.cost = cost;
  plan.charged.releases.push_back(std::move(release));
  return plan;
}

std::string CellMechanism::Apply(const engine::ExactGroups& groups, Entropy& entropy) const {
  const learn::CellRows rows = plan_.training->RowsOf(groups, plan_.question, deployment_key_);
  learn::Rounds rounds(rows, plan_.rounds, entropy);
  return plan_.training->Train(plan_.gaussian, rounds);
}

Result<CellRelease::Answer> CellRelease::CarryOut() {
  to_engine_.releases = {plan_.question.release};
  const QuestionGate::Pass pass = QuestionGate::Enter(services_.gate, plan_.charged.fingerprint);
  if (services_.room != nullptr) TACIT_CHECK(services_.room->Check(to_engine_));
  TACIT_TRY(charge_,
            ChargeRequestOf(request_, plan_.charged, services_.policy, services_.charge_terms));
  return gateway::CarryOut(charge_, *this, services_.ledger, services_.entropy);
}

Result<Done> CellRelease::Prepare(const ledger::Receipt& quote) {
  services_.engine.WorkFor(request_.analyst);
  if (quote.releases[0].bytes) return Done{};
  TACIT_TRY(const auto columns, services_.engine.Prepare(to_engine_));
  stay_.reset(new EngineRoom::Stay(EngineRoom::Enter(services_.room, to_engine_)));
  return Done{};
}

Error CellRelease::Unfinished() const { return engine::duckdb::ExactQueryFailed("exception"); }

Result<Done> CellRelease::Replay(size_t, std::string bytes) {
  bytes_ = std::move(bytes);
  return Done{};
}

Result<Sensitive<engine::ExactGroups>> CellRelease::Exact(size_t) {
  std::vector<engine::Value> parameters;
  if (!plan_.question.release.parameters.empty()) {
    parameters.emplace_back(std::string(services_.deployment_key));
  }
  return services_.engine.Run(plan_.question.release, parameters);
}

Result<const std::string*> CellRelease::Take(size_t, std::string released) {
  bytes_ = std::move(released);
  return &bytes_;
}

Result<CellRelease::Answer> CellRelease::Finish(const ledger::Receipt& receipt) {
  return Answer{.trained = bytes_, .privacy = answer::PrivacyOf(receipt, charge_)};
}

Result<answer::Explanation> ExplainCells(const CellPlan& plan, const Request& request,
                                         Services& services) {
  TACIT_TRY(const ledger::ChargeRequest charge,
            ChargeRequestOf(request, plan.charged, services.policy, services.charge_terms));
  const Result<ledger::Receipt> quote = services.ledger.Quote(charge);
  answer::Explanation explanation{
      .plan = plan.charged, .told = {}, .privacy = {}, .no_room = std::nullopt};
  if (quote.ok()) {
    explanation.privacy = answer::PrivacyOf(*quote, charge);
    return explanation;
  }
  if (quote.error().code != ErrorCode::kBudgetExhausted) return quote.error();
  const std::optional<ledger::Budget> budget =
      charge.limits.analyst ? charge.limits.analyst : charge.limits.dataset;
  TACIT_TRY(const ledger::Balance balance,
            services.ledger.BalanceOf(request.analyst, charge.limits.accounting, budget));
  explanation.privacy = answer::PrivacyOf(balance, charge.limits, request.analyst.empty());
  explanation.no_room = quote.error().public_message;
  return explanation;
}

}  // namespace tacit::gateway::learning
