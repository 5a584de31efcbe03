#include "base/process/late_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tacit {
namespace {

const LateLibrary& Mathematics() {
  static const LateLibrary library("libm.so.6");
  return library;
}

TEST(LateLibrary, CallsAFunctionOfALibraryThatIsThere) {
  ASSERT_TRUE(Mathematics().Loaded().ok());
  EXPECT_EQ(TACIT_LATE(Mathematics(), ldexp)(0.75, 2), 3.0);
}

TEST(LateLibrary, OneThatIsMissingIsAnErrorWithItsName) {
  const Result<Done> loaded = LateLibrary("libtacit-has-no-such.so").Loaded();
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(loaded.error().public_message, ::testing::HasSubstr("libtacit-has-no-such.so"));
  EXPECT_NE(loaded.error().private_detail, "");
}

TEST(LateLibraryDeathTest, AFunctionThatItLacksEndsTheProgram) {
  EXPECT_DEATH(Mathematics().FunctionAt("tacit_has_no_such"), "");
}

}  // namespace
}  // namespace tacit
