#include "local/survey/submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "local/survey/testing/small_survey.h"

namespace tacit::local {
namespace {

using ::testing::HasSubstr;

const std::string kId = "0123456789abcdef0123456789abcdef";

std::string Post(const std::string& reports, const std::string& extra = "") {
  return "{\"survey\": \"" + FingerprintOf(testing::SmallSurvey()) + "\", \"submission\": \"" +
         kId + "\", \"reports\": " + reports + extra + "}";
}

std::string RefusalOf(const std::string& body, bool tokens = false) {
  const Survey survey = testing::SmallSurvey(tokens);
  const auto parsed = ParseSubmission(survey, FingerprintOf(survey), SeedsOf(survey), body);
  return parsed.ok() ? "" : parsed.error().public_message;
}

TEST(Submission, IsReadWhole) {
  const Survey survey = testing::SmallSurvey();
  const Submission submission = ParseSubmission(survey, FingerprintOf(survey), SeedsOf(survey),
                                                Post(R"({"smoke": "1", "set": "a"})"))
                                    .value();
  EXPECT_EQ(submission.id, kId);
  ASSERT_EQ(submission.reports.size(), 2u);
}

TEST(Submission, OneWrongReportAndNoneIsTaken) {
  EXPECT_EQ(RefusalOf(Post(R"({"smoke": "1", "food": "3"})")),
            "not a possible report for the question \"food\"");
  EXPECT_EQ(RefusalOf(Post(R"({"smoke": "1", "weight": "3"})")), "there is no question \"weight\"");
  EXPECT_THAT(RefusalOf(Post(R"({"smoke": 1})")), HasSubstr("not a possible report"));
  EXPECT_THAT(RefusalOf(Post(R"({"set": "1"})")), HasSubstr("not a possible report"));
}

TEST(Submission, WhatIsNotOneIsRefused) {
  for (const std::string& body :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"),
        std::string(1000, '['), Post(R"({"smoke": "1", "smoke": "0"})"), std::string("\xff")}) {
    EXPECT_THAT(RefusalOf(body), HasSubstr("every name comes once")) << body;
  }
  EXPECT_EQ(RefusalOf(Post("{}")), "there is no report");
  EXPECT_EQ(RefusalOf(Post("{\"smoke\": \"1\"}", ", \"name\": \"Eve\"")), "unknown word \"name\"");
  EXPECT_EQ(RefusalOf(Post("{\"smoke\": \"1\"}", ", \"token\": \"x\"")),
            "this survey takes no token");
  EXPECT_THAT(RefusalOf(Post("{\"smoke\": \"1\"}"), /*tokens=*/true), HasSubstr("needs a token"));
  EXPECT_THAT(RefusalOf(R"({"survey": "x", "submission": "y", "reports": {}})"),
              HasSubstr("another survey"));
}

}  // namespace
}  // namespace tacit::local
