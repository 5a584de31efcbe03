#include "base/new_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/whole_file.h"

namespace tacit {
namespace {

namespace fs = std::filesystem;

class NewFileTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directory(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  size_t Files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  fs::path folder_ = fs::path(::testing::TempDir()) / ("new_file_" + std::to_string(::getpid()));
};

TEST_F(NewFileTest, AppearsWholeWhenFinished) {
  const std::string path = folder_ / "out.csv";
  {
    NewFile file = NewFile::Create(path).value();
    ASSERT_TRUE(file.Write("a\n").ok());
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(file.Write("1\n").ok());
    ASSERT_TRUE(file.Finish().ok());
  }
  EXPECT_EQ(WholeFile(path), "a\n1\n");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(NewFileTest, LeavesNothingWhenItIsNotFinished) {
  {
    NewFile file = NewFile::Create(folder_ / "out.csv").value();
    ASSERT_TRUE(file.Write("half of it").ok());
  }
  EXPECT_EQ(Files(), 0u);
}

TEST_F(NewFileTest, TakesTheOldFilesPlaceOnlyAtTheEnd) {
  const std::string path = folder_ / "out.csv";
  for (const char* text : {"old", "new"}) {
    NewFile file = NewFile::Create(path).value();
    ASSERT_TRUE(file.Write(text).ok());
    ASSERT_TRUE(file.Finish().ok());
  }
  { const Result<NewFile> never_finished = NewFile::Create(path); }
  EXPECT_EQ(WholeFile(path), "new");
}

TEST_F(NewFileTest, AFolderThatIsNotThereIsAnError) {
  EXPECT_EQ(NewFile::Create("/nowhere/out.csv").error().public_message,
            "cannot write /nowhere/out.csv: No such file or directory");
}

TEST_F(NewFileTest, NeverTakesThePlaceOfADeviceOrAFolder) {
  EXPECT_EQ(NewFile::Create("/dev/full").error().public_message,
            "cannot write /dev/full: it is there and is no file");
  EXPECT_FALSE(NewFile::Create(folder_).ok());
  EXPECT_EQ(Files(), 0u);
}

TEST_F(NewFileTest, ADiskThatIsFullIsAnErrorAndLeavesNothing) {
  // A limit on the size of files fails as a full disk does: write() says no half way.
  struct rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {.rlim_cur = 1000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  {
    NewFile file = NewFile::Create(folder_ / "out.csv").value();
    EXPECT_FALSE(file.Write(std::string(5000, 'x')).ok());
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(Files(), 0u);
}

}  // namespace
}  // namespace tacit
