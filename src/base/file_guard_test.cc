#include "base/file_guard.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tacit {
namespace {

class FileGuardTest : public ::testing::Test {
 protected:
  FileGuardTest() {
    std::string name = (std::filesystem::temp_directory_path() / "tacit-guard-XXXXXX").string();
    TACIT_ASSERT(mkdtemp(name.data()) != nullptr);
    folder_ = name;
    path_ = folder_ + "/secret";
    std::ofstream(path_) << "x";
  }
  ~FileGuardTest() override { std::filesystem::remove_all(folder_); }

  Result<Done> Check(mode_t mode, bool others_may_read) {
    TACIT_ASSERT(chmod(path_.c_str(), mode) == 0);
    return CheckGuard({.name = "the secret", .path = path_, .others_may_read = others_may_read});
  }

  std::string folder_;
  std::string path_;
};

TEST_F(FileGuardTest, NobodyElseReadsASecretFile) {
  EXPECT_TRUE(Check(0600, false).ok());
  EXPECT_TRUE(Check(0400, false).ok());
  for (const mode_t bit : {S_IRGRP, S_IWGRP, S_IXGRP, S_IROTH, S_IWOTH, S_IXOTH}) {
    const Result<Done> open = Check(0600 | bit, false);
    ASSERT_FALSE(open.ok()) << bit;
    EXPECT_EQ(open.error().code, ErrorCode::kUnavailable);
    EXPECT_EQ(open.error().hint, "run: chmod 600 " + path_);
  }
}

TEST_F(FileGuardTest, NobodyElseWritesAReadableFile) {
  EXPECT_TRUE(Check(0644, true).ok());
  EXPECT_TRUE(Check(0755, true).ok());
  EXPECT_FALSE(Check(0664, true).ok());
  EXPECT_FALSE(Check(0646, true).ok());
}

TEST_F(FileGuardTest, TheOwnerIsTheUserOrRoot) {
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  status.st_mode = S_IFREG | 0600;
  const FileGuard guard{.name = "the secret", .path = path_};
  status.st_uid = 0;
  EXPECT_TRUE(CheckGuard(guard, status).ok());
  status.st_uid = geteuid() + 1;
  EXPECT_FALSE(CheckGuard(guard, status).ok());
}

TEST_F(FileGuardTest, ASecondNameIsRefusedWhereOneIsAsked) {
  ASSERT_TRUE(Check(0600, false).ok());
  std::filesystem::create_hard_link(path_, folder_ + "/other");
  EXPECT_TRUE(CheckGuard({.name = "the secret", .path = path_}).ok());
  const FileGuard guard{.name = "the secret", .path = path_, .has_one_name = true};
  EXPECT_FALSE(CheckGuard(guard).ok());
  std::filesystem::remove(folder_ + "/other");
  EXPECT_TRUE(CheckGuard(guard).ok());
}

TEST(ShellQuoted, IsReadBackByAShell) {
  EXPECT_EQ(ShellQuoted("/srv/clinic-1/ledger.sqlite"), "/srv/clinic-1/ledger.sqlite");
  EXPECT_EQ(ShellQuoted("a b"), "'a b'");
  EXPECT_EQ(ShellQuoted("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(ShellQuoted(""), "''");
}

}  // namespace
}  // namespace tacit
