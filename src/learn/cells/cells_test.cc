#include "learn/cells/cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sql/parse.h"

namespace tacit::learn {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> LabelsOf(const CellColumn& column) {
  std::vector<std::string> labels;
  for (size_t i = 0; i < column.Cells(); ++i) labels.push_back(column.LabelOf(i));
  return labels;
}

TEST(Cells, OfWholeNumbersAreWholeNumbers) {
  EXPECT_EQ(LabelsOf(BinsOf("n", 0, 9, true, 4)),
            (std::vector<std::string>{"0 to 2", "3 to 4", "5 to 7", "8 to 9"}));
  EXPECT_EQ(LabelsOf(BinsOf("n", 1, 3, true, 16)), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(LabelsOf(BinsOf("x", 0, 1, false, 4)),
            (std::vector<std::string>{"0 to 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 to 1"}));
}

TEST(Cells, HoldEveryNumber) {
  const CellColumn age = BinsOf("age", 17, 90, true, 16);
  size_t before = 0;
  for (int i = -5; i < 200; ++i) {
    const size_t cell = **CellOf(age, std::to_string(i));
    ASSERT_LT(cell, age.Cells());
    EXPECT_GE(cell, before);
    before = cell;
  }
  EXPECT_EQ(**CellOf(age, "-1e300"), 0u);
  EXPECT_EQ(**CellOf(age, "90"), age.Cells() - 1);
}

TEST(Cells, AreReadFromFiles) {
  const CellColumn flag{.name = "b", .kind = CellKind::kBoolean};
  EXPECT_EQ(**CellOf(flag, " Yes"), 1u);
  EXPECT_EQ(**CellOf(flag, "F"), 0u);
  EXPECT_FALSE(CellOf(flag, "")->has_value());
  EXPECT_FALSE(CellOf(flag, "perhaps").ok());
  CellColumn town{.name = "town", .kind = CellKind::kCategory};
  town.values = {"a b", "c"};
  EXPECT_EQ(**CellOf(town, "c"), 1u);
  EXPECT_THAT(CellOf(town, "d").error().public_message, HasSubstr("knows no town 'd'"));
  EXPECT_FALSE(CellOf(BinsOf("x", 0, 1, false, 4), "many").ok());
}

TEST(Cells, AreSqlWhateverTheNames) {
  CellColumn odd{.name = "o", .kind = CellKind::kCategory};
  odd.values = {"it's", "\\", "; DROP TABLE x"};
  for (const CellColumn& column : {odd, BinsOf("n", -7, 7, true, 5),
                                   BinsOf("x", Rational(-1, 3), Rational(1, 3), false, 64)}) {
    const std::string text = "SELECT " + CellExpression(column, "t.\"we\"\"ird\"", 12) +
                             " FROM t WHERE " + HasCell(column, "t.\"we\"\"ird\"");
    EXPECT_TRUE(sql::Parse(text).ok()) << text;
  }
  EXPECT_EQ(CellExpression(BinsOf("n", 0, 2, true, 5), "n", 3),
            "CASE WHEN n < 1 THEN 0 ELSE CASE WHEN n < 2 THEN 3 ELSE 6 END END");
  EXPECT_EQ(HasCell(odd, "o"), "o IN ('it''s', '\\', '; DROP TABLE x')");
}

}  // namespace
}  // namespace tacit::learn
