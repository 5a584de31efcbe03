#include "local/survey/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "local/survey/random_name.h"
#include "local/survey/testing/small_survey.h"

namespace tacit::local {
namespace {

using ::testing::HasSubstr;
using Outcome = ReportStore::Outcome;

Submission MakeSubmission(const std::string& token = "") {
  Submission submission{.id = RandomName(Entropy::ForThisThread()), .token = token, .reports = {}};
  submission.reports.push_back({.question = 0, .text = "1", .report = {}});
  submission.reports.push_back({.question = 1, .text = "2", .report = {}});
  return submission;
}

int CountReports(const ReportStore& store) {
  int count = 0;
  EXPECT_TRUE(store
                  .ForEach([&](std::string_view, std::string_view) -> Result<Done> {
                    ++count;
                    return Done{};
                  })
                  .ok());
  return count;
}

std::string OpenError(const std::string& path, const Survey& survey) {
  const auto opened = ReportStore::Open(path, survey);
  return opened.ok() ? "" : opened.error().public_message;
}

TEST(ReportStore, KeepsASubmissionOnceHoweverOftenItIsSent) {
  const testing::Folder folder;
  const Survey survey = testing::SmallSurvey();
  Entropy& entropy = Entropy::ForThisThread();
  const Submission submission = MakeSubmission();
  {
    const auto store = ReportStore::Open(folder.File("s"), survey).value();
    EXPECT_EQ(store->Submit(survey, submission, entropy).value(), Outcome::kStored);
    EXPECT_EQ(store->Submit(survey, submission, entropy).value(), Outcome::kAlreadyStored);
    EXPECT_EQ(store->Submit(survey, MakeSubmission(), entropy).value(), Outcome::kStored);
  }
  const auto again = ReportStore::Open(folder.File("s"), survey).value();
  EXPECT_EQ(CountReports(*again), 4);
  EXPECT_EQ(again->Submit(survey, submission, entropy).value(), Outcome::kAlreadyStored);
}

TEST(ReportStore, ATokenAnswersOnce) {
  const testing::Folder folder;
  const Survey survey = testing::SmallSurvey(/*tokens=*/true);
  Entropy& entropy = Entropy::ForThisThread();
  const auto store = ReportStore::Open(folder.File("s"), survey).value();
  const std::vector<std::string> tokens = store->MakeTokens(2, entropy).value();
  EXPECT_EQ(store->Submit(survey, MakeSubmission(RandomName(entropy)), entropy).value(),
            Outcome::kUnknownToken);
  const Submission first = MakeSubmission(tokens[0]);
  EXPECT_EQ(store->Submit(survey, first, entropy).value(), Outcome::kStored);
  EXPECT_EQ(store->Submit(survey, first, entropy).value(), Outcome::kAlreadyStored);
  EXPECT_EQ(store->Submit(survey, MakeSubmission(tokens[0]), entropy).value(), Outcome::kTokenUsed);
  EXPECT_EQ(store->Submit(survey, MakeSubmission(tokens[1]), entropy).value(), Outcome::kStored);
  EXPECT_EQ(CountReports(*store), 4);
}

TEST(ReportStore, TheFileHoldsNeitherTokensNorSubmissionIds) {
  const testing::Folder folder;
  const Survey survey = testing::SmallSurvey(/*tokens=*/true);
  std::string token;
  std::string id;
  {
    const auto store = ReportStore::Open(folder.File("s"), survey).value();
    token = store->MakeTokens(1, Entropy::ForThisThread()).value()[0];
    const Submission submission = MakeSubmission(token);
    id = submission.id;
    ASSERT_TRUE(store->Submit(survey, submission, Entropy::ForThisThread()).ok());
  }
  std::ostringstream bytes;
  bytes << std::ifstream(folder.File("s"), std::ios::binary).rdbuf();
  EXPECT_EQ(bytes.str().find(token), std::string::npos);
  EXPECT_EQ(bytes.str().find(id), std::string::npos);
}

TEST(ReportStore, AnotherSurveysFileIsRefused) {
  const testing::Folder folder;
  ASSERT_EQ(OpenError(folder.File("s"), testing::SmallSurvey()), "");
  Survey other = testing::SmallSurvey();
  other.questions[0].text = "Do you drink?";
  EXPECT_THAT(OpenError(folder.File("s"), other),
              HasSubstr("holds the reports of other questions"));
}

TEST(ReportStore, AFileInUseIsRefused) {
  const testing::Folder folder;
  const auto store = ReportStore::Open(folder.File("s"), testing::SmallSurvey()).value();
  EXPECT_THAT(OpenError(folder.File("s"), testing::SmallSurvey()), HasSubstr("is in use"));
}

TEST(ReportStore, DamagedAndForeignFilesAreRefusedAndLeftAlone) {
  const testing::Folder folder;
  const Survey survey = testing::SmallSurvey();
  {
    const auto store = ReportStore::Open(folder.File("s"), survey).value();
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(store->Submit(survey, MakeSubmission(), Entropy::ForThisThread()).ok());
    }
  }
  std::ostringstream whole;
  whole << std::ifstream(folder.File("s"), std::ios::binary).rdbuf();
  ASSERT_GT(whole.str().size(), 5 * 4096u);
  const auto refuses = [&](const std::string& bytes) {
    std::ofstream(folder.File("d"), std::ios::binary) << bytes;
    const std::string error = OpenError(folder.File("d"), survey);
    std::ostringstream after;
    after << std::ifstream(folder.File("d"), std::ios::binary).rdbuf();
    EXPECT_EQ(after.str(), bytes) << "a refused file is not changed";
    std::filesystem::remove(folder.File("d"));
    return error;
  };
  std::string torn = whole.str();
  std::fill(torn.begin() + 2 * 4096, torn.begin() + 2 * 4096 + 512, '\x5a');
  EXPECT_THAT(refuses(torn), HasSubstr("damaged"));
  EXPECT_THAT(refuses(whole.str().substr(0, 3 * 4096)), HasSubstr("damaged"));
  EXPECT_THAT(refuses("this is a letter, not a database" + std::string(5000, '.')),
              HasSubstr("not a file of reports"));
}

}  // namespace
}  // namespace tacit::local
