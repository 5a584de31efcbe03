#include "anonymize/release/verify.h"

#include <gtest/gtest.h>

#include "anonymize/table/read_csv.h"

namespace tacit::anonymize {
namespace {

using List = std::vector<std::string>;

Verified VerifyText(std::string_view text, Requirement requirement, bool sensitive = true) {
  const Table table = ParseCsv(text, "f").value();
  return Verify(table, {.quasi_identifiers = {"age", "sex"},
                        .sensitive = sensitive ? "ill" : "",
                        .keep = {},
                        .requirement = requirement,
                        .rules = {}})
      .value();
}

TEST(Verify, ASuppressedCellIsAValueOfItsOwnAndNoJoker) {
  const char* text = "age,sex,ill\n1..5,*,u\n1..5,F,v\n1..5,F,u\n";
  const Verified found = VerifyText(text, {.k = 2}, false);
  EXPECT_EQ(found.measures.smallest, 1u);
  EXPECT_EQ(found.broken, List{"k is asked to be 2; the smallest class has 1 row"});
  EXPECT_EQ(VerifyText("age,sex,ill\n,*,u\n,*,v\n", {.k = 2}, false).broken, List{});
}

TEST(Verify, MeasuresDiversityAndCloseness) {
  const char* text = "age,sex,ill\n1,F,u\n1,F,v\n2,F,u\n2,F,u\n";
  const Verified found = VerifyText(text, {.l = 2, .t = 0.2});
  EXPECT_EQ(found.measures.sensitive->distinct_l, 1u);
  EXPECT_DOUBLE_EQ(found.measures.sensitive->entropy_l, 1);
  EXPECT_DOUBLE_EQ(found.measures.sensitive->t, 0.25);
  EXPECT_DOUBLE_EQ(found.measures.sensitive->rows_with_one_value, 0.5);
  EXPECT_EQ(found.broken, (List{"distinct l is asked to be 2; the least diverse class has 1",
                                "t is asked to be at most 0.2; the farthest class is at 0.25"}));
}

TEST(Verify, LossIsReadFromTheCells) {
  const Verified found =
      VerifyText("age,sex,ill\n0..5,{F|M},u\n5..10,F,v\n*,M,u\n7,M,u\n", {}, false);
  EXPECT_DOUBLE_EQ(found.measures.loss_by_column[0], (0.5 + 0.5 + 1 + 0) / 4);
  EXPECT_DOUBLE_EQ(found.measures.loss_by_column[1], 1.0 / 4);
}

}  // namespace
}  // namespace tacit::anonymize
