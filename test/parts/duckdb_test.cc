// DuckDB's header and library come from two packages. These tests try them together, so that a
// wrong download, or a library too old for the header, is found here and not in an answer.

#include <duckdb.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

class DuckDb : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(duckdb_open(nullptr, &database_), DuckDBSuccess);
    ASSERT_EQ(duckdb_connect(database_, &connection_), DuckDBSuccess);
  }
  void TearDown() override {
    duckdb_destroy_result(&result_);
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  duckdb_state Run(const char* sql) {
    duckdb_destroy_result(&result_);
    return duckdb_query(connection_, sql, &result_);
  }

  // The 128 bits of a single value, read from the chunk as the engine reads it.
  duckdb_hugeint OneHugeint(const char* sql) {
    EXPECT_EQ(Run(sql), DuckDBSuccess) << duckdb_result_error(&result_);
    duckdb_data_chunk chunk = duckdb_fetch_chunk(result_);
    EXPECT_EQ(duckdb_data_chunk_get_size(chunk), 1U);
    const void* values = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
    const duckdb_hugeint value = *static_cast<const duckdb_hugeint*>(values);
    duckdb_destroy_data_chunk(&chunk);
    return value;
  }

  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  duckdb_result result_{};
};

std::array<int, 3> VersionOf(const char* text) {
  std::array<int, 3> version{};
  const int fields = std::sscanf(text, *text == 'v' ? "v%d.%d.%d" : "%d.%d.%d", &version[0],
                                 &version[1], &version[2]);
  EXPECT_EQ(fields, 3) << text;
  return version;
}

TEST_F(DuckDb, LibraryIsThePinnedVersionOrNewer) {
  EXPECT_GE(VersionOf(duckdb_library_version()), VersionOf(DUCKDB_PINNED_VERSION))
      << duckdb_library_version() << " is older than " << DUCKDB_PINNED_VERSION;
}

TEST_F(DuckDb, AnswersAQueryOverManyChunks) {
  ASSERT_EQ(Run("SELECT i FROM range(10000) t(i) WHERE i % 2 = 0"), DuckDBSuccess);
  idx_t rows = 0;
  while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result_)) {
    rows += duckdb_data_chunk_get_size(chunk);
    duckdb_destroy_data_chunk(&chunk);
  }
  EXPECT_EQ(rows, 5000U);
}

TEST_F(DuckDb, SumsHugeintsExactlyUpToTheLastOfThem) {
  const duckdb_hugeint most = OneHugeint(
      "SELECT sum(x::HUGEINT) FROM (VALUES (170141183460469231731687303715884105726), (1)) t(x)");
  EXPECT_EQ(most.lower, UINT64_MAX);
  EXPECT_EQ(most.upper, INT64_MAX);
  const duckdb_hugeint carried =
      OneHugeint("SELECT sum(9223372036854775807) FROM range(4) t(i)");  // 4 (2^63 - 1) = 2^65 - 4
  EXPECT_EQ(carried.lower, UINT64_MAX - 3);
  EXPECT_EQ(carried.upper, 1);
}

TEST_F(DuckDb, SumsDecimalsAs128BitIntegersOnTheirGrid) {
  const duckdb_hugeint cents = OneHugeint(
      "SELECT sum(x) FROM (VALUES (9999999999999999.99::DECIMAL(18,2)), (0.02), (-0.01)) t(x)");
  EXPECT_EQ(duckdb_column_type(&result_, 0), DUCKDB_TYPE_DECIMAL);
  EXPECT_EQ(cents.upper, 0);
  EXPECT_EQ(cents.lower, 1000000000000000000U);
}

TEST_F(DuckDb, SaysThatASumOverflowsInsteadOfWrapping) {
  EXPECT_EQ(
      Run("SELECT sum(x::HUGEINT) FROM (VALUES (170141183460469231731687303715884105727), (1)) "
          "t(x)"),
      DuckDBError);
}

TEST_F(DuckDb, ReportsAnErrorForWhatIsNotSql) {
  EXPECT_EQ(Run("SELEC 1"), DuckDBError);
  EXPECT_NE(std::string(duckdb_result_error(&result_)), "");
}

}  // namespace
