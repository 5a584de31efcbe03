#include "wire/http/api/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "wire/auth/guess_delays.h"
#include "wire/http/api/admin.h"
#include "wire/http/api/credentials.h"
#include "wire/http/api/openapi.h"
#include "wire/http/api/own_records.h"
#include "wire/http/testing.h"

namespace tacit::wire::http {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr size_t kChargesOfAna = 2000;
constexpr char kAna[] = "Basic YW5hOnNlY3JldA==";  // ana:secret

// Backend that note what came through them. The gateway behind the real ones has tests of its own;
// these are about what HTTP makes of a request.
struct Noted {
  std::vector<Question> questions;
  Instant leaves_at = {};

  std::vector<std::string> lines;  // in which work waited
  bool remembers = false;

  Dispatcher Api() {
    const auto at_once = [this](const std::string& line, const Backend::Work& work) {
      lines.push_back(line);
      work(0);
      return true;
    };
    return MakeApi({
        .by_password_thread = at_once,
        .by_worker = at_once,
        .remembers = [this](const std::string&, std::string_view) { return remembers; },
        .knows = [](const std::string& analyst,
                    std::string_view password) { return analyst == "ana" && password == "secret"; },
        .query = [this](const Question& question, size_t) -> Outcome<AnyAnswer> {
          questions.push_back(question);
          if (question.text == "throw") throw std::bad_alloc();
          return {.result = Error{.code = ErrorCode::kRefused,
                                  .public_message = "SUM(income) has no bounds",
                                  .hint = "bound it",
                                  .position = 7,
                                  .private_detail = "secret of the operator",
                                  .rule = "bounds"},
                  .leaves_at = leaves_at};
        },
        .explain = [this](const Question& question, size_t) -> Outcome<answer::Explanation> {
          questions.push_back(question);
          Error spent = InvalidArgument("spent");
          spent.code = ErrorCode::kBudgetExhausted;
          return {.result = spent, .leaves_at = leaves_at};
        },
        .budget = [](const std::string& analyst) -> Result<std::string> {
          return "{\"analyst\":\"" + analyst + "\"}";
        },
        .ledger = [](const std::string& analyst) -> Result<Pieces> {
          return LedgerPieces(analyst, std::vector<ChargeLine>(kChargesOfAna), true);
        },
        .tables = [](const std::string&) -> Result<std::string> { return std::string("{}"); },
    });
  }
};

Request Post(const std::string& path, const std::string& body,
             const std::string& authorization = kAna) {
  return {.method = "POST",
          .path = path,
          .remote = "127.0.0.1",
          .body = body,
          .headers = {{"Host", "localhost"},
                      {"Content-Type", "application/json"},
                      {"Authorization", authorization}}};
}

TEST(Api, AQuestionArrivesAsItWasMeant) {
  Noted noted;
  Request request = Post("/v1/query", R"({"sql": "SELECT 1", "epsilon": 0.1, "intervals": true,
                                          "nonnegative": true})");
  request.headers.emplace_back("Idempotency-Key", "k1");
  Asked(noted.Api(), request);
  ASSERT_EQ(noted.questions.size(), 1u);
  EXPECT_EQ(noted.questions[0].text, "SELECT 1");
  EXPECT_EQ(noted.questions[0].analyst, "ana");
  EXPECT_EQ(noted.questions[0].request_id, "k1");
  EXPECT_TRUE(noted.questions[0].wish.intervals);
  EXPECT_TRUE(noted.questions[0].wish.nonnegative);
  // A tenth, and not the double next to it.
  EXPECT_EQ(noted.questions[0].wish.epsilon->value, Rational(1, 10));
}

TEST(Api, ARefusalIsAProblemDocumentWithoutThePrivatePart) {
  Noted noted;
  const Response response = Asked(noted.Api(), Post("/v1/query", R"({"sql": "SELECT 1"})"));
  EXPECT_EQ(response.status, 422u);
  EXPECT_EQ(response.content_type, "application/problem+json");
  const json body = json::parse(response.body);
  EXPECT_EQ(body["detail"], "SUM(income) has no bounds");
  EXPECT_EQ(body["hint"], "bound it");
  EXPECT_EQ(body["position"], 7);
  EXPECT_EQ(body["rule"], "bounds");
  EXPECT_EQ(response.body.find("operator"), std::string::npos);
  EXPECT_EQ(Asked(noted.Api(), Post("/v1/explain", R"({"sql": "SELECT 1"})")).status, 403u);
}

TEST(Api, AnAnswerAndAnExplanationLeaveWhenTheFrontDoorSays) {
  Noted noted;
  noted.leaves_at = std::chrono::steady_clock::now() + std::chrono::hours(1);
  for (const char* path : {"/v1/query", "/v1/explain"}) {
    const Instant before = std::chrono::steady_clock::now();
    const Response response = Asked(noted.Api(), Post(path, R"({"sql": "SELECT 1"})"));
    EXPECT_EQ(response.not_before, noted.leaves_at) << path;
    EXPECT_GE(noted.questions.back().asked, before) << "counted from when it came";
  }
}

TEST(Api, BadBodiesAreToldAndReachNobody) {
  Noted noted;
  for (const char* body : {"",
                           "{",
                           "[]",
                           "null",
                           "{}",
                           R"({"sql": 3})",
                           R"({"sql": "x", "epsilon": 0})",
                           R"({"sql": "x", "epsilon": -1})",
                           R"({"sql": "x", "epsilon": "nan"})",
                           R"({"sql": "x", "epsilon": 1e999})",
                           R"({"sql": "x", "error": 0})",
                           R"({"sql": "x", "error": 3, "epsilon": 1})",
                           R"({"sql": "x", "delta": 1})",
                           R"({"sql": "x", "seed": 1})",
                           R"({"sql": "x", "sql": "y"})",
                           R"({"sql": "x", "epsilon": 1, "epsilon": 0.1})",
                           R"({"sql": "x", "intervals": "on"})",
                           R"({"sql": "x", "nonnegative": 1})",
                           R"({"sql": "x", "a": [[[[[[[[1]]]]]]]]})",
                           "{\"sql\": \"\xff\"}"}) {
    const Response response = Asked(noted.Api(), Post("/v1/query", body));
    EXPECT_EQ(response.status, 400u) << body;
  }
  EXPECT_TRUE(noted.questions.empty());
}

TEST(Api, AWrongPasswordIsAnsweredLateAndManyMakeTheRightOneLateToo) {
  Noted noted;
  const Dispatcher api = noted.Api();
  Request wrong = Post("/v1/query", R"({"sql": "SELECT 1"})", "Basic YW5hOndyb25n");
  Request nobody = wrong;
  nobody.headers.clear();
  EXPECT_EQ(Asked(api, nobody).status, 401u);
  EXPECT_EQ(Asked(api, nobody).not_before, Response::Instant());
  const auto before = std::chrono::steady_clock::now();
  const Response first = Asked(api, wrong);
  EXPECT_EQ(first.status, 401u);
  EXPECT_GE(first.not_before, before + std::chrono::milliseconds(300));
  EXPECT_EQ(json::parse(first.body)["type"], "urn:tacit:unauthorized");
  // Nobody is turned away: guesses make the account's own answers from that address later.
  Request right = Post("/v1/query", R"({"sql": "SELECT 1"})");
  const auto is_at_once = [&] {
    const Response response = Asked(api, right);
    return response.not_before <= std::chrono::steady_clock::now();
  };
  EXPECT_TRUE(is_at_once());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Asked(api, wrong).status, 401u);
  for (const bool remembered : {false, true}) {
    noted.remembers = remembered;
    right.remote = "127.0.0.1";
    const auto then = std::chrono::steady_clock::now();
    EXPECT_EQ(Asked(api, right).status, 422u);
    EXPECT_GE(Asked(api, right).not_before, then + GuessDelays::kMost / 2);
    right.remote = "10.0.0.2";
    EXPECT_TRUE(is_at_once());
  }
}

TEST(Api, APageOfAnotherSiteMayNotAskAndOnlyJsonIsAQuestion) {
  Noted noted;
  Request foreign = Post("/v1/query", R"({"sql": "SELECT 1"})");
  foreign.headers.emplace_back("Origin", "https://elsewhere");
  EXPECT_EQ(Asked(noted.Api(), foreign).status, 403u);
  Request own = Post("/v1/query", R"({"sql": "SELECT 1"})");
  own.headers.emplace_back("Origin", "https://localhost");
  EXPECT_EQ(Asked(noted.Api(), own).status, 422u);
  Request plain = Post("/v1/query", R"({"sql": "SELECT 1"})");
  plain.headers[1].second = "text/plain";
  EXPECT_EQ(Asked(noted.Api(), plain).status, 415u);
  EXPECT_EQ(noted.questions.size(), 1u);
}

TEST(Api, LoginsWaitInTheirAddressesLineAndQuestionsInTheirAnalysts) {
  Noted noted;
  const Request question = Post("/v1/query", R"({"sql": "SELECT 1"})");
  EXPECT_EQ(Asked(noted.Api(), question).known_as, "ana");
  EXPECT_EQ(noted.lines, (std::vector<std::string>{"127.0.0.1", "ana"}));
  noted.remembers = true;  // no hashing, and no line for it
  Asked(noted.Api(), question);
  EXPECT_EQ(noted.lines.size(), 3u);
  const Request health{
      .method = "GET", .path = "/healthz", .remote = "", .body = "", .headers = {}};
  Asked(noted.Api(), health);
  EXPECT_EQ(noted.lines.size(), 3u) << "health waits for nobody";
  noted.remembers = false;
  EXPECT_EQ(Asked(noted.Api(), Post("/v1/query", "{}", "Basic YW5hOndyb25n")).known_as, "");
}

TEST(Api, WhatAQuestionThrowsIsToldByAFixedText) {
  Noted noted;
  const Response response = Asked(noted.Api(), Post("/v1/query", R"({"sql": "throw"})"));
  EXPECT_EQ(response.status, 500u);
  EXPECT_EQ(json::parse(response.body)["type"], "urn:tacit:internal");
}

TEST(Api, AKeyThatComesTwiceOrIsEndlessIsRefused) {
  Noted noted;
  Request twice = Post("/v1/query", R"({"sql": "SELECT 1"})");
  twice.headers.emplace_back("Idempotency-Key", "a");
  twice.headers.emplace_back("Idempotency-Key", "b");
  EXPECT_EQ(Asked(noted.Api(), twice).status, 400u);
  Request endless = Post("/v1/query", R"({"sql": "SELECT 1"})");
  endless.headers.emplace_back("Idempotency-Key", std::string(201, 'k'));
  EXPECT_EQ(Asked(noted.Api(), endless).status, 400u);
  EXPECT_TRUE(noted.questions.empty());
}

TEST(Api, NobodyComesInWithoutAPassword) {
  Noted noted;
  for (const char* authorization :
       {"", "Basic", "Basic ", "Basic !!!!", "Basic YW5h", "Basic YW5hOndyb25n",
        "Bearer YW5hOnNlY3JldA==", "Basic OnNlY3JldA=="}) {
    const Response response =
        Asked(noted.Api(), Post("/v1/query", R"({"sql": "SELECT 1"})", authorization));
    EXPECT_EQ(response.status, 401u) << authorization;
  }
  EXPECT_TRUE(noted.questions.empty());
}

TEST(Api, TheOpenPartsNeedNoPassword) {
  Noted noted;
  const auto get = [&](const std::string& path) {
    return Asked(noted.Api(),
                 {.method = "GET", .path = path, .remote = "", .body = "", .headers = {}});
  };
  EXPECT_EQ(get("/healthz").status, 200u);
  EXPECT_EQ(get("/openapi.json").status, 200u);
  EXPECT_EQ(get("/v1/budget").status, 401u);
  EXPECT_EQ(get("/v1/nothing").status, 404u);
}

TEST(Api, ALongListOfChargesIsNeverHeldAsOneText) {
  Noted noted;
  const Response response = Asked(noted.Api(), {.method = "GET",
                                                .path = "/v1/ledger",
                                                .remote = "127.0.0.1",
                                                .body = "",
                                                .headers = {{"Authorization", kAna}}});
  ASSERT_TRUE(response.more);
  EXPECT_EQ(response.owner, "ana") << "whose long answers count together";
  std::string all = response.body;
  for (bool goes_on = true; goes_on;) {
    std::string piece;
    goes_on = response.more(piece);
    EXPECT_LT(piece.size(), 100'000u);
    all += piece;
  }
  const json document = json::parse(all);
  EXPECT_EQ(document["analyst"], "ana");
  EXPECT_EQ(document["charges"].size(), kChargesOfAna);
  EXPECT_TRUE(document["charges"][0].contains("receipt"));
}

TEST(Api, TheDocumentListsEveryAddressOfTheApi) {
  const json document = json::parse(OpenApiDocument());
  Noted noted;
  for (const auto& [path, operations] : document["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      std::string name = method;
      for (char& c : name) c = static_cast<char>(c - 32);
      const Response response = Asked(
          noted.Api(), {.method = name, .path = path, .remote = "", .body = "", .headers = {}});
      EXPECT_THAT((std::array<unsigned, 2>{200u, 401u}), ::testing::Contains(response.status))
          << path;
    }
  }
}

TEST(Credentials, APasswordMayHoldColonsAndNothing) {
  EXPECT_EQ(CredentialsOf("basic YTpiOmM=")->password.view(), "b:c");
  EXPECT_EQ(CredentialsOf("Basic YTo=")->password.view(), "");
}

TEST(Admin, SaysWhyItIsNotReady) {
  const Dispatcher admin = MakeAdmin(
      {.ready = []() -> Result<Done> { return InvalidArgument("the ledger cannot be written"); },
       .metrics = [] { return std::string("m"); },
       .version = [] { return std::string("{}"); }});
  const Response response =
      Asked(admin, {.method = "GET", .path = "/ready", .remote = "", .body = "", .headers = {}});
  EXPECT_EQ(response.status, 503u);
  EXPECT_THAT(response.body, HasSubstr("ledger cannot be written"));
}

}  // namespace
}  // namespace tacit::wire::http
