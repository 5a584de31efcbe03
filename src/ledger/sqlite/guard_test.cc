// Whose ledger it is, who may touch it, and what its owner's key vouches for.

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/secrets/digest.h"
#include "ledger/chain/owner_key.h"
#include "ledger/inspect.h"
#include "ledger/record/record.h"
#include "ledger/testing/sample.h"

namespace tacit::ledger {
namespace {

namespace fs = std::filesystem;
using testing::Folder;
using testing::MakeLedger;
using testing::Sample;
using testing::SampleBy;

OpenOptions With(const std::string& key) {
  OpenOptions options;
  options.key = key;
  return options;
}

const char kOurs[] = "our key";
const char kTheirs[] = "their key";

Ledger MakeBound(const Folder& folder, const std::string& key) {
  TACIT_ASSERT(Ledger::Create(folder.ledger(), With(key)).ok());
  return Ledger::Open(folder.ledger(), With(key)).value();
}

void ChargeAndStore(Ledger& ledger, const std::string& question, const std::string& answer) {
  const Receipt receipt = ledger.Charge(SampleBy("ana", question)).value();
  TACIT_ASSERT(ledger.Store(receipt, 0, answer).ok());
}

void Execute(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  TACIT_ASSERT(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  char* error = nullptr;
  const int code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error);
  EXPECT_EQ(code, SQLITE_OK) << (error != nullptr ? error : "");
  sqlite3_free(error);
  sqlite3_close(handle);
}

TEST(LedgerGuard, ADeletedLedgerIsNotReplaced) {
  const Folder folder;
  ASSERT_TRUE(Ledger::Create(folder.ledger()).ok());
  fs::remove(folder.ledger());
  EXPECT_FALSE(Ledger::Create(folder.ledger()).ok()) << "the head file tells of the deleted one";
  EXPECT_FALSE(Ledger::Open(folder.ledger()).ok());
}

TEST(LedgerGuard, StopsWhenAnotherFileTakesItsPlace) {
  const Folder folder;
  Ledger ledger = MakeLedger(folder);
  ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
  fs::copy_file(folder.ledger(), folder.ledger() + ".copy");
  fs::rename(folder.ledger() + ".copy", folder.ledger());
  const Result<Receipt> refused = ledger.Charge(Sample("r"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
}

TEST(LedgerGuard, AForeignFreshLedgerWithItsHeadIsRefused) {
  const Folder ours;
  {
    Ledger ledger = MakeBound(ours, kOurs);
    ChargeAndStore(ledger, "q", "answer");
  }
  const Folder theirs;
  { Ledger fresh = MakeBound(theirs, kTheirs); }
  fs::remove(ours.ledger() + "-wal");
  fs::copy_file(theirs.ledger(), ours.ledger(), fs::copy_options::overwrite_existing);
  fs::copy_file(theirs.ledger() + "-head", ours.ledger() + "-head",
                fs::copy_options::overwrite_existing);
  EXPECT_FALSE(Ledger::Open(ours.ledger(), With(kOurs)).ok());
}

TEST(LedgerGuard, AHeadThatTheKeyDidNotSignIsRefused) {
  const Folder folder;
  Head first;
  {
    Ledger ledger = MakeBound(folder, kOurs);
    first = ledger.ReadHead().value();
    ChargeAndStore(ledger, "q", "answer");
  }
  // What somebody without the key would write to let the ledger go back to its first record.
  char text[160];
  std::snprintf(text, sizeof text, "tacit-head 2 %020d %s", 1, first.hash.c_str());
  const std::string forged = std::string(text) + " " + Sha256Hex(text).substr(0, 16) + "\n";
  const auto size = fs::file_size(folder.ledger() + "-head");
  std::ofstream(folder.ledger() + "-head", std::ios::trunc) << forged;
  ASSERT_EQ(fs::file_size(folder.ledger() + "-head"), size);
  const Result<Ledger> opened = Ledger::Open(folder.ledger(), With(kOurs));
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().public_message.find("head file"), std::string::npos);
}

std::string NewestHash(const Folder& folder) {
  std::string newest;
  EXPECT_TRUE(ForEachRecord(folder.ledger(), [&](const StoredRecord& record) -> Result<Done> {
                newest = record.hash;
                return Done{};
              }).ok());
  return newest;
}

// The newest answer is under no seal yet: only the key tells a forged one.
TEST(LedgerGuard, AForgedNewestAnswerIsNotReplayedAndDoesNotVerify) {
  const Folder folder;
  {
    Ledger ledger = MakeBound(folder, kOurs);
    ChargeAndStore(ledger, "q", "answer");
  }
  const std::string paying = NewestHash(folder);
  Execute(folder.ledger(),
          "UPDATE answer SET bytes = CAST('forged' AS BLOB); UPDATE release SET "
          "hash = '" +
              ReleaseHash(paying, 0, "forged") + "'");
  Ledger ledger = Ledger::Open(folder.ledger(), With(kOurs)).value();
  const Result<Receipt> replay = ledger.Charge(SampleBy("ana", "q"));
  ASSERT_FALSE(replay.ok()) << "a forged answer was replayed";
  EXPECT_EQ(replay.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(Verify(folder.ledger(), kOurs)->fault, "");
}

TEST(LedgerGuard, NoSealCanBeClaimedToPassAPlainHash) {
  for (const int sealed_by : {-1, 0, 1, 2, 3, 4, 5}) {
    const Folder folder;
    {
      Ledger ledger = MakeBound(folder, kOurs);
      ChargeAndStore(ledger, "q", "answer");
    }
    const std::string paying = NewestHash(folder);
    Execute(folder.ledger(),
            "UPDATE answer SET bytes = CAST('forged' AS BLOB); UPDATE release "
            "SET sealed_by = " +
                std::to_string(sealed_by) + ", hash = '" + ReleaseHash(paying, 0, "forged") + "'");
    Ledger ledger = Ledger::Open(folder.ledger(), With(kOurs)).value();
    EXPECT_FALSE(ledger.Charge(SampleBy("ana", "q")).ok()) << sealed_by;
  }
}

TEST(LedgerGuard, ALedgerOfNobodyBecomesTheOwnersByAnExplicitRecordedAct) {
  const Folder folder;
  {
    Ledger old = MakeLedger(folder);
    ChargeAndStore(old, "q0", "answer 0");
    ChargeAndStore(old, "q1", "answer 1");
  }
  EXPECT_FALSE(Ledger::Open(folder.ledger(), With(kOurs)).ok());
  ASSERT_TRUE(AcceptRestored(folder.ledger(), "made by an older version", kOurs).ok());
  EXPECT_FALSE(Ledger::Open(folder.ledger()).ok());
  EXPECT_EQ(Verify(folder.ledger(), kOurs)->fault, "");
  Ledger ledger = Ledger::Open(folder.ledger(), With(kOurs)).value();
  EXPECT_EQ(ledger.Charge(SampleBy("ana", "q0"))->releases[0].bytes, "answer 0");
  EXPECT_EQ(ledger.Charge(SampleBy("ana", "q1"))->releases[0].bytes, "answer 1");
  ChargeAndStore(ledger, "q2", "answer 2");
  EXPECT_EQ(Verify(folder.ledger(), kOurs)->fault, "");
  // An old answer is vouched for by its seal, and not by its hash.
  Execute(
      folder.ledger(),
      "UPDATE answer SET bytes = CAST('forged' AS BLOB) WHERE bytes = CAST('answer 1' AS BLOB)");
  std::vector<std::string> hashes;
  ASSERT_TRUE(ForEachRecord(folder.ledger(), [&](const StoredRecord& record) -> Result<Done> {
                hashes.push_back(record.hash);
                return Done{};
              }).ok());
  for (size_t i = 0; i < hashes.size(); ++i) {
    Execute(folder.ledger(), "UPDATE release SET hash = '" + ReleaseHash(hashes[i], 0, "forged") +
                                 "' WHERE seq = " + std::to_string(i + 1) +
                                 " AND id IN (SELECT id FROM answer WHERE bytes = CAST('forged' AS "
                                 "BLOB))");
  }
  EXPECT_FALSE(ledger.Charge(SampleBy("ana", "q1")).ok());
}

TEST(LedgerGuard, NobodyGoesOnWithAHeadThatWasReplaced) {
  for (const bool replaced : {false, true}) {
    const Folder folder;
    Ledger ledger = MakeBound(folder, kOurs);
    ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
    const std::string head = folder.ledger() + "-head";
    fs::rename(head, head + ".old");
    if (replaced) fs::copy_file(head + ".old", head);
    const Result<Receipt> refused = ledger.Charge(Sample("next"));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  }
}

TEST(LedgerGuard, ASecondNameIsRefusedAtOpenAndAtEachCharge) {
  for (const char* end : {"", "-head"}) {
    const Folder folder;
    const Folder elsewhere;
    Ledger ledger = MakeBound(folder, kOurs);
    fs::create_hard_link(folder.ledger() + end, elsewhere.ledger() + end);
    EXPECT_FALSE(ledger.Charge(Sample("q")).ok()) << end;
    const Result<Ledger> opened = Ledger::Open(folder.ledger(), With(kOurs));
    ASSERT_FALSE(opened.ok()) << end;
    EXPECT_NE(opened.error().public_message.find("second name"), std::string::npos);
    fs::remove(elsewhere.ledger() + end);
    EXPECT_TRUE(Ledger::Open(folder.ledger(), With(kOurs)).ok()) << end;
  }
}

TEST(LedgerGuard, FilesThatOthersMayTouchAreRefused) {
  for (const char* end : {"", "-head", "-wal", "-shm"}) {
    const Folder folder;
    Ledger ledger = MakeBound(folder, kOurs);
    ASSERT_TRUE(ledger.Charge(Sample("q")).ok());
    for (const mode_t mode : {0640, 0620, 0604, 0602}) {
      ASSERT_EQ(chmod((folder.ledger() + end).c_str(), mode), 0);
      const Result<Ledger> opened = Ledger::Open(folder.ledger(), With(kOurs));
      ASSERT_FALSE(opened.ok()) << end << " " << mode;
      EXPECT_EQ(opened.error().hint, "run: chmod 600 " + folder.ledger() + end);
    }
    ASSERT_EQ(chmod((folder.ledger() + end).c_str(), 0600), 0);
    EXPECT_TRUE(Ledger::Open(folder.ledger(), With(kOurs)).ok()) << end;
  }
}

TEST(LedgerGuard, IsMadeForItsOwnerWhateverTheUmask) {
  for (const mode_t mask : {0, 0777}) {
    const Folder folder;
    const mode_t before = umask(mask);
    { Ledger ledger = MakeBound(folder, kOurs); }
    umask(before);
    for (const char* end : {"", "-head"}) {
      struct stat status {};
      ASSERT_EQ(stat((folder.ledger() + end).c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 07777, 0600u) << end;
    }
    EXPECT_TRUE(Ledger::Open(folder.ledger(), With(kOurs)).ok());
  }
}

TEST(OwnerKey, TellsDeploymentsApartAndNothingOfTheKey) {
  const OwnerKey ours(kOurs);
  EXPECT_EQ(ours.deployment_id().size(), 32u);
  EXPECT_EQ(ours.deployment_id(), OwnerKey(kOurs).deployment_id());
  EXPECT_NE(ours.deployment_id(), OwnerKey(kTheirs).deployment_id());
  EXPECT_TRUE(OwnerKey("").empty());
  EXPECT_NE(ours.AnswerHash("h", 0, "a"), OwnerKey(kTheirs).AnswerHash("h", 0, "a"));
  EXPECT_NE(ours.AnswerHash("h", 0, "a"), ours.AnswerHash("h", 1, "a"));
  EXPECT_EQ(OwnerKey().AnswerHash("h", 0, "a"), ReleaseHash("h", 0, "a"));
}

}  // namespace
}  // namespace tacit::ledger
