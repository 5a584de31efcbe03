#include "policy/edit.h"

#include <gtest/gtest.h>

namespace tacit::policy {
namespace {

constexpr char kText[] = R"(# whose it is
tacit: 1
data_version: 7   # raised in May
tables:
  # the people
  people:
    unit: id
    # how many
    rows_per_unit: 1

  # what they did
  Visits: {unit: row}
# who asks
analysts:
  ana: {password: "SCRAM-SHA-256$old", budget: {epsilon: 1, delta: 0}}  # of the lab
)";

TEST(EditPolicy, TheDataVersionIsReplacedWhereItStands) {
  std::string expected = kText;
  expected.replace(expected.find("7   #"), 1, "8");
  EXPECT_EQ(WithDataVersion(kText, 8).value(), expected);
  EXPECT_EQ(WithDataVersion("tacit: 1 # one\nengine: x\n", 2).value(),
            "tacit: 1 # one\ndata_version: 2\nengine: x\n");
}

TEST(EditPolicy, AnEntryIsAddedAfterTheLastOneOfItsSection) {
  std::string expected = kText;
  expected.insert(expected.find("# who asks"), "  baskets:\n    public: true\n");
  EXPECT_EQ(WithEntry(kText, "tables", "baskets:\n  public: true\n").value(), expected);
  EXPECT_EQ(WithEntry("tacit: 1\n", "analysts", "ana: {}\n").value(),
            "tacit: 1\n\nanalysts:\n  ana: {}\n");
  EXPECT_EQ(WithEntry("analysts:\n# nobody\ntacit: 1\n", "analysts", "ana: {}\n").value(),
            "analysts:\n  ana: {}\n# nobody\ntacit: 1\n");
}

TEST(EditPolicy, AnEntryGoesWithItsOwnComments) {
  std::string expected = kText;
  const size_t begin = expected.find("  people:");
  expected.erase(begin, expected.find("\n\n  # what") + 1 - begin);
  EXPECT_EQ(WithoutEntry(kText, "tables", "PEOPLE").value(), expected);
  EXPECT_FALSE(WithoutEntry(kText, "tables", "gone").ok());
}

TEST(EditPolicy, AWordOfAnEntryIsReplaced) {
  std::string expected = kText;
  expected.replace(expected.find("$old"), 4, "$new");
  EXPECT_EQ(WithWord(kText, "analysts", "ana", "password", "SCRAM-SHA-256$new").value(), expected);
  EXPECT_FALSE(WithWord(kText, "analysts", "Ana", "password", "x").ok()) << "names keep their case";
}

TEST(EditPolicy, WhatIsWrittenInBracesIsLeftToTheOwner) {
  const std::string text = "tacit: 1\ntables: {a: {unit: row}, b: {unit: row}}\n";
  for (const auto& edited :
       {WithEntry(text, "tables", "c: {}\n"), WithoutEntry(text, "tables", "a")}) {
    ASSERT_FALSE(edited.ok());
    EXPECT_NE(edited.error().hint.find("by hand"), std::string::npos);
  }
}

TEST(EditPolicy, NamesAreQuotedWhereYamlWouldReadSomethingElse) {
  EXPECT_EQ(YamlText("patients"), "patients");
  EXPECT_EQ(YamlText("No"), "\"No\"");
  EXPECT_EQ(YamlText("a b"), "\"a b\"");
  EXPECT_EQ(YamlText("a\"b\n"), "\"a\\\"b\\x0a\"");
}

}  // namespace
}  // namespace tacit::policy
