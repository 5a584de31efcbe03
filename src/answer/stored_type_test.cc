#include "answer/stored_type.h"

#include <gtest/gtest.h>

namespace tacit::answer {
namespace {

// As ledgers hold them since the format's first version.
TEST(StoredType, EveryTypeKeepsItsNumbers) {
  struct Known {
    ValueType type;
    int kind, bits;
  };
  const Known known[] = {{kBooleanType, 0, 0},       {kSmallintType, 1, 16},
                         {kIntegerType, 1, 32},      {kBigintType, 1, 64},
                         {NumericType(12, 2), 2, 0}, {kRealType, 3, 32},
                         {kDoubleType, 3, 64},       {kTextType, 4, 0},
                         {kDateType, 5, 0},          {{.kind = TypeKind::kTime}, 6, 0},
                         {kTimestampType, 7, 0},     {{.kind = TypeKind::kTimestampTz}, 8, 0},
                         {kIntervalType, 9, 0},      {{.kind = TypeKind::kUuid}, 10, 0},
                         {kOpaqueType, 11, 0}};
  for (const Known& one : known) {
    const StoredType stored = StoredTypeOf(one.type);
    EXPECT_EQ(stored.kind, one.kind) << PostgresName(one.type);
    EXPECT_EQ(stored.bits, one.bits) << PostgresName(one.type);
    EXPECT_EQ(TypeOf(stored), one.type) << PostgresName(one.type);
  }
  EXPECT_EQ(StoredTypeOf(NumericType(12, 2)).precision, 12);
  EXPECT_EQ(StoredTypeOf(NumericType(12, 2)).scale, 2);
}

TEST(StoredType, NumbersThatNobodyWritesAreNoType) {
  EXPECT_EQ(TypeOf({.kind = 1, .bits = 0}), std::nullopt);
  EXPECT_EQ(TypeOf({.kind = 1, .bits = 8}), std::nullopt);
  EXPECT_EQ(TypeOf({.kind = 4, .bits = 1}), std::nullopt);
  EXPECT_EQ(TypeOf({.kind = 12}), std::nullopt);
}

}  // namespace
}  // namespace tacit::answer
