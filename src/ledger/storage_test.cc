// What the ledger makes of a storage that fails, forgets or was written by others, whatever storage
// that is: the one in memory does it on request. (SQLite's own ways to fail: sqlite/fault_test.cc.)

#include "ledger/storage.h"

#include <gtest/gtest.h>

#include "ledger/testing/ledger_site.h"

namespace tacit::ledger {
namespace {

using testing::Kept;
using testing::LedgerSite;
using testing::MemoryFaults;
using testing::MemoryRows;
using testing::Number;
using testing::Sample;
using testing::SampleBy;

ChargeRequest WithId(const std::string& id) {
  ChargeRequest request = SampleBy("ana", "q");
  request.request_id = id;
  return request;
}

// Opens, charges, stores and looks under the armed fault; true when a receipt came back.
bool TryToCharge(const LedgerSite& site) {
  Result<Ledger> opened = site.Open();
  if (!opened.ok()) {
    EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable);
    return false;
  }
  Ledger ledger = std::move(opened).value();
  (void)ledger.Quote(WithId("id")).ok();
  const Result<Receipt> receipt = ledger.Charge(WithId("id"));
  if (!receipt.ok()) {
    EXPECT_EQ(receipt.error().code, ErrorCode::kUnavailable);
    return false;
  }
  (void)ledger.Store(*receipt, 0, "answer").ok();  // may fail: only the answer is lost
  (void)ledger.TryToWrite().ok();
  return true;
}

class EveryCall : public ::testing::TestWithParam<std::tuple<MemoryFaults::Kind, bool>> {};

TEST_P(EveryCall, MayFailAndNoBudgetComesBack) {
  int64_t n = 1;
  for (; n < 1000; ++n) {
    const LedgerSite site(Kept::kInMemory);
    ASSERT_TRUE(site.Create().ok());
    site.memory().ArmFaults({.fail_at = n,
                             .for_ever = std::get<bool>(GetParam()),
                             .kind = std::get<MemoryFaults::Kind>(GetParam())});
    const bool received = TryToCharge(site);
    const bool happened = site.memory().FaultHappened();
    site.memory().ArmFaults({});
    EXPECT_EQ(site.Fault(), "") << "n = " << n;
    const Rational spent = site.Spent();
    EXPECT_GE(spent, received ? Number("0.1") : Number("0")) << "n = " << n;
    EXPECT_LE(spent, Number("0.1")) << "n = " << n;
    // Well again: the id is charged once in all, and a new question is answered.
    Ledger again = site.Open().value();
    const Result<Receipt> repeated = again.Charge(WithId("id"));
    EXPECT_TRUE(repeated.ok() || repeated.error().code == ErrorCode::kUnavailable) << "n = " << n;
    EXPECT_EQ(site.Spent(), Number("0.1")) << "n = " << n;
    EXPECT_TRUE(again.Charge(Sample("another")).ok()) << "n = " << n;
    EXPECT_EQ(site.Fault(), "") << "n = " << n;
    if (!happened) break;
  }
  EXPECT_GT(n, 20) << "the faults never reached a charge";
  EXPECT_LT(n, 1000);
}

INSTANTIATE_TEST_SUITE_P(Storage, EveryCall,
                         ::testing::Combine(::testing::Values(MemoryFaults::Kind::kRefused,
                                                              MemoryFaults::Kind::kUnknown,
                                                              MemoryFaults::Kind::kLostWord),
                                            ::testing::Bool()));

TEST(Storage, StopsTheLedgerWhenNobodyKnowsWhatItHolds) {
  const LedgerSite site(Kept::kInMemory);
  Ledger ledger = site.Make();
  site.memory().ArmFaults({.fail_at = 4, .kind = MemoryFaults::Kind::kUnknown});
  EXPECT_FALSE(ledger.Charge(Sample("q")).ok());
  ASSERT_TRUE(site.memory().FaultHappened());
  site.memory().ArmFaults({});
  const Result<Receipt> next = ledger.Charge(Sample("q"));
  ASSERT_FALSE(next.ok());
  EXPECT_NE(next.error().public_message.find("stopped"), std::string::npos);
  EXPECT_FALSE(ledger.TryToWrite().ok());
  Ledger again = site.Open().value();
  EXPECT_TRUE(again.Charge(Sample("q")).ok());
}

TEST(Storage, ThatRefusesForAWhileIsTriedAgain) {
  const LedgerSite site(Kept::kInMemory);
  Ledger ledger = site.Make();
  site.memory().ArmFaults({.fail_at = 1, .for_ever = true});
  EXPECT_FALSE(ledger.Charge(Sample("q")).ok());
  EXPECT_FALSE(ledger.TryToWrite().ok());
  site.memory().ArmFaults({});
  EXPECT_TRUE(ledger.TryToWrite().ok());
  EXPECT_TRUE(ledger.Charge(Sample("q")).ok());
}

TEST(Storage, IsWaitedForOnceForACharge) {
  const LedgerSite site(Kept::kInMemory);
  Ledger ledger = site.Make();
  for (int i = 0; i < 10; ++i) {
    const int64_t before = site.memory().syncs();
    const Receipt receipt = ledger.Charge(Sample("q" + std::to_string(i))).value();
    EXPECT_EQ(site.memory().syncs() - before, 1);
    ASSERT_TRUE(ledger.Store(receipt, 0, "answer").ok());
    ASSERT_TRUE(ledger.Charge(Sample("q" + std::to_string(i))).ok());
    EXPECT_EQ(site.memory().syncs() - before, 1) << "storing and replaying are free";
  }
}

TEST(Storage, ThatLosesPowerLosesAnswersAndNoReceipt) {
  const LedgerSite site(Kept::kInMemory);
  std::vector<Receipt> receipts;
  {
    Ledger ledger = site.Make();
    for (int i = 0; i < 5; ++i) {
      receipts.push_back(ledger.Charge(Sample("q" + std::to_string(i))).value());
      ASSERT_TRUE(ledger.Store(receipts.back(), 0, "answer").ok());
    }
  }
  site.memory().LosePower();
  EXPECT_EQ(site.Fault(), "");
  const std::vector<StoredRecord> records = site.Records();
  for (const Receipt& receipt : receipts) {
    EXPECT_EQ(records.at(static_cast<size_t>(receipt.sequence - 1)).hash, receipt.hash);
  }
  Ledger ledger = site.Open().value();
  EXPECT_FALSE(ledger.Charge(Sample("q3"))->charged()) << "made durable by the charge after it";
  EXPECT_TRUE(ledger.Charge(Sample("q4"))->charged()) << "nobody waited for the last answer";
}

TEST(Storage, ThatGoesBackIsNoticedAtTheNextChargeAndAtTheNextStart) {
  const LedgerSite site(Kept::kInMemory);
  Ledger ledger = site.Make();
  ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
  const MemoryRows old = site.memory().rows();
  ASSERT_TRUE(ledger.Charge(Sample("r")).ok());
  site.memory().Replace(old);
  const Result<Receipt> refused = ledger.Charge(Sample("s"));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().public_message.find("went back"), std::string::npos);
  EXPECT_FALSE(ledger.Quote(Sample("s")).ok());
  EXPECT_FALSE(site.Open().ok());
}

void ReplaceIn(std::string& text, const std::string& old, const std::string& made) {
  const size_t at = text.find(old);
  TACIT_ASSERT(at != std::string::npos);
  text.replace(at, old.size(), made);
}

// The handle has read and checked these rows before: it must not go on with what it remembers.
TEST(Storage, IsBelievedOnlyAsFarAsTheChainReaches) {
  const auto edits = {+[](MemoryRows& rows) { ReplaceIn(rows.accounts[""], "0.1", "0.0"); },
                      +[](MemoryRows& rows) { rows.accounts.erase("ana"); },
                      +[](MemoryRows& rows) { rows.declared["terms"] = "row pure"; },
                      +[](MemoryRows& rows) { rows.records.rbegin()->second.body += " "; },
                      +[](MemoryRows& rows) { rows.records.rbegin()->second.hash[0] ^= 1; },
                      +[](MemoryRows& rows) { rows.records.erase(rows.records.rbegin()->first); }};
  for (const auto edit : edits) {
    const LedgerSite site(Kept::kInMemory);
    Ledger ledger = site.Make();
    ASSERT_TRUE(ledger.Charge(SampleBy("ana", "q")).ok());
    const MemoryRows intact = site.memory().rows();
    MemoryRows rows = intact;
    edit(rows);
    site.memory().Replace(rows);
    const Result<Receipt> refused = ledger.Charge(SampleBy("ana", "r"));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
    EXPECT_FALSE(ledger.Quote(SampleBy("ana", "r")).ok());
    site.memory().Replace(intact);
    EXPECT_TRUE(ledger.Charge(SampleBy("ana", "r")).ok()) << "put back, it goes on";
  }
}

// Somebody who may write everything, and knows how the chain is made, adds a record that brings all
// of the budget back: nothing about the last record and its totals is wrong, but that they are not
// the sums.
TEST(Storage, ARecordThatBringsBudgetBackIsFoundAtTheNextCharge) {
  const LedgerSite site(Kept::kInMemory);
  Ledger ledger = site.Make();
  ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
  MemoryRows rows = site.memory().rows();
  const StoredRecord last = rows.records.rbegin()->second;
  // The books of a ledger that was never charged.
  const LedgerSite fresh(Kept::kInMemory);
  Ledger unspent = fresh.Make();
  const MemoryRows before = fresh.memory().rows();
  rows.accounts = before.accounts;
  rows.declared = before.declared;
  Books books;
  books.sequence = last.sequence + 1;
  books.entries[""];
  const Record forged{.sequence = books.sequence,
                      .time = TimeText(nullptr),
                      .state = HashOf(books),
                      .act = DataAct{{.data_version = 2, .what = "forged"}}};
  const std::string body = WriteRecord(forged);
  rows.records.emplace(
      forged.sequence,
      StoredRecord{.sequence = forged.sequence, .body = body, .hash = ChainHash(last.hash, body)});
  site.memory().Replace(rows);
  const Result<Receipt> refused = ledger.Charge(Sample("r"));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().public_message.find("not the sums"), std::string::npos)
      << refused.error().public_message;
  EXPECT_NE(site.Fault(), "");
}

struct RowEdit {
  const char* fault;
  void (*edit)(MemoryRows& rows);
};

class VerifyNamesRows : public ::testing::TestWithParam<RowEdit> {};

TEST_P(VerifyNamesRows, TheFirstBadOneAndWhatIsWrong) {
  const LedgerSite site(Kept::kInMemory);
  {
    Ledger ledger = site.Make();
    for (int i = 0; i < 9; ++i) {
      const Receipt receipt =
          ledger.Charge(SampleBy(i % 2 == 0 ? "ana" : "bob", "q" + std::to_string(i))).value();
      ASSERT_TRUE(ledger.Store(receipt, 0, "answer " + std::to_string(i)).ok());
    }
  }
  ASSERT_EQ(site.Fault(), "");
  MemoryRows rows = site.memory().rows();
  GetParam().edit(rows);
  site.memory().Replace(rows);
  EXPECT_NE(site.Fault().find(GetParam().fault), std::string::npos) << site.Fault();
}

INSTANTIATE_TEST_SUITE_P(
    Storage, VerifyNamesRows,
    ::testing::Values(
        RowEdit{"record 7: its hash",
                [](MemoryRows& rows) {
                  ReplaceIn(rows.records[7].body, R"("epsilon":"0.1")", R"("epsilon":"0.0")");
                }},
        RowEdit{"record 8 is missing", [](MemoryRows& rows) { rows.records.erase(8); }},
        RowEdit{"accounts",
                [](MemoryRows& rows) { rows.records.erase(rows.records.rbegin()->first); }},
        RowEdit{"record 5", [](MemoryRows& rows) { rows.records[5].body = rows.records[6].body; }},
        RowEdit{"accounts are not the sums",
                [](MemoryRows& rows) { ReplaceIn(rows.accounts[""], "0.9", "0.1"); }},
        RowEdit{"payments", [](MemoryRows& rows) { rows.payments.erase(rows.payments.begin()); }},
        RowEdit{"stored answer",
                [](MemoryRows& rows) { rows.answers.rbegin()->second.bytes = "forged"; }},
        RowEdit{"stored answers that it sealed",
                [](MemoryRows& rows) { rows.answers.erase(rows.answers.begin()); }},
        RowEdit{"request ids", [](MemoryRows& rows) {
                  rows.requests[{"ana", "forged"}] = 5;
                }}));

}  // namespace
}  // namespace tacit::ledger
