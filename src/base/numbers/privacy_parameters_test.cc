#include "base/numbers/privacy_parameters.h"

#include <gtest/gtest.h>

namespace tacit {
namespace {

TEST(PrivacyParameters, RefuseValuesOutsideTheirRangeByName) {
  EXPECT_FALSE(CheckedEpsilon(0).ok());
  EXPECT_FALSE(CheckedDelta(1).ok());
  EXPECT_FALSE(CheckedDelta(-1).ok());
  EXPECT_TRUE(CheckedDelta(0).ok());
  const Result<Epsilon> refused = CheckedEpsilon(Rational(-1, 2), "--epsilon");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().public_message, "--epsilon must be above 0, not -0.5");
}

TEST(PrivacyParameters, TenTenthsAreOne) {
  Epsilon sum(0, 1);
  for (int i = 0; i < 10; ++i) sum = sum + Epsilon(1, 10);
  EXPECT_EQ(sum, Epsilon(1, 1));
}

TEST(PrivacyParameters, PureEpsilonIsHalfItsSquareInRho) {
  EXPECT_EQ(RhoOfPure(Epsilon(1, 10)), Rho(1, 200));
}

}  // namespace
}  // namespace tacit
