#include <gtest/gtest.h>

#include "wire/service/question.h"

namespace tacit::wire {
namespace {

OidColumn Shown(const ValueType& type, bool is_array = false) {
  const plan::OutputColumn column{
      .name = "c", .type = type, .is_array = is_array, .error = std::nullopt};
  return ColumnsOf(std::vector<plan::OutputColumn>{column}).at(0);
}

OidColumn Number(Oid type, int32_t modifier = -1) {
  return {.name = "c", .type = type, .modifier = modifier};
}

TEST(ColumnsOf, TypesOfAnswersHaveTheirNumbersAndModifiers) {
  EXPECT_EQ(Shown(kBigintType), Number(oid::kInt8));
  EXPECT_EQ(Shown(kDoubleType), Number(oid::kFloat8));
  EXPECT_EQ(Shown({.kind = TypeKind::kTimestampTz}), Number(oid::kTimestampTz));
  EXPECT_EQ(Shown(NumericType(12, 2)), Number(oid::kNumeric, (12 << 16 | 2) + 4));
  EXPECT_EQ(Shown(NumericType(0, 0)), Number(oid::kNumeric));
  EXPECT_EQ(Shown(kOpaqueType), Number(oid::kText));
}

TEST(ColumnsOf, ArraysHaveNumbersOfTheirOwn) {
  EXPECT_EQ(Shown(kDoubleType, true), Number(oid::kFloat8Array));
  EXPECT_EQ(Shown(kBigintType, true), Number(oid::kInt8Array));
  EXPECT_EQ(Shown(NumericType(12, 2), true), Number(oid::kNumericArray, (12 << 16 | 2) + 4));
}

}  // namespace
}  // namespace tacit::wire
