#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/expressions/columns.h"
#include "analysis/testing/asked.h"
#include "analysis/texts/examples.h"
#include "analysis/texts/hidden_names.h"
#include "analysis/texts/nearest_name.h"

namespace tacit::analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(NearestName, IsTheOneWithTheFewestChanges) {
  EXPECT_EQ(NearestNameHint("agee", {"sex", "age", "wage"}), "did you mean age?");
  EXPECT_EQ(NearestNameHint("unit", {"sex", "Unit Price"}), "did you mean \"Unit Price\"?");
  EXPECT_EQ(NearestNameHint("agee", {"sex", "city"}), "");
  EXPECT_EQ(NearestNameHint("agee", {}), "");
  EXPECT_EQ(NearestNameHint(std::string(300, 'a'), {std::string(299, 'a')}), "");
}

TEST(HiddenNames, AColumnIsNamedToWhoNamesIt) {
  Known silent = testing::KnownOf("SELECT count(*) FROM people");
  testing::Scanned(silent, "people");
  const RowColumn& name = ColumnOf(silent, {"t1", "name"});
  EXPECT_FALSE(MayName(silent, name));
  EXPECT_TRUE(MayName(silent, ColumnOf(silent, {"t1", "age"})));
  EXPECT_THAT(HiddenColumn(silent, name, {}).public_message, Not(HasSubstr("name")));
  const Known asking = testing::KnownOf("SELECT max(NAME) FROM people");
  EXPECT_TRUE(MayName(asking, name));
  EXPECT_THAT(HiddenColumn(asking, name, {}).public_message, HasSubstr("people.name"));
}

TEST(HiddenNames, TheNearestNameIsNeverAHiddenOne) {
  const Result<Facts> wrong = testing::Ask("SELECT count(nmae) FROM people");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().rule, "unknown_column");
  EXPECT_THAT(wrong.error().hint, Not(HasSubstr("name")));
  EXPECT_EQ(testing::Ask("SELECT count(agee) FROM people").error().hint, "did you mean age?");
}

TEST(Examples, AreQueriesThatPass) {
  Known known = testing::KnownOf();
  const ProtectedRows visits = testing::Scanned(known, "visits");
  const ProtectedRows cards = testing::Scanned(known, "cards");
  const ProtectedRows gauges = testing::Scanned(known, "gauges");
  EXPECT_EQ(ExampleJoin(known, visits, cards),
            "SELECT count(*) FROM visits a JOIN cards b ON a.pid = b.owner");
  EXPECT_EQ(testing::RuleOf(ExampleJoin(known, visits, cards)), "");
  EXPECT_EQ(testing::RuleOf(ExampleCount(visits.rows)), "");
  EXPECT_EQ(ExampleJoin(known, visits, gauges), "") << "none that would pass";
}

}  // namespace
}  // namespace tacit::analysis
