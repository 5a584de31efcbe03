#include "ledger/of_policy.h"

#include "policy/schema.h"

namespace tacit::ledger {

Accounting AccountingOf(const policy::Policy& policy) {
  return policy.privacy.accounting == policy::Accounting::kPure ? Accounting::kPure
                                                                : Accounting::kZcdp;
}

Budget BudgetOf(const policy::Budget& budget) {
  return {.epsilon = budget.epsilon.value, .delta = budget.delta.value};
}

Result<Limits> LimitsOf(const policy::Policy& policy, const std::string& analyst) {
  Limits limits{.accounting = AccountingOf(policy),
                .dataset = BudgetOf(policy.privacy.budget),
                .analyst = std::nullopt};
  if (analyst.empty()) return limits;
  const policy::Analyst* known = policy.FindAnalyst(analyst);
  if (known == nullptr) {
    return InvalidArgument("the policy names no analyst '" + analyst + "'",
                           "the owner adds an analyst, with a budget, to the policy");
  }
  limits.analyst = BudgetOf(known->budget);
  return limits;
}

Declarations DeclarationsOf(const policy::Policy& policy) {
  const policy::Promise promise = policy::PromiseOf(policy);
  Declarations declarations{.terms = promise.terms, .units = {}};
  for (const std::string& line : promise.units) {
    const size_t colon = line.find(": ");
    TACIT_ASSERT(colon != std::string::npos);
    declarations.units[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return declarations;
}

std::vector<std::string> PublicTablesOf(const policy::Policy& policy) {
  std::vector<std::string> tables;
  for (const policy::Table& table : policy.tables) {
    if (table.is_public) tables.push_back(policy::FoldedName(table.name));
  }
  return tables;
}

Place PlaceOf(const policy::Policy& policy) {
  if (const auto* postgres = std::get_if<policy::PostgresLedger>(&policy.ledger)) {
    return Place({.dsn = postgres->dsn, .password = postgres->password, .schema = postgres->schema},
                 postgres->path);
  }
  const auto& sqlite = std::get<policy::SqliteLedger>(policy.ledger);
  Place place(sqlite.path);
  place.witness = sqlite.witness;
  return place;
}

}  // namespace tacit::ledger
