#include "ledger/questions/questions.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "ledger/testing/sample.h"

namespace tacit::ledger {
namespace {

using testing::Folder;
using Texts = std::map<std::string, std::string>;

TEST(Questions, EachAskerFindsTheOwnAndNobodyElseMayLook) {
  const Folder folder;
  Questions questions(Questions::FolderOf(folder.ledger()), 90);
  questions.Keep("3", "ana", "2026-01-31T12:00:00Z", "SELECT \"a\nb\"");
  questions.Keep("4", "", "2026-01-31T12:00:00Z", "SELECT 1");
  questions.Keep("5", "ana", "2026-01-31T12:00:00Z", "SELECT 2");
  EXPECT_EQ(ReadQuestions(folder.ledger(), "ana"),
            (Texts{{"3", "SELECT \"a\nb\""}, {"5", "SELECT 2"}}));
  EXPECT_EQ(ReadQuestions(folder.ledger(), ""), (Texts{{"4", "SELECT 1"}}));
  EXPECT_EQ(ReadQuestions(folder.ledger(), "../x"), Texts{});
  struct stat status {};
  ASSERT_EQ(::stat(Questions::FolderOf(folder.ledger()).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  for (const auto& entry :
       std::filesystem::directory_iterator(Questions::FolderOf(folder.ledger()))) {
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
  }
}

TEST(Questions, AfterTheirDaysTheyAreGone) {
  const Folder folder;
  Questions questions(Questions::FolderOf(folder.ledger()), 90);
  questions.Keep("1", "ana", "2026-01-01T12:00:00Z", "old");
  questions.Keep("2", "bob", "2026-01-01T12:00:00Z", "old");
  questions.Keep("3", "ana", "2026-03-31T00:00:00Z", "new");
  EXPECT_EQ(ReadQuestions(folder.ledger(), "ana"), (Texts{{"1", "old"}, {"3", "new"}}));
  questions.Keep("4", "ana", "2026-04-02T00:00:00Z", "newer");
  EXPECT_EQ(ReadQuestions(folder.ledger(), "ana"), (Texts{{"3", "new"}, {"4", "newer"}}));
  EXPECT_EQ(ReadQuestions(folder.ledger(), "bob"), Texts{}) << "whoever asks forgets for all";
}

TEST(Questions, LinesOfAnotherKindArePassedOver) {
  const Folder folder;
  Questions questions(Questions::FolderOf(folder.ledger()), 90);
  questions.Keep("1", "ana", "2026-01-01T12:00:00Z", "SELECT 1");
  for (const auto& entry :
       std::filesystem::directory_iterator(Questions::FolderOf(folder.ledger()))) {
    std::ofstream(entry.path(), std::ios::app)
        << "{\"record\": 2, \"time\": [], \"question\": {}}\n[1]\n{\n{\"record\": \"3\"}\n";
  }
  EXPECT_EQ(ReadQuestions(folder.ledger(), "ana"), (Texts{{"", ""}, {"1", "SELECT 1"}, {"3", ""}}));
  questions.Keep("4", "ana", "2026-01-02T12:00:00Z", "SELECT 4");
  EXPECT_EQ(ReadQuestions(folder.ledger(), "ana"), (Texts{{"1", "SELECT 1"}, {"4", "SELECT 4"}}));
}

TEST(Questions, DroppedOnesAreNotKeptAndThoseOfBeforeGo) {
  const Folder folder;
  Questions before(Questions::FolderOf(folder.ledger()), 90);
  before.Keep("1", "ana", "2026-01-01T12:00:00Z", "old");
  Questions questions(Questions::FolderOf(folder.ledger()), std::nullopt);
  questions.Forget("2026-01-01T12:00:00Z");
  questions.Keep("2", "ana", "2026-01-01T12:00:00Z", "new");
  EXPECT_EQ(ReadQuestions(folder.ledger(), "ana"), Texts{});
  EXPECT_FALSE(std::filesystem::exists(Questions::FolderOf(folder.ledger())));
}

TEST(Questions, WhoAsksWithoutEndKeepsTheNewest) {
  const Folder folder;
  constexpr size_t kBytes = 10'000;
  Questions questions(Questions::FolderOf(folder.ledger()), 90, kBytes);
  questions.Keep("b", "bob", "2026-01-01T12:00:00Z", "another's");
  const std::string file = Questions::FolderOf(folder.ledger()) + "/616e61.jsonl";
  for (int i = 0; i < 300; ++i) {
    questions.Keep(std::to_string(i), "ana", "2026-01-01T12:00:00Z", std::string(300, 'x'));
    ASSERT_LE(std::filesystem::file_size(file), kBytes) << i;
  }
  const Texts kept = ReadQuestions(folder.ledger(), "ana");
  EXPECT_GE(kept.size(), 10u);
  for (int i = 290; i < 300; ++i) EXPECT_TRUE(kept.contains(std::to_string(i))) << i;
  for (const auto& [record, text] : kept) EXPECT_EQ(text.size(), 300u) << "no line is cut";
  EXPECT_EQ(ReadQuestions(folder.ledger(), "bob").size(), 1u);
  questions.Keep("long", "ana", "2026-01-01T12:00:00Z", std::string(kBytes, 'x'));
  EXPECT_FALSE(ReadQuestions(folder.ledger(), "ana").contains("long"));
  EXPECT_LE(std::filesystem::file_size(file), kBytes);
}

TEST(Questions, OfALongListTheNewestAreRead) {
  const Folder folder;
  Questions questions(Questions::FolderOf(folder.ledger()), 90);
  questions.Keep("1", "", "2026-01-01T12:00:00Z", "one");
  const size_t line =
      std::filesystem::file_size(Questions::FolderOf(folder.ledger()) + "/owner.jsonl");
  questions.Keep("2", "", "2026-01-01T12:00:00Z", "two");
  EXPECT_EQ(ReadQuestions(folder.ledger(), "", 2 * line).size(), 2u);
  for (const size_t bytes : {line, line + 1, 2 * line - 1}) {
    EXPECT_EQ(ReadQuestions(folder.ledger(), "", bytes), (Texts{{"2", "two"}})) << bytes;
  }
  EXPECT_EQ(ReadQuestions(folder.ledger(), "", line - 1), Texts{});
}

TEST(Questions, ALineThatWasCutOffIsPassedOver) {
  const Folder folder;
  Questions questions(Questions::FolderOf(folder.ledger()), 90);
  questions.Keep("1", "", "2026-01-01T12:00:00Z", "one");
  const std::string file = Questions::FolderOf(folder.ledger()) + "/owner.jsonl";
  std::ofstream(file, std::ios::app) << "{\"record\":\"2\",\"ti\n";
  questions.Keep("3", "", "2026-01-01T12:00:00Z", "three");
  EXPECT_EQ(ReadQuestions(folder.ledger(), ""), (Texts{{"1", "one"}, {"3", "three"}}));
}

}  // namespace
}  // namespace tacit::ledger
