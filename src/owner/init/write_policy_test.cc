#include "owner/init/write_policy.h"

#include <gtest/gtest.h>

#include "ledger/limits.h"
#include "policy/load.h"

namespace tacit::owner {
namespace {

// Words that YAML reads as something else, marks that mean something to it, and bytes that it
// refuses: all of them are names that a database may have.
const char* const kAwkwardNames[] = {
    "age",   "Weird Name", "null", "~",    "yes",  "No",    "row", "1",     "1.5",        "0x10",
    ".inf",  "<<",         "a: b", "a#b",  " # c", "- a",   "? a", "{a}",   "[a]",        "*a",
    "&a",    "!a",         "%a",   "@a",   "`a`",  "\"a\"", "'a'", "a\\nb", "2024-01-01", "a\x01",
    "a\x7f", "Zoë",        "=",    "true", "a, b", "|",     ">"};

policy::Schema SchemaOf(const std::string& table, const std::string& column) {
  return {{{table, {{"id", kIntegerType}, {column, kTextType}}}}};
}

TEST(WritePolicy, EveryNameIsReadBackAsItIs) {
  for (const char* name : kAwkwardNames) {
    const std::string text = WritePolicy(SchemaOf(name, name), {{.table = name, .column = "id"}});
    const Result<policy::Policy> policy = policy::Parse(text, "tacit.yaml");
    ASSERT_TRUE(policy.ok()) << name << "\n" << policy.error().public_message << "\n" << text;
    ASSERT_EQ(policy->tables.size(), 1u) << name;
    const policy::Table& table = policy->tables[0];
    EXPECT_EQ(table.name, name);
    ASSERT_EQ(table.columns.size(), 2u) << name;
    EXPECT_EQ(table.columns[1].name, name);
  }
}

// YAML would fold them into a blank, and the policy would be about another column.
TEST(WritePolicy, ANameWithALineBreakOrATabIsRefusedAtItsPlaceAndNeverBecomesAnother) {
  for (const char* name : {"a\nb", "a\r\nb", "a\tb"}) {
    const std::string text =
        WritePolicy(SchemaOf("people", name), {{.table = "people", .column = "id"}});
    const Result<policy::Policy> policy = policy::Parse(text, "tacit.yaml");
    ASSERT_FALSE(policy.ok()) << name;
    EXPECT_NE(policy.error().public_message.find("a column's name holds a line break or a tab"),
              std::string::npos)
        << policy.error().public_message;
  }
}

TEST(WritePolicy, ItsPricesFitItsBudget) {
  const std::string text = WritePolicy(SchemaOf("t", "c"), {{.table = "t", .column = "id"}});
  const policy::Privacy privacy = policy::Parse(text, "tacit.yaml").value().privacy;
  EXPECT_EQ(privacy.accounting, policy::Accounting::kZcdp);
  const ledger::Budget budget{.epsilon = privacy.budget.epsilon.value,
                              .delta = privacy.budget.delta.value};
  const Rational all = ledger::CapacityOf(ledger::Accounting::kZcdp, budget).value().rho;
  EXPECT_LE(RhoOfPure(privacy.query.epsilon_max).value, all) << "the dearest question can be asked";
  EXPECT_GE(Rational(all / RhoOfPure(privacy.query.epsilon).value), 30) << "and thirty plain ones";
}

TEST(WritePolicy, TheUnitIsHiddenAndNothingElseIsDecided) {
  const std::string text =
      WritePolicy(SchemaOf("people", "city"), {{.table = "People", .column = "ID"}});
  const Result<policy::Policy> policy = policy::Parse(text, "tacit.yaml");
  ASSERT_TRUE(policy.ok()) << policy.error().public_message;
  const policy::Table& table = policy->tables[0];
  EXPECT_EQ(std::get<policy::UnitIsColumn>(table.unit).column, "id");
  EXPECT_TRUE(table.IsHidden("id"));
  EXPECT_FALSE(table.IsHidden("city"));
  EXPECT_FALSE(table.is_public);
  for (const policy::Column& column : table.columns) {
    EXPECT_FALSE(column.bounds || column.keys) << "nothing is taken from the rows";
  }
}

TEST(WritePolicy, ATableWithoutAUnitDoesNotLoadUntilTheOwnerHasDecided) {
  for (const std::vector<UnitColumn>& units :
       {std::vector<UnitColumn>{}, {{.table = "people", .column = "no such column"}}}) {
    const std::string text = WritePolicy(SchemaOf("people", "city"), units);
    EXPECT_FALSE(policy::Parse(text, "tacit.yaml").ok());
    EXPECT_NE(text.find("DECIDE whose privacy"), std::string::npos);
  }
}

}  // namespace
}  // namespace tacit::owner
