#include "base/numbers/int128.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(Int128, ArithmeticSaysWhenItDoesNotFit) {
  EXPECT_EQ(CheckedAdd(kInt128Max, 0), kInt128Max);
  EXPECT_EQ(CheckedAdd(kInt128Max, 1), std::nullopt);
  EXPECT_EQ(CheckedSubtract(kInt128Min, 1), std::nullopt);
  EXPECT_EQ(CheckedMultiply(kInt128Min, -1), std::nullopt);
  EXPECT_EQ(CheckedMultiply(kInt128Max / 3, 3), kInt128Max / 3 * 3);
}

TEST(Int128, SaturatingAddStopsAtTheEnds) {
  EXPECT_EQ(SaturatingAdd(kInt128Max, kInt128Max), kInt128Max);
  EXPECT_EQ(SaturatingAdd(kInt128Min, -5), kInt128Min);
  EXPECT_EQ(SaturatingAdd(kInt128Min, kInt128Max), -1);
}

TEST(Int128, TextGoesBothWays) {
  EXPECT_EQ(ToString(kInt128Min), "-170141183460469231731687303715884105728");
  for (const Int128 value : {Int128{0}, Int128{-1}, Int128{42}, kInt128Max, kInt128Min}) {
    EXPECT_EQ(ParseInt128(ToString(value)), value);
  }
}

TEST(Int128, RefusesTextThatIsNoNumberOrDoesNotFit) {
  for (const char* text : {"", "-", "1x", "+1", " 1", "170141183460469231731687303715884105728"}) {
    EXPECT_EQ(ParseInt128(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace tacit
