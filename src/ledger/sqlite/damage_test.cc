// TRUST: torn tails, truncation, bit flips, old copies. A damaged ledger is refused, or it is whole
// where it matters: it never has more budget than the intact one.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "ledger/inspect.h"
#include "ledger/testing/sample.h"

namespace tacit::ledger {
namespace {

using testing::Folder;
using testing::MakeLedger;
using testing::Number;
using testing::Sample;
using testing::SampleBy;

bool Long() { return std::getenv("TACIT_LONG") != nullptr; }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
  std::filesystem::permissions(path, std::filesystem::perms(0600));
}

// The files of a ledger with nine charges (0.9 of 3 spent), in its log or checkpointed.
std::map<std::string, std::string> Files(bool checkpointed) {
  const Folder folder;
  Ledger ledger = MakeLedger(folder);
  for (int i = 0; i < 9; ++i) {
    const Receipt receipt =
        ledger.Charge(SampleBy(i % 2 == 0 ? "ana" : "bob", "q" + std::to_string(i))).value();
    TACIT_ASSERT(ledger.Store(receipt, 0, "answer " + std::to_string(i)).ok());
  }
  if (checkpointed) {
    sqlite3* handle = nullptr;
    TACIT_ASSERT(sqlite3_open(folder.ledger().c_str(), &handle) == SQLITE_OK);
    TACIT_ASSERT(sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr,
                              nullptr) == SQLITE_OK);
    sqlite3_close(handle);
  }
  std::map<std::string, std::string> files;
  for (const char* end : {"", "-wal", "-head"}) files[end] = ReadFile(folder.ledger() + end);
  return files;
}

void PutFiles(const Folder& folder, const std::map<std::string, std::string>& files) {
  for (const auto& [end, bytes] : files) WriteFile(folder.ledger() + end, bytes);
}

// Whatever was done to it: either it is refused, or nobody has more than before.
void ExpectNoMoreBudget(const std::map<std::string, std::string>& files, const std::string& what) {
  const Folder folder;
  PutFiles(folder, files);
  Result<Ledger> opened = Ledger::Open(folder.ledger());
  if (!opened.ok()) {
    EXPECT_EQ(opened.error().code, ErrorCode::kUnavailable) << what;
    EXPECT_FALSE(opened.error().public_message.empty());
    return;
  }
  Ledger ledger = std::move(opened).value();
  const Result<Balance> balance = ledger.BalanceOf("", Accounting::kPure, std::nullopt);
  if (balance.ok()) {
    EXPECT_GE(balance->spent.epsilon, Number("0.9")) << what;
  }
  // bob has not paid for q0, ana has.
  const Result<Receipt> unpaid = ledger.Quote(SampleBy("bob", "q0"));
  if (unpaid.ok()) {
    EXPECT_EQ(unpaid->analyst_cost.epsilon, Number("0.1")) << what;
  }
  const Result<Receipt> too_much = ledger.Charge(Sample("new", "2.2"));
  EXPECT_FALSE(too_much.ok()) << what;
  const Result<Receipt> replay = ledger.Charge(SampleBy("ana", "q0"));
  if (replay.ok() && replay->releases[0].bytes) {
    EXPECT_EQ(*replay->releases[0].bytes, "answer 0") << what;
  }
}

TEST(LedgerDamage, FlippedBitsNeverGiveBudgetBack) {
  std::mt19937 random(1);
  int tried = 0;
  for (const bool checkpointed : {false, true}) {
    const std::map<std::string, std::string> intact = Files(checkpointed);
    ExpectNoMoreBudget(intact, "intact");
    for (const auto& [end, bytes] : intact) {
      if (bytes.empty()) continue;
      const size_t samples = Long() ? bytes.size() : 250;
      for (size_t sample = 0; sample < samples; ++sample, ++tried) {
        const size_t place = Long() ? sample : random() % bytes.size();
        std::map<std::string, std::string> files = intact;
        files[end][place] = static_cast<char>(files[end][place] ^ (1 << random() % 8));
        ExpectNoMoreBudget(files, "bit flip in ledger.sqlite" + end + " at " +
                                      std::to_string(place) + (checkpointed ? " (moved)" : ""));
      }
    }
  }
  std::printf("bit flips tried: %d\n", tried);
}

TEST(LedgerDamage, TruncatedFilesNeverGiveBudgetBack) {
  std::mt19937 random(2);
  for (const bool checkpointed : {false, true}) {
    const std::map<std::string, std::string> intact = Files(checkpointed);
    for (const auto& [end, bytes] : intact) {
      if (bytes.empty()) continue;
      for (size_t sample = 0; sample < (Long() ? 2000u : 60u); ++sample) {
        std::map<std::string, std::string> files = intact;
        files[end].resize(sample == 0 ? 0 : random() % bytes.size());
        ExpectNoMoreBudget(files,
                           "ledger.sqlite" + end + " cut to " + std::to_string(files[end].size()));
      }
    }
  }
}

TEST(LedgerDamage, ALostLogIsNoticed) {
  std::map<std::string, std::string> files = Files(false);
  files.erase("-wal");
  const Folder folder;
  PutFiles(folder, files);
  const Result<Ledger> opened = Ledger::Open(folder.ledger());
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().public_message.find("went back"), std::string::npos);
}

TEST(LedgerDamage, AnOldCopyIsRefusedUntilTheOwnerAcceptsItAndThatIsRecorded) {
  const Folder folder;
  Ledger ledger = MakeLedger(folder);
  const std::string old = ReadFile(folder.ledger());
  ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
  const std::string head = ReadFile(folder.ledger() + "-head");
  const Folder restored;
  PutFiles(restored, {{"", old}, {"-head", head}});
  EXPECT_FALSE(Ledger::Open(restored.ledger()).ok());
  ASSERT_TRUE(AcceptRestored(restored.ledger(), "the disk died").ok());
  ASSERT_TRUE(Ledger::Open(restored.ledger()).ok());
  EXPECT_EQ(Verify(restored.ledger())->fault, "");
  std::string last;
  ASSERT_TRUE(ForEachRecord(restored.ledger(), [&](const StoredRecord& record) -> Result<Done> {
                last = record.body;
                return Done{};
              }).ok());
  EXPECT_NE(last.find("the disk died"), std::string::npos);
  EXPECT_NE(last.find(ledger.ReadHead()->hash), std::string::npos) << "what was lost is named";
}

// Edits by someone who knows SQL, and what verify says about each.
struct Edit {
  const char* sql;
  const char* fault;
};

class VerifyNames : public ::testing::TestWithParam<Edit> {};

TEST_P(VerifyNames, TheFirstBadRecordAndWhatIsWrong) {
  const Folder folder;
  PutFiles(folder, Files(false));
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(folder.ledger().c_str(), &handle), SQLITE_OK);
  char* message = nullptr;
  ASSERT_EQ(sqlite3_exec(handle, GetParam().sql, nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(handle);
  const Result<Verification> result = Verify(folder.ledger());
  ASSERT_TRUE(result.ok());
  EXPECT_NE(result->fault.find(GetParam().fault), std::string::npos) << result->fault;
}

INSTANTIATE_TEST_SUITE_P(
    LedgerDamage, VerifyNames,
    ::testing::Values(
        Edit{"UPDATE record SET body = replace(body, '\"epsilon\":\"0.1\"', '\"epsilon\":\"0.0\"') "
             "WHERE seq = 7",
             "record 7: its hash"},
        Edit{"DELETE FROM record WHERE seq = 8", "record 8 is missing"},
        Edit{"DELETE FROM record WHERE seq = (SELECT max(seq) FROM record)", "accounts"},
        Edit{"UPDATE record SET body = (SELECT body FROM record WHERE seq = 6) WHERE seq = 5",
             "record 5"},
        Edit{"UPDATE book SET entry = replace(entry, '0.9', '0.1') WHERE analyst = ''",
             "accounts are not the sums"},
        Edit{"DELETE FROM payment WHERE analyst = 'ana'", "payments"},
        Edit{"UPDATE answer SET bytes = x'00' WHERE id = 3", "stored answer"},
        Edit{"DELETE FROM release WHERE id = 2", "stored answers that it sealed"},
        Edit{"INSERT INTO request VALUES ('ana', 'forged', 5)", "request ids"}));

TEST(LedgerDamage, ANewerFormatIsRefusedByName) {
  const Folder folder;
  MakeLedger(folder);
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(folder.ledger().c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "PRAGMA user_version = 2", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(handle);
  const Result<Ledger> opened = Ledger::Open(folder.ledger());
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().public_message.find("format 2"), std::string::npos);
}

TEST(LedgerDamage, AReadOnlyLedgerRefusesCharges) {
  const Folder folder;
  MakeLedger(folder);
  const std::string path = folder.ledger();
  // Root may write anywhere: a child without privileges tries.
  const pid_t process = fork();
  if (process == 0) {
    if (geteuid() == 0) {
      for (const char* end : {"", "-head", "-wal", "-shm"}) {
        (void)!chown((path + end).c_str(), 65534, 65534);
      }
      chmod(folder.path().c_str(), 0755);
      if (setgid(65534) != 0 || setuid(65534) != 0) _exit(9);
    }
    chmod(path.c_str(), 0400);
    chmod(folder.path().c_str(), 0500);
    Result<Ledger> opened = Ledger::Open(path);
    if (!opened.ok()) _exit(opened.error().code == ErrorCode::kUnavailable ? 0 : 1);
    Ledger ledger = std::move(opened).value();
    const Result<Receipt> receipt = ledger.Charge(Sample("q"));
    _exit(!receipt.ok() && receipt.error().code == ErrorCode::kUnavailable ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tacit::ledger
