#include "base/whole_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

namespace tacit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WholeFile, IsEveryByteOrNothing) {
  const std::string path = ::testing::TempDir() + "tacit_whole_file";
  const std::string bytes = std::string(100'000, 'x') + '\0' + "end";
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(WholeFile(path), bytes);
  EXPECT_EQ(WholeFile(path, bytes.size()), bytes);
  EXPECT_EQ(WholeFile(path, 40'000), bytes.substr(0, 40'001)) << "one more, so that it is seen";
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(WholeFile(path), "");
  std::filesystem::remove(path);
  EXPECT_FALSE(WholeFile(path)) << "it is not there";
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(WholeFile(::testing::TempDir())) << "a folder is opened, and cannot be read";
}

TEST(EndOfFile, IsTheLastBytes) {
  const std::string path = ::testing::TempDir() + "tacit_end_of_file";
  const std::string bytes = std::string(100'000, 'x') + "end";
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(EndOfFile(path, 3), "end");
  EXPECT_EQ(EndOfFile(path, 0), "");
  EXPECT_EQ(EndOfFile(path, 50'000), bytes.substr(bytes.size() - 50'000));
  EXPECT_EQ(EndOfFile(path, bytes.size()), bytes);
  EXPECT_EQ(EndOfFile(path, 1'000'000), bytes);
  std::filesystem::remove(path);
  EXPECT_FALSE(EndOfFile(path, 3));
}

TEST(LinesOf, AreTheLinesWithoutTheirEnds) {
  EXPECT_THAT(LinesOf(""), IsEmpty());
  EXPECT_THAT(LinesOf("\n"), ElementsAre(""));
  EXPECT_THAT(LinesOf("a"), ElementsAre("a"));
  EXPECT_THAT(LinesOf("a\nb\n"), ElementsAre("a", "b"));
  EXPECT_THAT(LinesOf("a\n\nb"), ElementsAre("a", "", "b"));
}

}  // namespace
}  // namespace tacit
