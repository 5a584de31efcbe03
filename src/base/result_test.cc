#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tacit {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return InvalidArgument("odd");
  return value / 2;
}

Result<int> Quarter(int value) {
  TACIT_TRY(const int half, Half(value));
  TACIT_TRY(const int quarter, Half(half));
  return quarter;
}

Result<Done> MustBeEven(int value) {
  TACIT_CHECK(Half(value));
  return Done{};
}

TEST(Result, TryDeclaresTheValueOrReturnsTheError) {
  EXPECT_EQ(Quarter(12).value(), 3);
  ASSERT_FALSE(Quarter(6).ok());
  EXPECT_EQ(Quarter(6).error().public_message, "odd");
  EXPECT_TRUE(MustBeEven(2).ok());
  EXPECT_FALSE(MustBeEven(3).ok());
}

TEST(Result, CarriesWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(ResultDeathTest, TakingTheValueOfAnErrorEndsTheProgram) {
  const Result<int> failed = InvalidArgument("no");
  EXPECT_DEATH((void)failed.value(), "assertion failed");
}

}  // namespace
}  // namespace tacit
