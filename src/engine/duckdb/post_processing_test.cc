#include "engine/duckdb/post_processing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacit::engine::duckdb {
namespace {

// What the gateway does, in one call: the tables, then one SELECT.
struct NamedTable {
  std::string name;
  ResultTable table;
};
Result<ResultTable> RunPostProcessing(const std::vector<NamedTable>& tables, const std::string& sql,
                                      const Limits& limits = kPostProcessingLimits) {
  TACIT_TRY(PostProcessing database, PostProcessing::Open(limits));
  std::vector<PostProcessing::TableShape> shapes;
  for (const NamedTable& named : tables) shapes.push_back({named.name, named.table.columns});
  TACIT_CHECK(database.Arrange(shapes));
  for (const NamedTable& named : tables) {
    TACIT_CHECK(database.Fill(named.name, named.table.rows));
  }
  return database.Run(sql);
}

NamedTable Release() {
  ResultTable table;
  table.columns = {{"region", kTextType},
                   {"n", kBigintType},
                   {"total", ValueType{.kind = ValueKind::kNumeric, .precision = 38, .scale = 2}},
                   {"share", kDoubleType},
                   {"day", kDateType},
                   {"ok", kBooleanType}};
  table.rows = {{Value(std::string("north")), Value(int64_t{12}), Value(Numeric{-150, 2}),
                 Value(0.5), Value(Date{0}), Value(true)},
                {Value(std::string("south")), Value(), Value(), Value(), Value(), Value()}};
  return NamedTable{"r 1", table};
}

TEST(PostProcessing, RunsASelectOverReleasedTables) {
  const Result<ResultTable> result = RunPostProcessing(
      {Release()},
      "SELECT region, n * 2 AS twice, total, share, day, ok, row_number() OVER (ORDER BY n) AS r "
      "FROM \"r 1\" ORDER BY region");
  ASSERT_TRUE(result.ok()) << result.error().private_detail;
  ASSERT_EQ(result->rows.size(), 2u);
  EXPECT_EQ(result->columns[1].name, "twice");
  EXPECT_EQ(PostgresName(result->columns[1].type), "bigint");
  EXPECT_EQ(ToText(result->rows[0][1]), "24");
  EXPECT_EQ(ToText(result->rows[0][2]), "-1.50");
  EXPECT_EQ(ToText(result->rows[0][4]), "1970-01-01");
  EXPECT_TRUE(IsNull(result->rows[1][1]));
}

TEST(PostProcessing, HoldsNothingButItsTablesAndRunsNothingButASelect) {
  for (const char* sql :
       {"SELECT * FROM other", "DROP TABLE \"r 1\"", "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT 1; SELECT 2", "COPY \"r 1\" TO '/tmp/tacit_leak.csv'", "EXPLAIN SELECT 1", ""}) {
    const Result<ResultTable> result = RunPostProcessing({Release()}, sql);
    ASSERT_FALSE(result.ok()) << sql;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidQuery) << sql;
  }
}

TEST(PostProcessing, AWrongStatementIsFoundBeforeThereAreRows) {
  Result<PostProcessing> opened = PostProcessing::Open();
  ASSERT_TRUE(opened.ok());
  PostProcessing database = std::move(opened).value();
  ASSERT_TRUE(database.Arrange({{"r", {{"n", kBigintType}}}}).ok());
  EXPECT_TRUE(database.Check("SELECT n / 0 FROM r").ok());
  EXPECT_FALSE(database.Check("SELECT m FROM r").ok());
  EXPECT_FALSE(database.Check("DELETE FROM r").ok());
}

TEST(PostProcessing, ANextAnswerFindsNothingOfTheOneBefore) {
  Result<PostProcessing> opened = PostProcessing::Open();
  ASSERT_TRUE(opened.ok());
  PostProcessing database = std::move(opened).value();
  const std::string count = "SELECT count(*) AS n FROM r WHERE n > 5";
  for (int64_t round = 0; round < 3; ++round) {
    ASSERT_TRUE(database.Arrange({{"r", {{"n", kBigintType}}}}).ok());
    ASSERT_TRUE(database.Check(count).ok());
    ASSERT_TRUE(database.Fill("r", {{Value(int64_t{1})}, {Value(6 + round)}}).ok());
    const Result<ResultTable> result = database.Run(count);
    ASSERT_TRUE(result.ok()) << result.error().private_detail;
    EXPECT_EQ(ToText(result->rows[0][0]), "1");
    ASSERT_FALSE(database.Run("SELECT (n || 'x')::BIGINT FROM r").ok());  // ends the transaction
    ASSERT_TRUE(database.Clear().ok());
    EXPECT_EQ(ToText(database.Run(count)->rows[0][0]), "0");
  }
  ASSERT_TRUE(database.Arrange({{"other", {{"n", kBigintType}}}}).ok());
  EXPECT_FALSE(database.Check(count).ok());
  EXPECT_FALSE(database.Run(count).ok());
}

TEST(PostProcessing, TooLongAndTooLargeHaveFixedTexts) {
  Limits limits = kPostProcessingLimits;
  limits.deadline = std::chrono::milliseconds(50);
  const Result<ResultTable> slow = RunPostProcessing(
      {}, "SELECT count(*) FROM range(100000000) a(i), range(100000) b(j) WHERE hash(i, j) = 1",
      limits);
  ASSERT_FALSE(slow.ok());
  EXPECT_EQ(slow.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(slow.error().public_message, testing::HasSubstr("time limit"));

  limits = kPostProcessingLimits;
  limits.memory_bytes = 32 << 20;
  const Result<ResultTable> large = RunPostProcessing(
      {},
      "SELECT count(*) FROM (SELECT i::VARCHAR FROM range(5000000) t(i) ORDER BY hash(i) LIMIT "
      "4000000)",
      limits);
  ASSERT_FALSE(large.ok());
  EXPECT_THAT(large.error().public_message, testing::HasSubstr("memory"));

  const Result<ResultTable> long_answer =
      RunPostProcessing({}, "SELECT i FROM range(3000000) t(i)");
  ASSERT_FALSE(long_answer.ok());
  EXPECT_THAT(long_answer.error().public_message, testing::HasSubstr("memory"));
}

TEST(PostProcessing, ErrorsOfReleasedValuesAreSaidByKind) {
  const auto message = [](const char* sql) {
    const Result<ResultTable> result = RunPostProcessing({Release()}, sql);
    return result.ok() ? std::string("(no error)") : result.error().public_message;
  };
  EXPECT_THAT(message("SELECT region::INTEGER FROM \"r 1\""), testing::HasSubstr("cast"));
  EXPECT_THAT(message("SELECT n + 9223372036854775807 FROM \"r 1\""),
              testing::HasSubstr("out of range"));
}

}  // namespace
}  // namespace tacit::engine::duckdb
