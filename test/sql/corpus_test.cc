// What BI tools send (test/clients): planned, and run without noise on a small clinic.
#include "harness/corpus.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "analysis/analyze.h"
#include "harness/noiseless_run.h"
#include "harness/test_database.h"
#include "plan/compile.h"
#include "sql/constants/calendar.h"
#include "sql/constants/moment.h"
#include "sql/parse.h"

namespace tacit::golden {
namespace {

Result<std::vector<std::string>> RowsOf(const std::string& text, TestDatabase& database) {
  TACIT_TRY(const sql::Statement statement, sql::Parse(text));
  constexpr int64_t kNow = 19'797 * sql::kDayMicroseconds;
  TACIT_TRY(const sql::Query query, sql::AtMoment(statement.query, kNow));
  TACIT_TRY(const analysis::Facts facts,
            analysis::Analyze(query, database.policy, database.schema));
  TACIT_TRY(const plan::PrivatePlan plan, plan::Compile(facts, database.policy.privacy, {}));
  return RunWithoutNoise(plan, *database.session);
}

struct Count {
  int sent = 0, aggregate = 0, answered = 0;
};

TEST(Corpus, WhatToolsSendIsAnsweredAndRowsAreNot) {
  const std::string folder = TACIT_SQL_TEST_FOLDER;
  Result<TestDatabase> opened = OpenTestDatabase(folder + "/databases", "clinic");
  ASSERT_TRUE(opened.ok()) << opened.error().public_message;
  TestDatabase database = std::move(opened).value();
  const Result<std::vector<SentStatement>> corpus = ReadCorpus(folder + "/../clients/corpus");
  ASSERT_TRUE(corpus.ok());
  EXPECT_GE(corpus->size(), 400u);
  std::map<std::string, Count> counts;
  for (const SentStatement& sent : *corpus) {
    Count& count = counts[sent.tool];
    ++count.sent;
    if (sent.expected.starts_with("session")) continue;
    const Result<std::vector<std::string>> rows = RowsOf(sent.sql, database);
    const bool answer = sent.expected.ends_with("answer");
    EXPECT_EQ(rows.ok(), answer) << sent.name << "\n"
                                 << sent.sql << "\n"
                                 << (rows.ok()
                                         ? "was answered"
                                         : rows.error().rule + ": " + rows.error().public_message +
                                               rows.error().private_detail);
    if (!sent.expected.starts_with("aggregate")) continue;
    ++count.aggregate;
    count.answered += rows.ok() ? 1 : 0;
  }
  int aggregate = 0;
  int answered = 0;
  std::printf("%-10s %5s %10s %9s\n", "tool", "sent", "aggregate", "answered");
  for (const auto& [tool, count] : counts) {
    std::printf("%-10s %5d %10d %9d\n", tool.c_str(), count.sent, count.aggregate, count.answered);
    aggregate += count.aggregate;
    answered += count.answered;
  }
  EXPECT_GE(100 * answered, 95 * aggregate);
}

}  // namespace
}  // namespace tacit::golden
