#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ledger/testing/ledger_site.h"

// Charges of many threads are written together, and mean what they would mean one by one.

namespace tacit::ledger {
namespace {

using testing::Kept;
using testing::LedgerSite;
using testing::Number;
using testing::Sample;

class GroupCommit : public ::testing::TestWithParam<Kept> {};
INSTANTIATE_TEST_SUITE_P(EveryStorage, GroupCommit, ::testing::ValuesIn(testing::KeptHere()));

TEST_P(GroupCommit, ThreadsThatRaceForTheLastEpsilonNeverOverspend) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  std::atomic<int> granted = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 4; ++i) {
        const auto receipt =
            ledger.Charge(Sample("question " + std::to_string(t) + "." + std::to_string(i)));
        if (receipt.ok()) {
          ++granted;
          EXPECT_EQ(receipt->dataset_cost.epsilon, Number("0.1"));
        } else {
          ++refused;
          EXPECT_EQ(receipt.error().code, ErrorCode::kBudgetExhausted);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(granted, 30);  // 3 at 0.1 each
  EXPECT_EQ(refused, 34);
  EXPECT_EQ(site.Spent(), Number("3"));
  const auto verified = site.Verify();
  EXPECT_EQ(verified->fault, "");
  EXPECT_EQ(verified->charges, 30);
}

TEST_P(GroupCommit, GatewaysThatShareALedgerShareItsBudget) {
  const LedgerSite site(GetParam());
  ASSERT_TRUE(site.Create().ok());
  std::atomic<int> granted = 0;
  std::vector<std::thread> gateways;
  for (int gateway = 0; gateway < 4; ++gateway) {
    gateways.emplace_back([&, gateway] {
      Ledger own = site.Open().value();
      for (int i = 0; i < 12; ++i) {
        const auto receipt =
            own.Charge(Sample("question " + std::to_string(gateway) + "." + std::to_string(i)));
        if (receipt.ok()) {
          ++granted;
        } else {
          EXPECT_EQ(receipt.error().code, ErrorCode::kBudgetExhausted);
        }
      }
    });
  }
  for (std::thread& gateway : gateways) gateway.join();
  EXPECT_EQ(granted, 30);
  EXPECT_EQ(site.Spent(), Number("3"));
  EXPECT_EQ(site.Fault(), "");
}

// Its record would be longer than a record may be: nobody else's charge is refused for that.
TEST_P(GroupCommit, AChargeThatCannotBeRecordedIsRefusedAlone) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  ChargeRequest huge = Sample("huge", "0.0001");
  huge.releases[0].scales.assign(32, Number("1e480"));
  huge.releases.assign(100, huge.releases[0]);
  std::vector<std::thread> threads;
  for (int t = 0; t < 12; ++t) {
    threads.emplace_back([&, t] {
      const Result<Receipt> receipt =
          ledger.Charge(t % 3 == 0 ? huge : Sample("question " + std::to_string(t)));
      EXPECT_EQ(receipt.ok(), t % 3 != 0);
      if (!receipt.ok()) {
        EXPECT_EQ(receipt.error().code, ErrorCode::kInvalidArgument)
            << receipt.error().public_message;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(site.Spent(), Number("0.8"));
  EXPECT_EQ(site.Fault(), "");
}

TEST_P(GroupCommit, EveryReceiptNamesItsOwnRecord) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  std::vector<std::string> receipts(20);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < receipts.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto receipt = ledger.Charge(Sample("question " + std::to_string(t)));
      ASSERT_TRUE(receipt.ok());
      receipts[t] = receipt->name;
      EXPECT_TRUE(ledger.Store(*receipt, 0, "answer " + std::to_string(t)).ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(site.Verify()->fault, "");
  for (size_t t = 0; t < receipts.size(); ++t) {
    const auto again = ledger.Charge(Sample("question " + std::to_string(t)));
    ASSERT_TRUE(again.ok());
    EXPECT_FALSE(again->charged());
    EXPECT_EQ(again->name, receipts[t]);
    EXPECT_EQ(again->releases[0].bytes, "answer " + std::to_string(t));
  }
}

TEST_P(GroupCommit, OneRequestIdIsChargedOnceHoweverManySendIt) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  std::atomic<int> charged = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&] {
      ChargeRequest request = Sample("the question");
      request.request_id = "the id";
      const auto receipt = ledger.Charge(request);
      if (receipt.ok() && receipt->charged()) ++charged;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(charged, 1);
  EXPECT_EQ(site.Spent(), Number("0.1"));
}

TEST_P(GroupCommit, AnAnswerThatIsRefusedAmongOthersIsRefusedAlone) {
  const LedgerSite site(GetParam());
  Ledger ledger = site.Make();
  std::vector<Receipt> receipts;
  for (int i = 0; i < 24; ++i) {
    receipts.push_back(ledger.Charge(Sample("question " + std::to_string(i))).value());
  }
  std::atomic<int> kept = 0, refused = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < receipts.size(); ++t) {
    threads.emplace_back([&, t] {
      Receipt receipt = receipts[t];
      if (t % 6 == 0) receipt.hash = receipts[t + 1].hash;  // never paid for
      const Result<Done> stored = ledger.Store(receipt, 0, "answer " + std::to_string(t));
      EXPECT_EQ(stored.ok(), t % 6 != 0);
      ++(stored.ok() ? kept : refused);
      if (t % 6 != 1) return;
      EXPECT_FALSE(ledger.Store(receipt, 0, "a second answer").ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kept, 20);
  EXPECT_EQ(refused, 4);
  for (size_t t = 0; t < receipts.size(); ++t) {
    const Receipt again = ledger.Quote(Sample("question " + std::to_string(t))).value();
    ASSERT_EQ(again.releases[0].bytes.has_value(), t % 6 != 0);
    EXPECT_EQ(again.releases[0].bytes.value_or(""),
              t % 6 != 0 ? "answer " + std::to_string(t) : "");
  }
  const auto verified = site.Verify();
  EXPECT_EQ(verified->fault, "");
}

}  // namespace
}  // namespace tacit::ledger
