#include "wire/words/wording.h"

#include <gtest/gtest.h>

#include "wire/words/log.h"

namespace tacit::wire {
namespace {

TEST(WordingTest, APriceIsNamedAsTheDoorNamesIt) {
  EXPECT_EQ(Worded("ask with --epsilon 1 or less", "SET tacit.epsilon = "),
            "ask with SET tacit.epsilon = 1 or less");
}

TEST(WordingTest, ALongNumberIsRoundedUpAndAShortOneStays) {
  EXPECT_EQ(Worded("epsilon 1." + std::string(60, '0') + "1 is above 1, the most", ""),
            "epsilon 1.00001 is above 1, the most");
  EXPECT_EQ(Worded("1/" + std::string(30, '3') + ".", ""), "3.00001e-30.");
  EXPECT_EQ(Worded("tables t1, 0.25 and 7/9; 12.", ""), "tables t1, 0.25 and 7/9; 12.");
}

TEST(WordingTest, OnlyTheKindOfAFailureIsKept) {
  EXPECT_EQ(FailureKind("Out of Memory Error: could not allocate"), "Out of Memory");
  EXPECT_EQ(FailureKind("Conversion Error: Could not convert string 'Ada' to INT32"), "Conversion");
  EXPECT_EQ(FailureKind("Ada is 36: Error: x"), "other");
  EXPECT_EQ(FailureKind("something else"), "other");
}

// What strangers make the server write is bounded: a flood fills no disk.
TEST(LogTest, AFloodIsSeldomAndItsNamesAreShort) {
  OnceASecond refused;
  EXPECT_TRUE(refused.Due());
  EXPECT_FALSE(refused.Due());
  EXPECT_EQ(CutForLog("ana"), "ana");
  EXPECT_EQ(CutForLog(std::string(10'000, 'x')), std::string(64, 'x') + "...");
}

}  // namespace
}  // namespace tacit::wire
