#include <gtest/gtest.h>

#include "policy/load.h"
#include "policy/testing/sample.h"

namespace tacit::policy {
namespace {

constexpr char kVersionedTables[] = R"(  people:
    unit: id
    rows_per_unit: 1
    columns:
      age: {bounds: [0, 120]}
      sex: {keys: [F, M]}
  codes: {public: true}
)";

Policy Changed(const std::string& from = "", const std::string& to = "") {
  std::string text = testing::SampleWith(kVersionedTables);
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  Result<Policy> policy = Parse(text, "t.yaml");
  EXPECT_TRUE(policy.ok()) << policy.error().public_message;
  return std::move(policy).value();
}

TEST(PolicyVersion, IsSixtyFourHexDigitsThatStayTheSameForEver) {
  // Ledgers hold these: a change of the canonical form would orphan every stored answer.
  EXPECT_EQ(PolicyVersion(Changed()),
            "0410c2654f327304793c34709c786ab2e5313c68feaba0ddc039125190788c8e");
}

TEST(PolicyVersion, IgnoresSpellingOrderPricesAndPlaces) {
  const std::string version = PolicyVersion(Changed());
  EXPECT_EQ(PolicyVersion(Changed("[0, 120]", "[0.0, 1.2e2]")), version);
  EXPECT_EQ(PolicyVersion(Changed("[F, M]", "[M, F]")), version);
  EXPECT_EQ(PolicyVersion(Changed("  people:", "  # who\n  PEOPLE:")), version);
  EXPECT_EQ(PolicyVersion(Changed("epsilon: 3", "epsilon: 4")), version);
  EXPECT_EQ(PolicyVersion(Changed("data.duckdb", "other.duckdb")), version);
  EXPECT_EQ(PolicyVersion(Changed("tacit: 1", "tacit: 1\ndata_version: 2")), version);
  EXPECT_EQ(PolicyVersion(Changed("rows_per_unit: 1", "rows_per_unit: 1\n    groups_per_unit: 1")),
            version);
}

TEST(PolicyVersion, ChangesWithWhateverDecidesAnAnswer) {
  const std::string version = PolicyVersion(Changed());
  EXPECT_NE(PolicyVersion(Changed("add_remove", "replace_one")), version);
  EXPECT_NE(PolicyVersion(Changed("accounting: pure", "accounting: pure\n  protects: 2")), version);
  EXPECT_NE(PolicyVersion(Changed("pure", "zcdp")), version);
  EXPECT_NE(PolicyVersion(Changed("unit: id", "unit: ssn")), version);
  EXPECT_NE(PolicyVersion(Changed("rows_per_unit: 1", "rows_per_unit: 2")), version);
  EXPECT_NE(PolicyVersion(Changed("[0, 120]", "[0, 121]")), version);
  EXPECT_NE(PolicyVersion(Changed("[0, 120]", "[0, 120], step: 0.5")), version);
  EXPECT_NE(PolicyVersion(Changed("[0, 120]", "[0, 120], sum_per_unit: 500")), version);
  EXPECT_NE(PolicyVersion(Changed("bounds: [0, 120]", "bounds: [0, 120], required: true")),
            version);
  EXPECT_NE(PolicyVersion(Changed("[F, M]", "[F, M, X]")), version);
  EXPECT_NE(PolicyVersion(Changed("{bounds: [0, 120]}", "{hidden: true}")), version);
  EXPECT_NE(PolicyVersion(Changed("  codes: {public: true}\n", "")), version);
  EXPECT_NE(PolicyVersion(Changed("codes: {public: true}", "codes: {unit: row}")), version);
}

TEST(Promise, HoldsTheTermsAndEveryProtectedTablesUnit) {
  const Promise promise = PromiseOf(Changed("  codes: {public: true}",
                                            "  visits: {unit: {via: pid, to: people}, "
                                            "rows_per_unit: 3}"));
  EXPECT_EQ(promise.terms, "add_remove protects=1 pure");
  ASSERT_EQ(promise.units.size(), 2u);
  EXPECT_EQ(promise.units[0], "people: id");
  EXPECT_EQ(promise.units[1], "visits: pid -> people.id");
}

}  // namespace
}  // namespace tacit::policy
