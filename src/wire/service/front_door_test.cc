#include "wire/service/front_door.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pg_query.h>

#include <atomic>

#include "wire/testing/served_people.h"

// Every parse of a text passes here: the linker puts this in the place of libpg_query's function.
namespace {
std::atomic<int> parses{0};
}  // namespace
extern "C" PgQueryProtobufParseResult __real_pg_query_parse_protobuf(const char* text);
extern "C" PgQueryProtobufParseResult __wrap_pg_query_parse_protobuf(const char* text) {
  ++parses;
  return __real_pg_query_parse_protobuf(text);
}

namespace tacit::wire {
namespace {

// Served with a grid of a minute.
class FrontDoor : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    served_ = new testing::ServedPeople(60'000);
    deployment_ = &served_->deployment();
  }
  static void TearDownTestSuite() { delete served_; }

  static Question Asked(const std::string& text) {
    return {.text = text,
            .analyst = "ana",
            .session = AskingSession{.database = "clinic", .process = 1, .settings = {}},
            .asked = std::chrono::steady_clock::now()};
  }
  // As the PostgreSQL side does it: the request is read, then the question in it is carried out.
  static Question Read(const std::string& text) {
    const auto commands = ReadRequest("ana", text, *deployment_);
    EXPECT_TRUE(commands.ok()) << text;
    Question question = Asked(commands->front().text);
    question.reading = std::get<sql::AskCommand>(commands->front().kind).reading;
    return question;
  }
  static std::string Metrics() { return deployment_->metrics().Text({}); }
  static int ParsesOf(const std::function<void()>& work) {
    const int before = parses;
    work();
    return parses - before;
  }

  static inline testing::ServedPeople* served_ = nullptr;
  static inline LiveDeployment* deployment_ = nullptr;
};

TEST_F(FrontDoor, ReadsARequestOnceWhateverItIsAbout) {
  const char* questions[] = {
      "SELECT count(*) FROM people",  "SELECT 1",
      "SELECT relname FROM pg_class", "EXPLAIN SELECT count(*) FROM people WHERE age > 3",
      "SELECT age FROM people",       "SELECT count(*) FROM people, pg_class"};
  for (const char* text : questions) {
    EXPECT_EQ(ParsesOf([&] { Answer(Read(text), *deployment_, 0); }), 1) << text;
    EXPECT_LE(ParsesOf([&] { Answer(Read(text), *deployment_, 0); }), 1) << text;
    EXPECT_LE(ParsesOf([&] { Answer(Asked(text), *deployment_, 0); }), 1) << text;
    EXPECT_LE(ParsesOf([&] { (void)Describe(Asked(text), *deployment_, 0); }), 1) << text;
    EXPECT_LE(ParsesOf([&] { Explain(Asked(text), *deployment_, 0); }), 1) << text;
  }
}

TEST_F(FrontDoor, APreparedQuestionIsReadOnceForAllItsValues) {
  Question question = Read("SELECT count(*) FROM people WHERE age > $1");
  ASSERT_TRUE(Describe(question, *deployment_, 0).ok());
  question.reading = nullptr;
  for (const char* value : {"40", "41", "42"}) {
    question.parameters = {value};
    EXPECT_EQ(ParsesOf([&] { EXPECT_TRUE(Answer(question, *deployment_, 0).result.ok()); }), 0);
  }
}

TEST_F(FrontDoor, AKnownAnswerIsReadAndWaitedForByNobody) {
  const std::string text = "SELECT sex, count(*) FROM people GROUP BY sex";
  EXPECT_FALSE(AnswerAtOnce(Asked(text), *deployment_).has_value());
  const auto first = Answer(Asked(text), *deployment_, 0);
  const auto again = Answer(Asked(text), *deployment_, 0);  // replayed
  ASSERT_TRUE(again.result.ok());
  EXPECT_EQ(ParsesOf([&] {
              const auto kept = AnswerAtOnce(Read(text), *deployment_);
              ASSERT_TRUE(kept.has_value());
              EXPECT_EQ(std::get<answer::Answer>(*kept->result).rows,
                        std::get<answer::Answer>(*again.result).rows);
              EXPECT_GT(kept->leaves_at, std::chrono::steady_clock::now());
            }),
            0);
}

TEST_F(FrontDoor, AKnownTextIsStillWhatItWas) {
  for (const char* text : {"EXPLAIN SELECT avg(age) FROM people", "SELECT avg(age) FROM people"}) {
    const std::string tag = ReadRequest("ana", text, *deployment_)->front().tag;
    ASSERT_TRUE(Answer(Asked(text), *deployment_, 0).result.ok());
    EXPECT_EQ(
        ParsesOf([&] { EXPECT_EQ(ReadRequest("ana", text, *deployment_)->front().tag, tag); }), 0);
    EXPECT_EQ(ReadRequest("ana", std::string(text) + "; SELECT 1", *deployment_)->size(), 2u);
  }
}

TEST_F(FrontDoor, WhatLooksAtPeopleOrTheLedgerLeavesOnTheGrid) {
  const auto after_a_period = [](const Question& question, Instant leaves_at) {
    return leaves_at == question.asked + std::chrono::minutes(1);
  };
  for (const char* text : {"SELECT count(*) FROM people", "SELECT age FROM people", "SELEC",
                           "EXPLAIN SELECT count(*) FROM people", "SELECT nothing FROM pg_class"}) {
    const Question question = Asked(text);
    EXPECT_TRUE(after_a_period(question, Answer(question, *deployment_, 0).leaves_at)) << text;
    EXPECT_TRUE(after_a_period(question, Explain(question, *deployment_, 0).leaves_at)) << text;
  }
  EXPECT_EQ(Answer(Asked("SELECT relname FROM pg_class"), *deployment_, 0).leaves_at, Instant());
}

TEST_F(FrontDoor, AQuestionWithoutASessionSeesNoCatalog) {
  Question question = Asked("SELECT relname FROM pg_class");
  EXPECT_TRUE(Answer(question, *deployment_, 0).result.ok());
  question.session.reset();
  EXPECT_FALSE(Answer(question, *deployment_, 0).result.ok());
  EXPECT_FALSE(Explain(question, *deployment_, 0).result.ok());
  // And what is asked there does not hide the catalog elsewhere.
  EXPECT_TRUE(Answer(Asked(question.text), *deployment_, 0).result.ok());
}

TEST_F(FrontDoor, CountsQuestionsFromWhenTheyCame) {
  const auto count = [](const std::string& line) {
    const std::string text = Metrics();
    return std::stod(text.substr(text.find("\n" + line) + line.size() + 1));
  };
  const std::string answered = "tacit_queries_total{outcome=\"answered\"} ";
  const std::string refused = "tacit_queries_total{outcome=\"refused\"} ";
  const std::string seconds = "tacit_query_duration_seconds_sum ";
  const double answered_before = count(answered), refused_before = count(refused),
               seconds_before = count(seconds);
  Question late = Asked("SELECT count(*) FROM people");
  late.asked -= std::chrono::hours(1);  // it waited for a worker
  Answer(late, *deployment_, 0);
  Explain(late, *deployment_, 0);
  EXPECT_EQ(count(answered), answered_before + 2);
  EXPECT_NEAR(count(seconds) - seconds_before, 7200, 60);
  Answer(Asked("SELECT age FROM people"), *deployment_, 0);
  (void)Describe(Asked("SELECT age FROM people"), *deployment_, 0);
  EXPECT_FALSE(ReadRequest("ana", "SELEC", *deployment_).ok());
  EXPECT_EQ(count(refused), refused_before + 3);
  (void)Describe(Asked("SELECT count(*) FROM people"), *deployment_, 0);  // the question goes on
  Answer(Asked("SELECT 1"), *deployment_, 0);                             // about nobody
  EXPECT_EQ(count(answered), answered_before + 2);
}

}  // namespace
}  // namespace tacit::wire
