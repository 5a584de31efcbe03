// Memory that is refused within a charge: at every allocation of the program's own, and of
// SQLite's. The ledger goes on, whoever waits is told, and no budget comes back.

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <thread>

#include "base/testing/failing_new.h"
#include "ledger/inspect.h"
#include "ledger/testing/sample.h"

namespace tacit::ledger {
namespace {

using tacit::testing::FailNew;
using tacit::testing::NewFailed;
using testing::Folder;
using testing::Number;
using testing::SampleBy;

// ---- SQLite's own memory

thread_local int64_t sqlite_left = 0;
thread_local bool sqlite_failed = false;
sqlite3_mem_methods system_memory;

bool SqliteFails() {
  if (sqlite_left == 0 || --sqlite_left > 0) return false;
  sqlite_failed = true;
  return true;
}

void FailSqlite(int64_t nth) {
  sqlite_left = nth;
  sqlite_failed = false;
}

const bool kMemoryReplaced = [] {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory);
  sqlite3_mem_methods ours = system_memory;
  ours.xMalloc = [](int size) -> void* {
    return SqliteFails() ? nullptr : system_memory.xMalloc(size);
  };
  ours.xRealloc = [](void* old, int size) -> void* {
    return SqliteFails() ? nullptr : system_memory.xRealloc(old, size);
  };
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &ours) == SQLITE_OK;
}();

// ----

ChargeRequest Ask(const std::string& question) {
  ChargeRequest request = SampleBy("ana", question, "0.001");
  request.limits.dataset = {.epsilon = Number("1000"), .delta = Number("1e-6")};
  request.limits.analyst = Budget{.epsilon = Number("1000"), .delta = Number("1e-6")};
  return request;
}

Rational Spent(const std::string& path) { return ReadAccounts(path).value().at(0).spent.epsilon; }

// Charges under the fault; true when a receipt came back. An exception is the caller's to catch: it
// must leave nothing behind.
bool TryToCharge(Ledger& ledger, const ChargeRequest& request) {
  try {
    const Result<Receipt> receipt = ledger.Charge(request);
    if (!receipt.ok()) {
      TACIT_ASSERT(receipt.error().code == ErrorCode::kUnavailable);
      return false;
    }
    (void)ledger.Store(*receipt, 0, std::string(9000, 'x')).ok();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void ExpectGoesOn(Ledger& ledger, const std::string& path, int64_t n) {
  const Result<Receipt> next = ledger.Charge(Ask("after " + std::to_string(n)));
  ASSERT_TRUE(next.ok()) << "n = " << n << ": " << next.error().public_message;
  ASSERT_TRUE(ledger.Store(*next, 0, "answer").ok()) << n;
  ASSERT_TRUE(ledger.TryToWrite().ok()) << n;
  if (n % 16 != 0) return;
  const Result<Verification> verified = Verify(path);
  ASSERT_TRUE(verified.ok());
  ASSERT_EQ(verified->fault, "") << "n = " << n;
}

// Tries every n until a charge runs without meeting its fault.
template <class Arm, class Happened>
void TryEveryN(Arm arm, Happened happened) {
  const Folder folder;
  Ledger ledger = testing::MakeLedger(folder);
  int64_t n = 1;
  for (; n < 100'000; ++n) {
    const Rational before = Spent(folder.ledger());
    const ChargeRequest request = Ask("question " + std::to_string(n));
    arm(n);
    const bool received = TryToCharge(ledger, request);
    const bool failed = happened();
    FailNew(0);
    FailSqlite(0);
    const Rational spent = Spent(folder.ledger()) - before;
    ASSERT_GE(spent, received ? Number("1/1000") : Number("0")) << "n = " << n;
    ASSERT_LE(spent, Number("1/1000")) << "n = " << n;
    ASSERT_NO_FATAL_FAILURE(ExpectGoesOn(ledger, folder.ledger(), n));
    // Asked again it is paid for once in all.
    ASSERT_TRUE(ledger.Charge(request).ok()) << n;
    if (!failed) break;
  }
  EXPECT_GT(n, 20) << "the faults never reached a charge";
  EXPECT_LT(n, 100'000);
}

TEST(LedgerMemory, EveryAllocationOfAChargeMayBeRefusedOnce) {
  TryEveryN([](int64_t n) { FailNew(n); }, [] { return NewFailed(); });
}

TEST(LedgerMemory, EveryAllocationOfAChargeMayBeRefusedForEver) {
  TryEveryN([](int64_t n) { FailNew(n, true); }, [] { return NewFailed(); });
}

TEST(LedgerMemory, EveryAllocationOfSqliteMayBeRefused) {
  ASSERT_TRUE(kMemoryReplaced);
  TryEveryN(FailSqlite, [] { return sqlite_failed; });
}

TEST(LedgerMemory, ThoseWhoWaitForAWriterThatFailsAreTold) {
  const Folder folder;
  Ledger ledger = testing::MakeLedger(folder);
  for (int64_t n = 1; n < 400; n += 7) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const ChargeRequest request = Ask(std::to_string(n) + " of " + std::to_string(t));
        if (t == 0) FailNew(n, true);
        (void)TryToCharge(ledger, request);
        FailNew(0);
      });
    }
    for (std::thread& thread : threads) thread.join();  // hangs when somebody was forgotten
  }
  ASSERT_NO_FATAL_FAILURE(ExpectGoesOn(ledger, folder.ledger(), 16));
}

}  // namespace
}  // namespace tacit::ledger
