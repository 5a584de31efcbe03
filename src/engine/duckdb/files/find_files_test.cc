#include "engine/duckdb/files/find_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/testing/folder.h"

namespace tacit::engine::duckdb {
namespace {

class FindFilesTest : public ::testing::Test {
 protected:
  void Make(const std::string& name) {
    std::filesystem::create_directories(std::filesystem::path(folder_.File(name)).parent_path());
    folder_.Write(name, name);
  }
  // Without the folder, joined by blanks.
  std::string Find(const std::string& pattern) {
    const Result<std::vector<std::string>> found = FindFiles(folder_.File(pattern));
    if (!found.ok()) return "refused: " + found.error().public_message;
    std::string text;
    for (const std::string& path : *found) {
      EXPECT_TRUE(path.starts_with(folder_.path() + "/")) << path;
      text += (text.empty() ? "" : " ") + path.substr(folder_.path().size() + 1);
    }
    return text;
  }
  bool IsRefused(const std::string& pattern, const std::string& because) {
    const std::string said = Find(pattern);
    const bool refused = said.starts_with("refused") && said.find(because) != std::string::npos;
    if (!refused) ADD_FAILURE() << pattern << ": " << said;
    return refused;
  }

  tacit::testing::Folder folder_;
};

TEST_F(FindFilesTest, APatternMeansTheSameFilesInTheSameOrder) {
  for (const char* name : {"b.parquet", "a.parquet", "c.txt", "y/2024/1.parquet",
                           "y/2023/1.parquet", "y/2023/z/2.parquet"}) {
    Make(name);
  }
  EXPECT_EQ(Find("*.parquet"), "a.parquet b.parquet");
  EXPECT_EQ(Find("b.parquet"), "b.parquet");
  EXPECT_EQ(Find("[bc].*"), "b.parquet c.txt");
  EXPECT_EQ(Find("y/*/*.parquet"), "y/2023/1.parquet y/2024/1.parquet");
  EXPECT_EQ(Find("y/20?4/1.parquet"), "y/2024/1.parquet");
  EXPECT_EQ(Find("y/**/*.parquet"), "y/2023/1.parquet y/2023/z/2.parquet y/2024/1.parquet");
  EXPECT_EQ(Find("**/1.parquet"), "y/2023/1.parquet y/2024/1.parquet");
}

TEST_F(FindFilesTest, WhatIsHalfWrittenIsPassedOver) {
  for (const char* name :
       {"a.parquet", "_temporary/b.parquet", ".a.parquet.crc", ".c.parquet", "_d.parquet"}) {
    Make(name);
  }
  EXPECT_EQ(Find("*.parquet"), "a.parquet");
  EXPECT_EQ(Find("**/*.parquet"), "a.parquet");
  EXPECT_EQ(Find("_*.parquet"), "_d.parquet");
}

TEST_F(FindFilesTest, WhatIsNoReadableFileIsRefusedAndNeverPassedOver) {
  Make("a.parquet");
  EXPECT_TRUE(IsRefused("b.parquet", "there is no file"));
  EXPECT_TRUE(IsRefused("*.csv", "no file matches"));
  EXPECT_TRUE(IsRefused("nowhere/*.parquet", "no file matches"));
  std::filesystem::create_directory(folder_.File("f.parquet"));
  EXPECT_TRUE(IsRefused("*.parquet", "is not a file"));
  std::filesystem::remove(folder_.File("f.parquet"));
  std::filesystem::create_symlink(folder_.File("gone"), folder_.File("g.parquet"));
  EXPECT_TRUE(IsRefused("*.parquet", "cannot be looked at"));
  std::filesystem::remove(folder_.File("g.parquet"));
  ASSERT_EQ(::mkfifo(folder_.File("h.parquet").c_str(), 0600), 0);
  EXPECT_TRUE(IsRefused("*.parquet", "is not a file")) << "it would be waited for";
  std::filesystem::remove(folder_.File("h.parquet"));
  folder_.Write("i.parquet", "", 0666);
  EXPECT_TRUE(IsRefused("*.parquet", "everybody on this machine may write"));
  std::filesystem::remove(folder_.File("i.parquet"));
  Make("j*.parquet");
  EXPECT_TRUE(IsRefused("*.parquet", "holds *"));
  std::filesystem::remove(folder_.File("j*.parquet"));
  EXPECT_EQ(Find("*.parquet"), "a.parquet");
}

TEST_F(FindFilesTest, LinksAreFollowedAndNoFileCountsTwice) {
  Make("2024/a.parquet");
  std::filesystem::create_directory_symlink(folder_.File("2024"), folder_.File("now"));
  EXPECT_EQ(Find("now/*.parquet"), "now/a.parquet");
  EXPECT_EQ(Find("**/*.parquet"), "2024/a.parquet") << "a link may lead back";
  EXPECT_TRUE(IsRefused("*/*.parquet", "one file under two names"));
  std::filesystem::create_hard_link(folder_.File("2024/a.parquet"), folder_.File("2024/b.parquet"));
  EXPECT_TRUE(IsRefused("2024/*.parquet", "one file under two names"));
}

}  // namespace
}  // namespace tacit::engine::duckdb
