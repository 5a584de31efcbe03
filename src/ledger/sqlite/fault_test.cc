// TRUST: every failing write, fsync, open and truncation; full disks; power failures.

#include <gtest/gtest.h>

#include "ledger/inspect.h"
#include "ledger/testing/fault_vfs.h"
#include "ledger/testing/sample.h"

namespace tacit::ledger {
namespace {

using testing::ArmFaults;
using testing::Faults;
using testing::Folder;
using testing::Number;
using testing::Sample;

OpenOptions Faulty() {
  OpenOptions options;
  options.vfs = testing::kFaultVfs;
  return options;
}

Rational Spent(const std::string& path) { return ReadAccounts(path).value().at(0).spent.epsilon; }

void ExpectVerifies(const std::string& path) {
  const Result<Verification> result = Verify(path);
  ASSERT_TRUE(result.ok()) << result.error().public_message << result.error().private_detail;
  EXPECT_EQ(result->fault, "");
}

// Opens and charges under the armed fault; true when a receipt came back.
bool TryToCharge(const std::string& path) {
  Result<Ledger> ledger = Ledger::Open(path, Faulty());
  if (!ledger.ok()) {
    EXPECT_EQ(ledger.error().code, ErrorCode::kUnavailable);
    return false;
  }
  Ledger open = std::move(ledger).value();
  const Result<Receipt> receipt = open.Charge(Sample("q"));
  if (!receipt.ok()) {
    EXPECT_EQ(receipt.error().code, ErrorCode::kUnavailable);
    return false;
  }
  (void)open.Store(*receipt, 0, std::string(9000, 'x')).ok();  // may fail: only the answer is lost
  return true;
}

class EveryFault : public ::testing::TestWithParam<Faults> {};

TEST_P(EveryFault, FailsClosedAndVerifiesAfterwards) {
  Faults faults = GetParam();
  int64_t n = 1;
  for (; n < 1000; ++n) {
    const Folder folder;
    ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
    ASSERT_TRUE(Ledger::Open(folder.ledger()).ok());
    faults.fail_at = n;
    ArmFaults(faults);
    const bool received = TryToCharge(folder.ledger());
    const bool happened = testing::FaultHappened();
    ArmFaults({});
    ExpectVerifies(folder.ledger());
    const Rational spent = Spent(folder.ledger());
    EXPECT_GE(spent, received ? Number("0.1") : Number("0")) << "n = " << n;
    EXPECT_LE(spent, Number("0.1"));
    // The disk is well again, and so is a new handle.
    Ledger again = Ledger::Open(folder.ledger()).value();
    EXPECT_TRUE(again.Charge(Sample("another")).ok()) << "n = " << n;
    ExpectVerifies(folder.ledger());
    if (!happened) break;
  }
  EXPECT_GT(n, 5) << "the faults never reached a write";
  EXPECT_LT(n, 1000);
}

INSTANTIATE_TEST_SUITE_P(
    Ledger, EveryFault,
    ::testing::Values(Faults{.fail_at = 0, .for_ever = false, .disk_full = false},
                      Faults{.fail_at = 0, .for_ever = true, .disk_full = false},
                      Faults{.fail_at = 0, .for_ever = false, .disk_full = true},
                      Faults{.fail_at = 0, .for_ever = true, .disk_full = true}));

TEST(LedgerFaults, CreatingFailsWithoutLeavingHalfALedger) {
  for (int64_t n = 1; n < 1000; ++n) {
    const Folder folder;
    ArmFaults({.fail_at = n, .for_ever = true, .disk_full = false});
    const bool made = Ledger::Create(folder.ledger(), Faulty()).ok();
    const bool happened = testing::FaultHappened();
    ArmFaults({});
    if (made) {
      ExpectVerifies(folder.ledger());
    } else {
      EXPECT_TRUE(Ledger::Create(folder.ledger()).ok()) << "n = " << n;
    }
    if (!happened) return;
  }
  FAIL() << "creation never came through";
}

TEST(LedgerFaults, StopsAfterAFailedFsync) {
  const Folder folder;
  ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
  ArmFaults({});
  Ledger ledger = Ledger::Open(folder.ledger(), Faulty()).value();
  ASSERT_TRUE(ledger.Charge(Sample("first")).ok());
  const int64_t before = testing::OperationCount();
  ASSERT_TRUE(ledger.Charge(Sample("second")).ok());
  // The last operation of a charge is its fsync.
  const int64_t per_charge = testing::OperationCount() - before;
  ArmFaults({.fail_at = per_charge, .for_ever = false, .disk_full = false});
  EXPECT_FALSE(ledger.Charge(Sample("third")).ok());
  EXPECT_TRUE(testing::FaultHappened());
  const Result<Receipt> next = ledger.Charge(Sample("fourth"));
  ASSERT_FALSE(next.ok()) << "the disk works again, but nobody knows what it lost";
  EXPECT_EQ(next.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(next.error().public_message.find("stopped"), std::string::npos);
  Ledger again = Ledger::Open(folder.ledger()).value();
  EXPECT_TRUE(again.Charge(Sample("fourth")).ok());
}

TEST(LedgerFaults, GoesOnByItselfWhenAFullDiskHasSpaceAgain) {
  const Folder folder;
  ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
  ArmFaults({});
  Ledger ledger = Ledger::Open(folder.ledger(), Faulty()).value();
  ArmFaults({.fail_at = 1, .for_ever = true, .disk_full = true});
  const Result<Receipt> refused = ledger.Charge(Sample("q"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  ArmFaults({});
  EXPECT_TRUE(ledger.Charge(Sample("q")).ok());
}

TEST(LedgerFaults, TryingToWriteSeesWhatAChargeWouldAndLeavesNoRecord) {
  const Folder folder;
  ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
  ArmFaults({});
  Ledger ledger = Ledger::Open(folder.ledger(), Faulty()).value();
  ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
  const int64_t records = ledger.ReadHead()->records;
  const int64_t syncs = testing::SyncCount();
  EXPECT_TRUE(ledger.TryToWrite().ok());
  EXPECT_GT(testing::SyncCount(), syncs) << "the disk was waited for";
  ArmFaults({.fail_at = 1, .for_ever = true, .disk_full = true});
  EXPECT_FALSE(ledger.TryToWrite().ok());
  EXPECT_TRUE(testing::FaultHappened());
  ArmFaults({});
  EXPECT_TRUE(ledger.TryToWrite().ok()) << "a full disk has space again";
  EXPECT_EQ(ledger.ReadHead()->records, records);
  ExpectVerifies(folder.ledger());
  ArmFaults({.fail_at = 1, .for_ever = true, .disk_full = false});
  EXPECT_FALSE(ledger.TryToWrite().ok());
  ArmFaults({});
  EXPECT_FALSE(ledger.TryToWrite().ok()) << "nobody knows what the disk lost";
  EXPECT_FALSE(ledger.Charge(Sample("another")).ok());
  ExpectVerifies(folder.ledger());
}

TEST(LedgerFaults, AChargeCostsOneFsync) {
  const Folder folder;
  ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
  ArmFaults({});
  Ledger ledger = Ledger::Open(folder.ledger(), Faulty()).value();
  ASSERT_TRUE(ledger.Charge(Sample("first")).ok());  // also syncs the new log's header
  for (int i = 0; i < 25; ++i) {
    const int64_t before = testing::SyncCount();
    const Receipt receipt = ledger.Charge(Sample("q" + std::to_string(i))).value();
    EXPECT_EQ(testing::SyncCount() - before, 1);
    ASSERT_TRUE(ledger.Store(receipt, 0, "answer").ok());
    ASSERT_TRUE(ledger.Charge(Sample("q" + std::to_string(i))).ok());
    EXPECT_EQ(testing::SyncCount() - before, 1) << "storing and replaying are free";
  }
}

TEST(LedgerFaults, APowerFailureLosesNoReceipt) {
  std::mt19937 random(20261115);
  for (int round = 0; round < 60; ++round) {
    const Folder folder;
    ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
    ArmFaults({});
    std::vector<Receipt> receipts;
    {
      Ledger ledger = Ledger::Open(folder.ledger(), Faulty()).value();
      const size_t charges = random() % 12;
      for (size_t i = 0; i < charges; ++i) {
        receipts.push_back(ledger.Charge(Sample("q" + std::to_string(i))).value());
        if (random() % 2 == 0) {
          ASSERT_TRUE(ledger.Store(receipts.back(), 0, std::string(random() % 20000, 'x')).ok());
        }
      }
    }
    testing::LosePower(random, round % 3 == 0);
    std::filesystem::remove(folder.ledger() + "-shm");
    const Result<Ledger> after = Ledger::Open(folder.ledger());
    ASSERT_TRUE(after.ok()) << after.error().public_message << " in round " << round;
    ExpectVerifies(folder.ledger());
    std::map<int64_t, std::string> hashes;
    ASSERT_TRUE(ForEachRecord(folder.ledger(), [&](const StoredRecord& record) -> Result<Done> {
                  hashes[record.sequence] = record.hash;
                  return Done{};
                }).ok());
    for (const Receipt& receipt : receipts) EXPECT_EQ(hashes[receipt.sequence], receipt.hash);
  }
}

}  // namespace
}  // namespace tacit::ledger
