#include <gtest/gtest.h>

#include "base/secrets/digest.h"
#include "owner/keys/deployment_key.h"
#include "owner/keys/guarded_files.h"
#include "owner/testing/folder.h"

namespace tacit::owner {
namespace {

using testing::Folder;
using testing::kPeople;

const std::string kKey(kKeyBytes, '\xa7');

TEST(DeploymentKey, IsReadAsHexadecimalDigits) {
  const Folder folder;
  const policy::Policy policy = folder.PolicyWith(kPeople);
  folder.Write("tacit.key", kKey);
  const Result<SecretBytes> key = ReadDeploymentKey(policy);
  ASSERT_TRUE(key.ok()) << key.error().public_message;
  EXPECT_EQ(key->view(), HexOf(kKey));
}

TEST(DeploymentKey, IsNeverInventedCutOrTakenFromOthersHands) {
  const Folder folder;
  const policy::Policy policy = folder.PolicyWith(kPeople);
  EXPECT_EQ(ReadDeploymentKey(policy).error().code, ErrorCode::kUnavailable);
  for (const std::string& bytes : {std::string(), kKey.substr(1), kKey + "x"}) {
    folder.Write("tacit.key", bytes);
    const Result<SecretBytes> key = ReadDeploymentKey(policy);
    ASSERT_FALSE(key.ok()) << bytes.size();
    EXPECT_NE(key.error().public_message.find("not 32 bytes"), std::string::npos);
  }
  for (const mode_t mode : {0640, 0604, 0620, 0602}) {
    folder.Write("tacit.key", kKey, mode);
    EXPECT_FALSE(ReadDeploymentKey(policy).ok()) << mode;
  }
  folder.Write("tacit.key", kKey);
  std::filesystem::create_hard_link(folder.File("tacit.key"), folder.File("another name"));
  EXPECT_FALSE(ReadDeploymentKey(policy).ok());
}

TEST(GuardedFiles, RowsKeyAndLedgerAreForTheOwnerAndThePolicyForReaders) {
  const Folder folder;
  const policy::Policy policy = folder.PolicyWith(kPeople);
  folder.Write("tacit.yaml", "policy", 0644);
  for (const char* name : {"tacit.key", "ledger.sqlite", "ledger.sqlite-head", "data.duckdb"}) {
    folder.Write(name, "bytes");
  }
  ASSERT_TRUE(CheckGuardedFiles(policy).ok()) << CheckGuardedFiles(policy).error().public_message;
  for (const char* name : {"tacit.key", "ledger.sqlite", "ledger.sqlite-head", "ledger.sqlite-wal",
                           "ledger.sqlite-shm", "data.duckdb", "data.duckdb.wal"}) {
    folder.Write(name, "bytes", 0640);
    const Result<Done> checked = CheckGuardedFiles(policy);
    ASSERT_FALSE(checked.ok()) << name;
    EXPECT_NE(checked.error().hint.find(name), std::string::npos) << checked.error().hint;
    folder.Write(name, "bytes");
  }
  folder.Write("tacit.yaml", "policy", 0664);
  EXPECT_FALSE(CheckGuardedFiles(policy).ok()) << "whoever writes the policy sets the price";
  folder.Write("tacit.yaml", "policy", 0644);
  ASSERT_EQ(chmod(folder.path().c_str(), 0770), 0);
  EXPECT_FALSE(CheckGuardedFiles(policy).ok()) << "whoever writes the folder replaces the files";
}

}  // namespace
}  // namespace tacit::owner
