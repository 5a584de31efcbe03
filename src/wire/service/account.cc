#include "wire/service/account.h"

#include "ledger/inspect.h"
#include "ledger/of_policy.h"
#include "ledger/questions/questions.h"
#include "ledger/record/record.h"

namespace tacit::wire {
namespace {

// Why 10,000: the newest ones; the owner exports the rest.
constexpr int64_t kChargesMax = 10'000;
// Why 4 MiB: a hundred bytes for each of those; several are read at once, and held while they are
// sent.
constexpr size_t kQuestionBytesMax = size_t{4} << 20;

}  // namespace

Result<AccountLine> AccountOf(const std::string& analyst, LiveDeployment& deployment,
                              const Terms& terms) {
  TACIT_TRY(const ledger::Limits limits, ledger::LimitsOf(terms.policy, analyst));
  TACIT_ASSERT(limits.analyst.has_value());  // the policy gives every analyst a budget
  TACIT_TRY(const ledger::Balance balance,
            deployment.ledger().BalanceOf(analyst, limits.accounting, limits.analyst));
  AccountLine line{.accounting = limits.accounting,
                   .budget = *limits.analyst,
                   .spent = balance.spent,
                   .left = balance.left.value_or(ledger::Cost{}),
                   .charges = 0};
  TACIT_TRY(const std::vector<ledger::Account> accounts,
            ledger::ReadAccounts(deployment.ledger_place()));
  for (const ledger::Account& account : accounts) {
    if (account.analyst == analyst) line.charges = account.charges;
  }
  return line;
}

Result<std::vector<ChargeLine>> ChargesOf(const std::string& analyst, LiveDeployment& deployment) {
  std::vector<ChargeLine> lines;
  std::map<std::string, std::string> questions =
      ledger::ReadQuestions(deployment.ledger_place().path, analyst, kQuestionBytesMax);
  TACIT_CHECK(ledger::ForEachChargeOf(
      deployment.ledger_place(), analyst, kChargesMax,
      [&](int64_t number, const ledger::StoredRecord& stored) -> Result<Done> {
        TACIT_TRY(const ledger::Record record, ledger::ReadRecord(stored.body));
        const auto* charge = std::get_if<ledger::ChargeAct>(&record.act);
        if (charge == nullptr || charge->analyst != analyst) return Done{};
        lines.push_back(
            {.sequence = number,
             .time = record.time,
             .cost = charge->analyst_cost,
             .query_fingerprint = charge->query_fingerprint,
             .policy_version = charge->policy_version,
             .data_version = charge->data_version,
             .releases = static_cast<int64_t>(charge->releases.size()),
             .receipt = deployment.ledger().ReceiptName(analyst, record.sequence, stored.hash),
             .question =
                 questions.contains(stored.hash) ? std::move(questions.at(stored.hash)) : ""});
        return Done{};
      }));
  return lines;
}

}  // namespace tacit::wire
