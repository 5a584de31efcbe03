#include "wire/service/time_grid.h"

#include <gtest/gtest.h>

namespace tacit::wire {
namespace {

using std::chrono::milliseconds;
using Moment = std::chrono::steady_clock::time_point;

// Whoever asks chooses the moment: it must not decide between which two answers an instant falls.
TEST(TimeGrid, AStoredAndAFreshAnswerLeaveTogetherWheneverTheyWereAsked) {
  for (int phase = 0; phase < 200; ++phase) {
    const Moment asked = Moment(milliseconds(1'000'000 + phase));
    for (int took = 0; took < 50; ++took) {
      EXPECT_EQ(NextTick(asked, asked + milliseconds(took), 50), asked + milliseconds(50));
    }
    EXPECT_EQ(NextTick(asked, asked + milliseconds(50), 50), asked + milliseconds(100));
    EXPECT_EQ(NextTick(asked, asked + milliseconds(149), 50), asked + milliseconds(150));
  }
}

TEST(TimeGrid, WithoutAPeriodAnswersLeaveAtOnce) {
  const Moment now = Moment(milliseconds(1234));
  EXPECT_EQ(NextTick(Moment(milliseconds(1000)), now, 0), now);
}

}  // namespace
}  // namespace tacit::wire
