#include "gateway/learning/aggregate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/testing/cells_gateway.h"

namespace tacit::gateway::learning {
namespace {

using ::testing::HasSubstr;

AggregateCall CallOf(const std::string& script, size_t blocks = 8) {
  return {.rows = "SELECT age, member FROM people",
          .blocks = blocks,
          .outputs = 1,
          .low = 0,
          .high = 120,
          .time = std::chrono::milliseconds(300),
          .command = {"sh", "-c", script},
          .visible = {}};
}
constexpr char kMeanOfFirst[] = "awk -F, 'NR > 1 {s += $1; n++} END {print s / n}'";

class AggregateTest : public testing::CellsGateway {
 protected:
  void SetUp() override {
    const Result<Sandbox> sandbox = Sandbox::Of({"true"}, {}, {});
    if (!sandbox.ok() || !sandbox->Check().ok()) {
      GTEST_SKIP() << "programs cannot be shut in here";
    }
  }
  Result<Aggregated> Asked(const AggregateCall& call, const Rational& epsilon) {
    Services services = ServicesNow();
    return AggregateBlocks(call, At("", epsilon, "ana"), services);
  }
};

TEST_F(AggregateTest, GivesTheMeanOfTheBlocksForOneCharge) {
  const Result<Aggregated> first = Asked(CallOf(kMeanOfFirst), 100'000);
  ASSERT_TRUE(first.ok()) << first.error().public_message << first.error().private_detail;
  EXPECT_NEAR(first->means[0].value, 49, 1);  // 18 + (0 ... 62), each about equally often
  EXPECT_EQ(SpentNow().epsilon, 100'000);
  const int runs = engine_->runs;
  const Result<Aggregated> again = Asked(CallOf(kMeanOfFirst), 100'000);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->means[0].value, first->means[0].value);
  EXPECT_EQ(engine_->runs, runs);
  EXPECT_EQ(SpentNow().epsilon, 100'000);
  // Another program is another question.
  ASSERT_TRUE(Asked(CallOf("echo 3"), 100'000).ok());
  EXPECT_EQ(SpentNow().epsilon, 200'000);
}

TEST_F(AggregateTest, EachPersonIsInOneBlockAndEveryRowThere) {
  AggregateCall call = CallOf("awk 'NR > 1' | wc -l", 8);
  call.high = 8000;
  const Result<Aggregated> counted = Asked(call, 1'000'000);
  ASSERT_TRUE(counted.ok()) << counted.error().public_message;
  EXPECT_NEAR(counted->means[0].value * 8, 8000, 1);
}

TEST_F(AggregateTest, AFailureCountsAsTheMiddle) {
  for (const char* script : {"exit 1", "echo a", "echo 1 2", "sleep 9", "echo nan", ""}) {
    const Result<Aggregated> failed = Asked(CallOf(script, 2), 1'000'000);
    ASSERT_TRUE(failed.ok());
    EXPECT_NEAR(failed->means[0].value, 60, 0.01) << script;
  }
}

TEST_F(AggregateTest, TakesAsLongWhateverTheProgramDoes) {
  std::vector<double> seconds;
  for (const char* script : {"echo 1", "sleep 60"}) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_TRUE(Asked(CallOf(script, 3), 1).ok());
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  EXPECT_GT(seconds[0], 2.2);
  EXPECT_NEAR(seconds[0], seconds[1], 0.3);
}

TEST_F(AggregateTest, OnePersonMovesItByNoMoreThanOneBlock) {
  // At a price that leaves no noise, the extremes of one person of many rows.
  const AggregateCall call = CallOf("awk -F, 'NR > 1 && $1 > m {m = $1} END {print m}'", 8);
  const Result<Aggregated> without = Asked(call, 10'000'000);
  Make("add_remove", "pure",
       "INSERT INTO people SELECT 9000, 120, true, 0, 'west', 'Bob' FROM range(90) t(i)");
  const Result<Aggregated> with = Asked(call, 10'000'000);
  ASSERT_TRUE(without.ok() && with.ok());
  EXPECT_NEAR(with->means[0].value - without->means[0].value, (120.0 - 80) / 8, 0.01);
}

TEST_F(AggregateTest, PricesWhoComesAndWhoGoes) {
  const Result<Aggregated> added = Asked(CallOf("echo 1", 2), 1);
  Make("replace_one", "pure");
  const Result<Aggregated> replaced = Asked(CallOf("echo 1", 2), 1);
  ASSERT_TRUE(added.ok() && replaced.ok());
  EXPECT_NEAR(replaced->means[0].se_noise / added->means[0].se_noise, 2, 1e-6);
  EXPECT_NEAR(added->means[0].se_noise, 120.0 / 2 * 1.41421, 0.01);
}

TEST_F(AggregateTest, RefusesBeforeAnythingIsCharged) {
  const auto refused = [&](const AggregateCall& call) { return Asked(call, 1).error(); };
  AggregateCall call = CallOf("echo 1");
  call.command = {"no-such-program"};
  EXPECT_THAT(refused(call).public_message, HasSubstr("no program"));
  call = CallOf("echo 1", 1);
  EXPECT_THAT(refused(call).public_message, HasSubstr("blocks"));
  call = CallOf("echo 1");
  call.high = 0;
  EXPECT_THAT(refused(call).public_message, HasSubstr("no width"));
  call = CallOf("echo 1");
  call.rows = "SELECT x FROM places";
  EXPECT_FALSE(Asked(call, 1).ok());
  call.rows = "SELECT count(*) AS n FROM people";
  EXPECT_THAT(refused(call).public_message, HasSubstr("gives none"));
  EXPECT_EQ(SpentNow().epsilon, 0);
}

TEST(PrintedNumbers, AreReadWhateverWasPrinted) {
  AggregateCall call = CallOf("");
  call.outputs = 2;
  call.high = 65535;
  using Numbers = std::vector<uint16_t>;
  const Numbers middle(2, 32768);
  EXPECT_EQ(PrintedNumbers("1 2\n", call), (Numbers{1, 2}));
  EXPECT_EQ(PrintedNumbers("1,\n2e9", call), (Numbers{1, 65535}));
  EXPECT_EQ(PrintedNumbers("-7;3.4", call), (Numbers{0, 3}));
  for (const char* text : {"", "1", "1 2 3", "1 x", "inf 1", "nan 1", "1 2 \x01"}) {
    EXPECT_EQ(PrintedNumbers(text, call), middle) << text;
  }
  EXPECT_EQ(PrintedNumbers(std::nullopt, call), middle);
  EXPECT_EQ(PrintedNumbers(std::string("1\0 2", 4), call), middle);
}

}  // namespace
}  // namespace tacit::gateway::learning
