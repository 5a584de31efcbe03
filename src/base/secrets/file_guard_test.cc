#include "base/secrets/file_guard.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/testing/folder.h"

namespace tacit {
namespace {

class FileGuardTest : public ::testing::Test {
 protected:
  FileGuardTest() { folder_.Write("secret", "x"); }

  Result<Done> Check(mode_t mode, bool others_may_read) {
    TACIT_ASSERT(chmod(path_.c_str(), mode) == 0);
    return CheckGuard({.name = "the secret", .path = path_, .others_may_read = others_may_read});
  }

  testing::Folder folder_;
  std::string path_ = folder_.File("secret");
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
  std::filesystem::create_hard_link(path_, folder_.path() + "/other");
  EXPECT_TRUE(CheckGuard({.name = "the secret", .path = path_}).ok());
  const FileGuard guard{.name = "the secret", .path = path_, .has_one_name = true};
  EXPECT_FALSE(CheckGuard(guard).ok());
  std::filesystem::remove(folder_.path() + "/other");
  EXPECT_TRUE(CheckGuard(guard).ok());
}

}  // namespace
}  // namespace tacit
