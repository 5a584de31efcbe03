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

TEST(EditPolicy, AValueIsReplacedOrAddedWhereItBelongs) {
  constexpr char kTables[] = R"(tables:
  People:
    unit: id
    rows_per_unit: 1     # DECIDE: how many
    columns:
      age: {}            # whole
      "Unit Price": {bounds: [0, 1], step: 1}  # in euros
      sex: {keys: ["F, {", M]}
  visits: {unit: row}
)";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = kTables;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(WithValue(kTables, {"tables", "people", "rows_per_unit"}, "5").value(),
            changed("1     # DECIDE: how many", "5     # how many"));
  EXPECT_EQ(WithValue(kTables, {"tables", "people", "columns", "age", "bounds"}, "[0, 9]").value(),
            changed("age: {}", "age: {bounds: [0, 9]}"));
  EXPECT_EQ(
      WithValue(kTables, {"tables", "people", "columns", "unit price", "bounds"}, "[0, 9]").value(),
      changed("[0, 1]", "[0, 9]"));
  EXPECT_EQ(WithValue(kTables, {"tables", "people", "columns", "sex", "hidden"}, "true").value(),
            changed("M]}", "M], hidden: true}"));
  EXPECT_EQ(WithValue(kTables, {"tables", "people", "columns", "new one", "keys"}, "[a]").value(),
            changed("  visits", "      \"new one\": {keys: [a]}\n  visits"));
  EXPECT_EQ(WithValue(kTables, {"tables", "visits", "columns", "x", "bounds"}, "[0, 1]").value(),
            changed("{unit: row}", "{unit: row, columns: {x: {bounds: [0, 1]}}}"));
  EXPECT_FALSE(WithValue(kTables, {"tables", "people", "columns"}, "{}").ok()) << "it is a block";
  EXPECT_FALSE(WithValue(kTables, {"tables", "people", "unit", "via"}, "id").ok());
  EXPECT_FALSE(WithValue("tables:\n  t: {unit:\n    row}\n", {"tables", "t", "x"}, "1").ok());
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
