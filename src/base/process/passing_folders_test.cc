#include "base/process/passing_folders.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/testing/folder.h"

namespace tacit {
namespace {

TEST(PassingFolders, GoWithTheirFilesAndLeaveTheOthers) {
  const testing::Folder here;
  for (const char* name : {"a", "b", "mine"}) {
    std::filesystem::create_directory(here.File(name));
    std::ofstream(here.File(name) + "/rows") << "ann";
  }
  AddPassingFolder(here.File("a"));
  AddPassingFolder(here.File("b"));
  RemovePassingFolder(here.File("a"));
  EXPECT_FALSE(std::filesystem::exists(here.File("a")));
  EXPECT_TRUE(std::filesystem::exists(here.File("b")));
  RemovePassingFolders();
  EXPECT_FALSE(std::filesystem::exists(here.File("b")));
  EXPECT_TRUE(std::filesystem::exists(here.File("mine")));
}

}  // namespace
}  // namespace tacit
