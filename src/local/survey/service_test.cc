#include "local/survey/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "local/survey/random_name.h"
#include "local/survey/testing/small_survey.h"

namespace tacit::local {
namespace {

using ::testing::HasSubstr;
using wire::http::Request;
using wire::http::Response;

constexpr PageFile kPages[] = {{"/", "text/html", "page"}};

class SurveyServiceTest : public ::testing::Test {
 protected:
  void SetUp() override { Start(); }
  void Start() {
    service_.reset();
    service_ = SurveyService::Open(testing::SmallSurvey(), folder_.File("s"), kPages).value();
  }

  static std::string Body(const std::string& reports) {
    return nlohmann::json{{"survey", FingerprintOf(testing::SmallSurvey())},
                          {"submission", RandomName(Entropy::ForThisThread())},
                          {"reports", nlohmann::json::parse(reports)}}
        .dump();
  }
  static Request Post(const std::string& body) {
    return {.method = "POST",
            .path = "/api/reports",
            .remote = "203.0.113.9",
            .body = body,
            .headers = {{"Host", "survey.test:81"}, {"Content-Type", "application/json"}}};
  }
  unsigned StatusOf(const Request& request) { return service_->Handle(request).status; }
  int People(int question) {
    const Response response = service_->Handle({.method = "GET",
                                                .path = "/api/results",
                                                .remote = "203.0.113.9",
                                                .body = "",
                                                .headers = {}});
    const auto json = nlohmann::json::parse(response.body);
    return json["questions"][static_cast<size_t>(question)]["people"].get<int>();
  }

  testing::Folder folder_;
  std::unique_ptr<SurveyService> service_;
};

TEST_F(SurveyServiceTest, StoresReportsAndCountsThemAgainAfterARestart) {
  EXPECT_EQ(StatusOf(Post(Body(R"({"smoke": "1", "food": "2"})"))), 201u);
  EXPECT_EQ(StatusOf(Post(Body(R"({"smoke": "0"})"))), 201u);
  EXPECT_EQ(People(0), 2);
  Start();
  EXPECT_EQ(People(0), 2);
  EXPECT_EQ(People(1), 1);
  EXPECT_EQ(People(2), 0);
}

TEST_F(SurveyServiceTest, TheSameSubmissionCountsOnce) {
  const std::string body = Body(R"({"smoke": "1"})");
  EXPECT_EQ(StatusOf(Post(body)), 201u);
  EXPECT_EQ(StatusOf(Post(body)), 200u);
  EXPECT_EQ(People(0), 1);
}

TEST_F(SurveyServiceTest, CrossSitePostsAreRefused) {
  const auto with = [&](const char* name, const char* value) {
    Request request = Post(Body(R"({"smoke": "1"})"));
    request.headers.emplace_back(name, value);
    return StatusOf(request);
  };
  EXPECT_EQ(with("Origin", "http://evil.test"), 403u);
  EXPECT_EQ(with("Origin", "null"), 403u);
  EXPECT_EQ(with("Origin", ""), 403u);
  EXPECT_EQ(with("Origin", "http://survey.test:81.evil.test"), 403u);
  EXPECT_EQ(with("Sec-Fetch-Site", "cross-site"), 403u);
  EXPECT_EQ(with("Sec-Fetch-Site", "same-site"), 403u);
  EXPECT_EQ(People(0), 0);
  EXPECT_EQ(with("Origin", "http://survey.test:81"), 201u);
  EXPECT_EQ(with("Origin", "https://survey.test:81"), 201u);
}

TEST_F(SurveyServiceTest, AFormOfAnotherSiteCannotEvenSpeakTheType) {
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "",
                           "text/plain; application/json", "application/jsonp"}) {
    Request request = Post(Body(R"({"smoke": "1"})"));
    request.headers[1].second = type;
    EXPECT_EQ(StatusOf(request), 415u) << type;
  }
}

TEST_F(SurveyServiceTest, PostsFromOneAddressAreLimited) {
  unsigned refused = 0;
  for (int i = 0; i < 60; ++i) refused += StatusOf(Post("{}")) == 429;
  EXPECT_GE(refused, 9u);  // fifty a minute, and a moment has passed
  Request elsewhere = Post(Body(R"({"smoke": "1"})"));
  elsewhere.remote = "203.0.113.10";
  EXPECT_EQ(StatusOf(elsewhere), 201u);
}

TEST_F(SurveyServiceTest, EveryAnswerForbidsOutsideCode) {
  for (const char* path : {"/", "/api/survey", "/api/results", "/nothing"}) {
    const Response response = service_->Handle(
        {.method = "GET", .path = path, .remote = "::1", .body = "", .headers = {}});
    std::string policy;
    for (const auto& [name, value] : response.headers) {
      EXPECT_NE(name, "Set-Cookie");
      if (name == "Content-Security-Policy") policy = value;
    }
    EXPECT_THAT(policy, HasSubstr("default-src 'none'")) << path;
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  }
}

TEST_F(SurveyServiceTest, OnlyWhatExistsIsServed) {
  const auto status = [&](const char* method, const char* path) {
    return StatusOf({.method = method, .path = path, .remote = "::1", .body = "", .headers = {}});
  };
  EXPECT_EQ(status("GET", "/"), 200u);
  EXPECT_EQ(status("GET", "/../etc/passwd"), 404u);
  EXPECT_EQ(status("POST", "/"), 405u);
  EXPECT_EQ(status("GET", "/api/reports"), 405u);
  EXPECT_EQ(status("DELETE", "/api/results"), 405u);
}

TEST(RateLimit, RefillsAndCountsAHouseholdOnce) {
  RateLimit limit(2);
  const auto start = RateLimit::Clock::now();
  EXPECT_TRUE(limit.Allow("2001:db8::1", start));
  EXPECT_TRUE(limit.Allow("2001:db8::2", start));
  EXPECT_FALSE(limit.Allow("2001:db8::3", start));
  EXPECT_TRUE(limit.Allow("2001:db8:0:1::1", start));
  EXPECT_TRUE(limit.Allow("2001:db8::4", start + std::chrono::seconds(31)));
  EXPECT_FALSE(limit.Allow("2001:db8::4", start + std::chrono::seconds(32)));
}

TEST_F(SurveyServiceTest, ResultsForTheOwnerAreAtAnAddressThatNobodyElseIsTold) {
  const auto status = [&](const std::string& path) {
    return StatusOf(
        {.method = "GET", .path = path, .remote = "203.0.113.9", .body = "", .headers = {}});
  };
  EXPECT_EQ(service_->results_path(), "/results");
  Survey survey = testing::SmallSurvey();
  survey.results_for_all = false;
  service_.reset();
  service_ = SurveyService::Open(survey, folder_.File("s"), kPages).value();
  const std::string own = service_->results_path();
  EXPECT_EQ(own.size(), std::string("/results/").size() + kNameDigits);
  EXPECT_EQ(status("/api" + own), 200u);
  for (const std::string& path : {std::string("/api/results"), std::string("/results"),
                                  "/api/results/" + std::string(kNameDigits, '0')}) {
    EXPECT_EQ(status(path), 404u) << path;
  }
  const Response told = service_->Handle(
      {.method = "GET", .path = "/api/survey", .remote = "203.0.113.9", .body = "", .headers = {}});
  EXPECT_EQ(told.body.find(own.substr(9)), std::string::npos);
}

}  // namespace
}  // namespace tacit::local
