#include "engine/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace tacit::engine {
namespace {

TEST(Value, PrintsAsPostgresqlDoes) {
  EXPECT_EQ(ToText(Value(true)), "t");
  EXPECT_EQ(ToText(Value(int64_t{-5})), "-5");
  EXPECT_EQ(ToText(Value(100000.0)), "100000");
  EXPECT_EQ(ToText(Value(0.1)), "0.1");
  EXPECT_EQ(ToText(Value(1e15)), "1e+15");
  EXPECT_EQ(ToText(Value(123456789012345.0)), "123456789012345");
  EXPECT_EQ(ToText(Value(0.0001)), "0.0001");
  EXPECT_EQ(ToText(Value(0.00001)), "1e-05");
  EXPECT_EQ(ToText(Value(std::numeric_limits<double>::infinity())), "Infinity");
  EXPECT_EQ(ToText(Value(Numeric{5, 3})), "0.005");
  EXPECT_EQ(ToText(Value(Numeric{-1250, 2})), "-12.50");
  EXPECT_EQ(ToText(Value(Numeric{kInt128Max, 0})), "170141183460469231731687303715884105727");
}

TEST(Value, PrintsDatesAndTimes) {
  EXPECT_EQ(ToText(Value(Date{0})), "1970-01-01");
  EXPECT_EQ(ToText(Value(Date{19782})), "2024-02-29");
  EXPECT_EQ(ToText(Value(Date{-719163})), "0001-12-31 BC");
  EXPECT_EQ(ToText(Value(Timestamp{-1, false})), "1969-12-31 23:59:59.999999");
  EXPECT_EQ(ToText(Value(Timestamp{1'500'000, true})), "1970-01-01 00:00:01.5+00");
  EXPECT_EQ(ToText(Value(Interval{14, 1, 3'600'000'000})), "1 year 2 mons 1 day 01:00:00");
  EXPECT_EQ(ToText(Value(Interval{})), "00:00:00");
}

TEST(Value, NullSortsFirst) {
  EXPECT_LT(Value(), Value(int64_t{-1}));
  EXPECT_LT(Value(std::string("B")), Value(std::string("a")));
}

}  // namespace
}  // namespace tacit::engine
