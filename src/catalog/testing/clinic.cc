#include "catalog/testing/clinic.h"

#include "policy/load.h"
#include "policy/testing/sample.h"

namespace tacit::catalog::testing {
namespace {

constexpr char kTables[] = R"(  patients:
    unit: ssn
    rows_per_unit: 1
    columns:
      ssn: {hidden: true}
      age: {bounds: [0, 120]}
      sex: {keys: [F, M, X]}
      income: {bounds: [0, 200000], step: 0.01}
  visits:
    unit: {via: patient_ssn, to: patients}
    rows_per_unit: 20
    columns:
      patient_ssn: {hidden: true}
      admitted: {keys: {months: [2020-01, 2020-12]}}
  departments: {public: true}
)";

}  // namespace

policy::Policy ClinicPolicy() {
  Result<policy::Policy> policy =
      policy::Parse(policy::testing::SampleWith(kTables), "/clinic/tacit.yaml");
  TACIT_ASSERT(policy.ok());
  return std::move(policy).value();
}

policy::Schema ClinicSchema() {
  const auto column = [](const char* name, ValueType type) {
    return policy::SchemaColumn{.name = name, .type = type, .unique = false};
  };
  const ValueType money = NumericType(12, 2);
  return policy::Schema{
      .tables = {
          {.name = "departments",
           .columns = {column("department", kTextType), column("floor", kIntegerType)}},
          {.name = "patients",
           .columns = {column("ssn", kTextType), column("age", kIntegerType),
                       column("sex", kTextType), column("income", money),
                       column("weight", kDoubleType), column("Insured", kBooleanType)}},
          {.name = "secrets", .columns = {column("secret", kTextType)}},
          {.name = "visits",
           .columns = {column("visit", kBigintType), column("patient_ssn", kTextType),
                       column("admitted", kDateType), column("seen", kTimestampType)}},
      }};
}

Asker AskerAna() {
  Asker asker{.analyst = "ana",
              .database = "clinic",
              .backend_pid = 4711,
              .settings = {{"application_name", "psql"}},
              .budget = {},
              .ledger = {}};
  asker.budget = []() -> Result<std::vector<BudgetRow>> {
    const Amount all{.epsilon = Rational(1), .delta = Rational(1, 10'000'000), .rho = {}};
    const Amount spent{.epsilon = Rational(1, 10), .delta = Rational(0), .rho = {}};
    const Amount left{.epsilon = Rational(9, 10), .delta = Rational(1, 10'000'000), .rho = {}};
    return std::vector<BudgetRow>{
        {.scope = "analyst", .budget = all, .spent = spent, .left = left, .charges = 1}};
  };
  asker.ledger = []() -> Result<std::vector<LedgerRow>> {
    const Amount cost{.epsilon = Rational(1, 10), .delta = Rational(0), .rho = {}};
    return std::vector<LedgerRow>{{.sequence = 17,
                                   .time = "2025-01-31T12:00:00Z",
                                   .cost = cost,
                                   .query_fingerprint = "ab12",
                                   .policy_version = "cd34",
                                   .data_version = 1,
                                   .releases = 1,
                                   .receipt = "17:ef56",
                                   .question = "SELECT 1"}};
  };
  return asker;
}

}  // namespace tacit::catalog::testing
