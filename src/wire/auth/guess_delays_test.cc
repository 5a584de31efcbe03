#include "wire/auth/guess_delays.h"

#include <gtest/gtest.h>

namespace tacit::wire {
namespace {

using Instant = GuessDelays::Instant;

TEST(GuessDelays, WrongGuessesSlowTheAccountFromThatAddressAndNothingElse) {
  GuessDelays guesses;
  const Instant now = Instant() + std::chrono::hours(1);
  for (int i = 0; i < GuessDelays::kFreeGuesses; ++i) guesses.AddWrong("ana", "proxy", now);
  EXPECT_EQ(guesses.Of("ana", "proxy", now).count(), 0);
  for (int i = 0; i < 1000; ++i) guesses.AddWrong("ana", "proxy", now);
  EXPECT_EQ(guesses.Of("ana", "proxy", now), GuessDelays::kMost);
  EXPECT_EQ(guesses.Of("ana", "elsewhere", now).count(), 0);
  int slowed = 0;
  for (int i = 0; i < 640; ++i) {
    slowed += guesses.Of("analyst " + std::to_string(i), "proxy", now).count() > 0 ? 1 : 0;
  }
  EXPECT_LT(slowed, 60) << "about one in 64 shares the account's place";
}

TEST(GuessDelays, AreForgottenWithTimeAndNotByOtherGuesses) {
  GuessDelays guesses;
  Instant now = Instant() + std::chrono::hours(1);
  for (int i = 0; i < 1000; ++i) guesses.AddWrong("ana", "proxy", now);
  // Names that do not exist, and other addresses up to the limit, take no place away.
  for (int i = 0; i < 2000; ++i) guesses.AddWrong("nobody " + std::to_string(i), "proxy", now);
  for (int i = 0; i < 2000; ++i) guesses.AddWrong("ana", std::to_string(i), now);
  EXPECT_EQ(guesses.Of("ana", "proxy", now), GuessDelays::kMost);
  now += std::chrono::minutes(2);
  EXPECT_EQ(guesses.Of("ana", "proxy", now).count(), 0);
}

}  // namespace
}  // namespace tacit::wire
