#include "gateway/workload/bought.h"

#include "base/secrets/digest.h"
#include "gateway/carry_out.h"
#include "gateway/charge_request.h"

namespace tacit::gateway::workload {
namespace {

// A mark is the finer the higher its price: of several the highest serves. Above every one of them.
const Rational& CoarsestMark() {
  static const Rational kMark("1000000000000000000000000000000");
  return kMark;
}

}  // namespace

ledger::Cost TokenOf(const std::string& workload, ledger::Accounting accounting) {
  // Why 10^-60 and 32 digits of the hash: below whatever a price is rounded to, and two workloads
  // never have the same.
  static const Integer kParts("1" + std::string(60, '0'), 10);
  const Integer number(workload.substr(0, 32), 16);
  const Rational token = Fraction(number + 1, kParts);
  const bool pure = accounting == ledger::Accounting::kPure;
  return {.epsilon = pure ? token : Rational(0), .delta = 0, .rho = pure ? Rational(0) : token};
}

std::string MarkedBy(const plan::PrivatePlan& plan) {
  std::string text = "tacit bought 1\n";
  for (const plan::Release& release : plan.releases) text += release.fingerprint + "\n";
  return Sha256Hex(text);
}

ledger::ReleaseWish MarkOf(const std::string& marked_by, const Rational& epsilon,
                           const ledger::Cost& token) {
  return {
      .fingerprint = marked_by, .scales = {Rational(1 / epsilon)}, .cost = token, .made_from = {}};
}

bool MayBeBought(const Request& request) {
  return !request.wish.epsilon && !request.wish.error && request.request_id.empty();
}

Result<std::optional<Epsilon>> BoughtAt(const Request& request, const plan::PrivatePlan& plan,
                                        Services& services) {
  using Price = std::optional<Epsilon>;
  if (!MayBeBought(request) || plan.releases.empty()) return Price();
  TACIT_TRY(ledger::ChargeRequest charge,
            ChargeRequestOf(request, plan, services.policy, services.charge_terms));
  ledger::ChargeRequest mark = charge;
  const std::string marked_by = MarkedBy(plan);
  mark.releases = {MarkOf(marked_by, 1, TokenOf(marked_by, charge.limits.accounting))};
  mark.releases[0].scales = {CoarsestMark()};
  const Result<ledger::Receipt> marked = services.ledger.Quote(mark);
  // What is wrong with the ledger, or the account, the question's own quote will say.
  if (!marked.ok() || !IsFree(*marked)) return Price();
  TACIT_TRY(const Rational epsilon, ParseRational(*marked->releases[0].bytes));
  if (epsilon <= services.policy.privacy.query.epsilon.value) {
    const Result<ledger::Receipt> quote = services.ledger.Quote(charge);
    if (quote.ok() && IsFree(*quote)) return Price();
  }
  return Price(Epsilon(epsilon));
}

}  // namespace tacit::gateway::workload
