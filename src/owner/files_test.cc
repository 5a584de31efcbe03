#include "owner/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/whole_file.h"
#include "owner/edit_policy.h"
#include "owner/testing/folder.h"
#include "owner/working_folder.h"

namespace tacit::owner {
namespace {

using testing::Folder;
using testing::kPeople;

mode_t ModeOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST(Files, ANewFileNeverTakesThePlaceOfOneThatIsThere) {
  const Folder folder;
  const std::string path = folder.File("new");
  ASSERT_TRUE(WriteNewFile(path, "one", 0600).ok());
  EXPECT_EQ(ModeOf(path), 0600u) << "whatever the umask";
  EXPECT_FALSE(WriteNewFile(path, "two", 0600).ok());
  EXPECT_EQ(WholeFile(path), "one");
}

TEST(Files, AnExchangedFileKeepsItsMode) {
  const Folder folder;
  const std::string path = folder.File("kept");
  ASSERT_TRUE(WriteNewFile(path, "old", 0640).ok());
  folder.Write("kept.new", "what a killed run left");
  ASSERT_TRUE(ReplaceFile(path, "new").ok());
  EXPECT_EQ(WholeFile(path), "new");
  EXPECT_EQ(ModeOf(path), 0640u);
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
  EXPECT_FALSE(ReplaceFile(folder.File("nothing"), "x").ok());
}

TEST(EditPolicy, ExchangesTheFileOnlyForAPolicyThatLoads) {
  const Folder folder;
  const std::string path = folder.File("tacit.yaml");
  const std::string before = policy::testing::SampleWith(kPeople);
  folder.Write("tacit.yaml", before);
  const auto edit = [&](const std::string& added) {
    return EditPolicy(path, [&](const std::string& text, const policy::Policy& policy) {
      EXPECT_NE(policy.Find("people"), nullptr);
      return Result<std::string>(text + added);
    });
  };
  EXPECT_FALSE(edit("  visits: {nonsense: 1}\n").ok());
  EXPECT_EQ(WholeFile(path), before);
  const Result<policy::Policy> edited = edit("  wards: {public: true}\n");
  ASSERT_TRUE(edited.ok()) << edited.error().public_message;
  EXPECT_NE(edited->Find("wards"), nullptr);
  EXPECT_EQ(WholeFile(path), before + "  wards: {public: true}\n");
}

TEST(WorkingFolder, IsForOneAtATimeAndBeginsEmpty) {
  const Folder folder;
  const std::string path = folder.File("work");
  {
    const Result<WorkingFolder> first = WorkingFolder::Enter(path, "import");
    ASSERT_TRUE(first.ok()) << first.error().public_message;
    EXPECT_EQ(ModeOf(path), 0700u);
    const Result<WorkingFolder> second = WorkingFolder::Enter(path, "import");
    ASSERT_FALSE(second.ok());
    EXPECT_NE(second.error().public_message.find("another import"), std::string::npos);
  }
  std::filesystem::create_directory(path);
  folder.Write("work/left", "by a killed run");
  const Result<WorkingFolder> next = WorkingFolder::Enter(path, "import");
  ASSERT_TRUE(next.ok()) << next.error().public_message;
  EXPECT_FALSE(std::filesystem::exists(next->FileNamed("left")));
}

}  // namespace
}  // namespace tacit::owner
