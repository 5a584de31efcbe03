#include "answer/format/numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace tacit::answer {
namespace {

using engine::Value;

TEST(Numbers, JsonKeepsEveryDigitOfAShortDecimal) {
  EXPECT_EQ(JsonNumber(Rational(1, 10)), "0.1");
  EXPECT_EQ(JsonNumber(Rational(2, 5)), "0.4");
  EXPECT_EQ(JsonNumber(MakeRational(Int128{1'000'000'000'000'000})), "1000000000000000");
  EXPECT_EQ(JsonNumber(Rational(1, 3)).substr(0, 8), "0.333333");
}

TEST(Numbers, WhatIsLeftIsRoundedDownAndWhatIsSpentUp) {
  EXPECT_EQ(ShortNumber(Rational(1, 3), Rounding::kDown), "0.333333");
  EXPECT_EQ(ShortNumber(Rational(1, 3), Rounding::kUp), "0.333334");
  EXPECT_EQ(ShortNumber(Rational(2, 5), Rounding::kDown), "0.4");
  EXPECT_EQ(ShortNumber(Rational(0), Rounding::kUp), "0");
  EXPECT_EQ(ShortNumber(ParseRational("1e-13").value(), Rounding::kUp), "1e-13");
  EXPECT_EQ(ShortNumber(ParseRational("1e15").value(), Rounding::kUp), "1e15");
}

TEST(Numbers, OnlyTheDigitsThatTheNoiseSupportsAreShown) {
  EXPECT_EQ(SupportedDigits(Value(int64_t{412}), Rational(30)), "412");
  EXPECT_EQ(SupportedDigits(Value(int64_t{123456789}), Rational(1234567)), "123500000");
  EXPECT_EQ(SupportedDigits(Value(41.23456), Rational(1, 2)), "41.23");
  EXPECT_EQ(SupportedDigits(Value(int64_t{-15}), Rational(300)), "-10");
  EXPECT_EQ(SupportedDigits(Value(int64_t{412}), Rational(0)), "412");
  EXPECT_EQ(SupportedDigits(Value(std::string("north")), Rational(30)), "north");
}

TEST(Numbers, JsonValuesAreJson) {
  EXPECT_EQ(JsonValue(Value()), "null");
  EXPECT_EQ(JsonValue(Value(true)), "true");
  EXPECT_EQ(JsonValue(Value(engine::Numeric{-1250, 2})), "-12.50");
  EXPECT_EQ(JsonValue(Value(std::numeric_limits<double>::quiet_NaN())), "\"NaN\"");
  EXPECT_EQ(JsonValue(Value(std::string("a\"\n\xff"))), "\"a\\\"\\n\xef\xbf\xbd\"");
  EXPECT_EQ(JsonValue(Value(engine::Date{0})), "\"1970-01-01\"");
}

}  // namespace
}  // namespace tacit::answer
