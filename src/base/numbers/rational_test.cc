#include "base/numbers/rational.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tacit {
namespace {

TEST(Rational, ReadsDecimalsExactly) {
  EXPECT_EQ(ParseRational("0.1").value(), Rational(1, 10));
  EXPECT_EQ(ParseRational("1e-5").value(), Rational(1, 100000));
  EXPECT_EQ(ParseRational("-2.50").value(), Rational(-5, 2));
  EXPECT_EQ(ParseRational("6/4").value(), Rational(3, 2));
  EXPECT_EQ(ParseRational("1.5E+3").value(), Rational(1500));
  EXPECT_EQ(ParseRational(".5").value(), Rational(1, 2));
}

TEST(Rational, RefusesWhatIsNotANumber) {
  for (const char* text : {"", "-", ".", "nan", "inf", "1e", "1e999999999", "0x10", "1/0", "1 2",
                           "1e5000", "--1", "1/-2", "1.2.3"}) {
    EXPECT_FALSE(ParseRational(text).ok()) << text;
  }
}

TEST(Rational, RoundsToDoublesInTheNamedDirection) {
  const Rational tenth(1, 10);
  EXPECT_LE(RationalOf(ToDoubleDown(tenth)), tenth);
  EXPECT_GE(RationalOf(ToDoubleUp(tenth)), tenth);
  EXPECT_EQ(std::nextafter(ToDoubleDown(tenth), 1), ToDoubleUp(tenth));
  EXPECT_EQ(ToDoubleUp(Rational(-1, 4)), -0.25);
  const Rational huge = ParseRational("1e400").value();
  EXPECT_EQ(ToDoubleUp(huge), INFINITY);
  EXPECT_LT(ToDoubleDown(huge), INFINITY);
  const Rational tiny = ParseRational("1e-400").value();
  EXPECT_GT(ToDoubleUp(tiny), 0);
  EXPECT_EQ(ToDoubleDown(tiny), 0);
}

TEST(Rational, TheRootIsRoundedUpAndHardly) {
  EXPECT_EQ(SquareRootUp(Rational(0)), 0);
  EXPECT_EQ(SquareRootUp(Rational(9, 4)), Rational(3, 2));
  for (const char* text : {"2", "1e-9", "1/3", "1e40", "123456789"}) {
    const Rational value = ParseRational(text).value();
    const Rational root = SquareRootUp(value);
    const Rational less = Rational(root * (1 - Rational(1, 100'000'000'000)));
    EXPECT_GE(Rational(root * root), value) << text;
    EXPECT_LT(Rational(less * less), value) << text;
  }
}

TEST(Rational, FindsTheShortDecimalThatRoundingHid) {
  const Rational hair(1, 1'000'000'000);
  for (const char* text : {"0.5", "0.013", "7", "2.75", "1.017105", "1e-3", "300", "0.99999999"}) {
    const Rational value = ParseRational(text).value();
    EXPECT_EQ(ShortestWithin(Rational(value * (1 - hair)), Rational(value * (1 + hair))), value);
  }
  EXPECT_EQ(ToString(ShortestWithin(Rational(1, 3), Rational(1, 2))), "0.4");
  EXPECT_EQ(ToString(ShortestWithin(Rational(1, 3), Rational(34, 100))), "0.34");
}

TEST(Rational, PrintsTheShortestExactForm) {
  EXPECT_EQ(ToString(Rational(1, 10)), "0.1");
  EXPECT_EQ(ToString(Rational(-5, 2)), "-2.5");
  EXPECT_EQ(ToString(Rational(1, 3)), "1/3");
  EXPECT_EQ(ToString(Rational(300)), "300");
  EXPECT_EQ(ToString(Rational(1, 1000)), "0.001");
}

TEST(Rational, ConvertsToIntegersAndBack) {
  for (const Int128 value : {Int128{0}, Int128{-7}, kInt128Max, kInt128Min}) {
    EXPECT_EQ(SaturateToInt128(ToInteger(value)), value);
  }
  EXPECT_EQ(SaturateToInt128(ToInteger(kInt128Max) + 1), kInt128Max);
  EXPECT_EQ(SaturateToInt128(ToInteger(kInt128Min) - 1), kInt128Min);
  EXPECT_EQ(FloorOf(Rational(-1, 2)), -1);
  EXPECT_EQ(CeilOf(Rational(-1, 2)), 0);
}

}  // namespace
}  // namespace tacit
