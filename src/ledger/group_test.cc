#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ledger/inspect.h"
#include "ledger/testing/sample.h"

// Charges of many threads are written together, and mean what they would mean one by one.

namespace tacit::ledger {
namespace {

using testing::Folder;
using testing::MakeLedger;
using testing::Number;
using testing::Sample;

TEST(GroupCommit, ThreadsThatRaceForTheLastEpsilonNeverOverspend) {
  const Folder folder;
  Ledger ledger = MakeLedger(folder);
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
  EXPECT_EQ(ReadAccounts(folder.ledger())->at(0).spent.epsilon, Number("3"));
  const auto verified = Verify(folder.ledger());
  EXPECT_EQ(verified->fault, "");
  EXPECT_EQ(verified->charges, 30);
}

TEST(GroupCommit, EveryReceiptNamesItsOwnRecord) {
  const Folder folder;
  Ledger ledger = MakeLedger(folder);
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
  EXPECT_EQ(Verify(folder.ledger())->fault, "");
  for (size_t t = 0; t < receipts.size(); ++t) {
    const auto again = ledger.Charge(Sample("question " + std::to_string(t)));
    ASSERT_TRUE(again.ok());
    EXPECT_FALSE(again->charged());
    EXPECT_EQ(again->name, receipts[t]);
    EXPECT_EQ(again->releases[0].bytes, "answer " + std::to_string(t));
  }
}

TEST(GroupCommit, OneRequestIdIsChargedOnceHoweverManySendIt) {
  const Folder folder;
  Ledger ledger = MakeLedger(folder);
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
  EXPECT_EQ(ReadAccounts(folder.ledger())->at(0).spent.epsilon, Number("0.1"));
}

TEST(GroupCommit, AnAnswerThatIsRefusedAmongOthersIsRefusedAlone) {
  const Folder folder;
  Ledger ledger = MakeLedger(folder);
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
  const auto verified = Verify(folder.ledger());
  EXPECT_EQ(verified->fault, "");
}

}  // namespace
}  // namespace tacit::ledger
