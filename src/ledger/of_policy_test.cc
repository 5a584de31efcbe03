#include "ledger/of_policy.h"

#include <gtest/gtest.h>

#include "ledger/testing/sample.h"
#include "policy/load.h"

namespace tacit::ledger {
namespace {

using testing::Number;

constexpr char kPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: replace_one
  protects: 2
  accounting: zcdp
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  patients: {unit: ssn, rows_per_unit: 1}
  visits: {unit: {via: patient_ssn, to: patients}, rows_per_unit: 20}
  departments: {public: true}
analysts:
  ana: {password: "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=:KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=", budget: {epsilon: 1, delta: 1e-7}}
)";

TEST(LedgerOfPolicy, TakesBudgetsDeclarationsAndPlaceFromThePolicy) {
  const Result<policy::Policy> policy = policy::Parse(kPolicy, "/clinic/tacit.yaml");
  ASSERT_TRUE(policy.ok()) << policy.error().public_message;
  const Limits limits = LimitsOf(*policy, "ana").value();
  EXPECT_EQ(limits.accounting, Accounting::kZcdp);
  EXPECT_EQ(limits.dataset.epsilon, Number("3"));
  EXPECT_EQ(limits.analyst->delta, Number("1e-7"));
  EXPECT_FALSE(LimitsOf(*policy, "")->analyst.has_value());
  EXPECT_FALSE(LimitsOf(*policy, "nobody").ok());
  const Declarations declarations = DeclarationsOf(*policy);
  EXPECT_NE(declarations.terms.find("replace_one"), std::string::npos);
  ASSERT_EQ(declarations.units.size(), 2u) << "public tables have no unit";
  EXPECT_NE(declarations.units.at("visits").find("patients.ssn"), std::string::npos);
  EXPECT_EQ(PlaceOf(*policy).path, "/clinic/ledger.sqlite");
  EXPECT_FALSE(PlaceOf(*policy).server.has_value());
}

}  // namespace
}  // namespace tacit::ledger
