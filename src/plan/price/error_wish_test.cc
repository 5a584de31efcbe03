#include "plan/price/error_wish.h"

#include <gtest/gtest.h>

namespace tacit::plan {
namespace {

std::string ReadBack(const std::string& text) {
  const Result<ErrorWish> wish = ReadErrorWish(text);
  return wish.ok() ? ErrorText(*wish) : "refused";
}

TEST(ErrorWish, IsANumberAPercentageOrOneOfEachColumn) {
  EXPECT_EQ(ReadBack("40"), "40");
  EXPECT_EQ(ReadBack("5%"), "5 %");
  EXPECT_EQ(ReadBack(" 0.5 % "), "0.5 %");
  EXPECT_EQ(ReadBack("n = 40,share=2 %"), "n = 40, share = 2 %");
  EXPECT_EQ(ReadBack("n = 40, 5 %"), "n = 40, 5 %");
  EXPECT_EQ(ReadErrorWish("5 %")->others->error, Rational(1, 20));
}

TEST(ErrorWish, NamesAreWrittenAsInSql) {
  const Result<ErrorWish> wish = ReadErrorWish("\"Price, \"\"net\"\" = 1\" = 3, City = 4, 5");
  ASSERT_TRUE(wish.ok());
  EXPECT_EQ(wish->Of("Price, \"net\" = 1")->error, 3);
  EXPECT_EQ(wish->Of("city")->error, 4);
  EXPECT_EQ(wish->Of("anything")->error, 5);
  EXPECT_EQ(ReadErrorWish("n = 1")->Of("m"), nullptr);
}

TEST(ErrorWish, RefusesWhatNoErrorCanBe) {
  for (const char* wrong :
       {"", "0", "-1", "0 %", "many", "40, 50", "n = 1, n = 2", "n =", "\"n = 1", "%", "1 % %"}) {
    EXPECT_EQ(ReadBack(wrong), "refused") << wrong;
  }
}

}  // namespace
}  // namespace tacit::plan
