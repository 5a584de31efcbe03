#include "gateway/charge_request.h"

#include "base/secrets/digest.h"
#include "ledger/of_policy.h"
#include "policy/schema.h"

namespace tacit::gateway {
namespace {

// A request id stands for the question together with its price and form: an answer under it has the
// error bars that it was bought with.
std::string QuestionOfId(const Request& request, const plan::PrivatePlan& plan) {
  std::string text = plan.fingerprint + (request.wish.intervals ? "\nintervals" : "\n");
  if (request.wish.nonnegative) text += "\nnonnegative";
  for (const plan::Release& release : plan.releases) {
    text += "\n" + ToString(release.cost.epsilon) + " " + ToString(release.cost.delta) + " " +
            ToString(release.cost.rho);
    for (const Rational& scale : release.scales) text += " " + ToString(scale);
  }
  return Sha256Hex(text);
}

}  // namespace

std::string KeptShape(const std::optional<plan::Shape>& shape) {
  std::string text = shape ? plan::ShapeText(*shape) : "";
  return text.size() <= ledger::kShapeBytesMax ? text : "";
}

ChargeTerms ChargeTermsOf(const policy::Policy& policy) {
  return {.policy_version = policy::PolicyVersion(policy),
          .declarations = ledger::DeclarationsOf(policy),
          .public_tables = ledger::PublicTablesOf(policy)};
}

Result<ledger::ChargeRequest> ChargeRequestOf(const Request& request, const plan::PrivatePlan& plan,
                                              const policy::Policy& policy,
                                              const ChargeTerms* terms) {
  if (terms == nullptr) {
    const ChargeTerms made = ChargeTermsOf(policy);
    return ChargeRequestOf(request, plan, policy, &made);
  }
  TACIT_TRY(ledger::Limits limits, ledger::LimitsOf(policy, request.analyst));
  ledger::ChargeRequest charge{.analyst = request.analyst,
                               .request_id = request.request_id,
                               .query_fingerprint = request.request_id.empty()
                                                        ? plan.fingerprint
                                                        : QuestionOfId(request, plan),
                               .policy_version = terms->policy_version,
                               .data_version = policy.data_version,
                               .declarations = terms->declarations,
                               .question = request.text,
                               .public_tables = terms->public_tables,
                               .releases = {},
                               .limits = std::move(limits),
                               .coarsest = request.coarsest};
  for (const plan::Release& release : plan.releases) {
    charge.releases.push_back({.fingerprint = release.fingerprint,
                               .scales = release.scales,
                               .cost = {.epsilon = release.cost.epsilon,
                                        .delta = release.cost.delta,
                                        .rho = release.cost.rho},
                               .made_from = release.made_from,
                               .shape = KeptShape(release.shape)});
  }
  return charge;
}

}  // namespace tacit::gateway
