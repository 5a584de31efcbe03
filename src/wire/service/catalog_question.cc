#include "wire/service/catalog_question.h"

#include "ledger/of_policy.h"
#include "wire/service/account.h"

namespace tacit::wire {
namespace {

catalog::Amount AmountOf(const ledger::Cost& cost, ledger::Accounting accounting) {
  if (accounting == ledger::Accounting::kPure) {
    return {.epsilon = cost.epsilon, .delta = cost.delta, .rho = std::nullopt};
  }
  return {.epsilon = std::nullopt, .delta = cost.delta, .rho = cost.rho};
}

// Nothing of another analyst passes here.
catalog::Asker AskerOf(const Question& question, LiveDeployment& deployment,
                       const TermsInForce& terms) {
  catalog::Asker asker{.analyst = question.analyst,
                       .database = question.session->database,
                       .backend_pid = question.session->process,
                       .settings = question.session->settings,
                       .budget = nullptr,
                       .ledger = nullptr,
                       .last = question.session->last,
                       .began = question.began};
  asker.budget = [&deployment, terms,
                  analyst = question.analyst]() -> Result<std::vector<catalog::BudgetRow>> {
    TACIT_TRY(const AccountLine own, AccountOf(analyst, deployment, *terms));
    return std::vector<catalog::BudgetRow>{
        {.scope = "analyst",
         .budget = {.epsilon = own.budget.epsilon, .delta = own.budget.delta, .rho = std::nullopt},
         .spent = AmountOf(own.spent, own.accounting),
         .left = AmountOf(own.left, own.accounting),
         .charges = own.charges}};
  };
  asker.ledger = [&deployment, terms,
                  analyst = question.analyst]() -> Result<std::vector<catalog::LedgerRow>> {
    TACIT_TRY(const std::vector<ChargeLine> lines, ChargesOf(analyst, deployment));
    std::vector<catalog::LedgerRow> rows;
    for (const ChargeLine& line : lines) {
      rows.push_back({.sequence = line.sequence,
                      .time = line.time,
                      .cost = AmountOf(line.cost, ledger::AccountingOf(terms->policy)),
                      .query_fingerprint = line.query_fingerprint,
                      .policy_version = line.policy_version,
                      .data_version = line.data_version,
                      .releases = line.releases,
                      .receipt = line.receipt,
                      .question = line.question});
    }
    return rows;
  };
  return asker;
}

}  // namespace

Result<catalog::Answer> AnswerFromCatalog(const catalog::Query& query, const Question& question,
                                          LiveDeployment& deployment, const TermsInForce& terms) {
  return terms->catalog.Run(query, AskerOf(question, deployment, terms), question.parameters,
                            question.parameter_types);
}

Result<Shape> DescribeFromCatalog(const catalog::Query& query, const Question& question,
                                  LiveDeployment& deployment, const TermsInForce& terms) {
  TACIT_TRY(catalog::Description description,
            terms->catalog.Describe(query, AskerOf(question, deployment, terms),
                                    question.parameter_types));
  return Shape{.columns = std::move(description.columns),
               .parameters = std::move(description.parameters)};
}

}  // namespace tacit::wire
