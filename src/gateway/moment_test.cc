#include "gateway/moment.h"

#include <gtest/gtest.h>

#include "gateway/testing/asked_gateway.h"
#include "sql/constants/calendar.h"

namespace tacit::gateway {
namespace {

class MomentTest : public testing::AskedGateway {};

TEST_F(MomentTest, NowIsRoundedDownToWhatThePolicySays) {
  constexpr int64_t kMinute = 60'000'000;
  constexpr int64_t kMidnight = 19'797 * sql::kDayMicroseconds;
  constexpr int64_t kInstant = kMidnight + (13 * 60 + 47) * kMinute + 12'345'678;
  const std::vector<std::pair<std::string, int64_t>> rounded = {
      {"", kMidnight},
      {"server: {now: day}\n", kMidnight},
      {"server: {now: hour}\n", kMidnight + 13 * 60 * kMinute},
      {"server: {now: minute}\n", kMidnight + (13 * 60 + 47) * kMinute}};
  for (const auto& [server, moment] : rounded) {
    std::string text = testing::kPolicy;
    text.replace(text.find("analysts:"), std::string::npos, server);
    const Result<policy::Policy> policy = policy::Parse(text, (folder_ / "tacit.yaml").string());
    ASSERT_TRUE(policy.ok()) << policy.error().public_message;
    EXPECT_EQ(RoundedNow(*policy, WallTime(std::chrono::microseconds(kInstant))), moment) << server;
  }
}

TEST_F(MomentTest, ARepeatedRequestKeepsTheDayOfItsFirstTry) {
  Request request{
      .text =
          "SELECT count(*) AS n, current_date AS today FROM people WHERE DATE '2020-01-01' + "
          "age < current_date",
      .analyst = "ana",
      .request_id = "daily",
      .wish = {}};
  const int64_t today = RoundedNow(policy_, std::nullopt);
  request.now = today;
  const Result<answer::Answer> first = Ask(request);
  ASSERT_TRUE(first.ok()) << first.error().public_message;
  const Rational spent = Spent();

  // Days later the same request is the same question, and not another one under its id.
  request.now = today + 2 * sql::kDayMicroseconds;
  const Result<answer::Answer> again = Ask(request);
  ASSERT_TRUE(again.ok()) << again.error().public_message;
  EXPECT_EQ(again->rows, first->rows);
  EXPECT_EQ(Spent(), spent);

  // Another request is about its own day.
  request.request_id = "of another day";
  const Result<answer::Answer> later = Ask(request);
  ASSERT_TRUE(later.ok()) << later.error().public_message;
  EXPECT_NE(later->rows[0][1], first->rows[0][1]);
  EXPECT_GT(Spent(), spent);
}

}  // namespace
}  // namespace tacit::gateway
