#include "engine/duckdb/database/database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/values/read_schema.h"

namespace tacit::engine::duckdb {
namespace {

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / "data.duckdb").string();
    const Result<Database> writable = Database::OpenForImport(path_, {});
    Connection connection = *ConnectTo(writable);
    for (const char* sql :
         {"CREATE TABLE people (id INTEGER, name VARCHAR, pay DECIMAL(12,2), born DATE, big "
          "HUGEINT, "
          "tall DOUBLE, code ENUM('x', 'y'), key UUID)",
          "INSERT INTO people VALUES (1, 'Ann', 12.50, DATE '2000-01-31', "
          "170141183460469231731687303715884105727, 1.5, 'y', "
          "'00112233-4455-6677-8899-aabbccddeeff'), (2, NULL, -0.05, NULL, -1, NULL, NULL, NULL), "
          "(3, 'Bob', 1, NULL, NULL, 2.5, 'x', NULL)"}) {
      const std::optional<Failure> failure = connection.Execute(sql);
      EXPECT_FALSE(failure) << failure->text;
    }
  }
  ~DatabaseTest() override { std::filesystem::remove_all(folder_); }

  static std::optional<Connection> ConnectTo(const Result<Database>& database) {
    EXPECT_TRUE(database.ok()) << database.error().private_detail;
    Result<Connection> connection = database->Connect();
    EXPECT_TRUE(connection.ok());
    return std::move(connection).value();
  }

  Connection OpenReadOnly(Limits limits = {}) {
    return std::move(*ConnectTo(Database::OpenReadOnly(path_, limits)));
  }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(DatabaseTest, ReadsEveryTypeAsItIsStored) {
  Connection connection = OpenReadOnly();
  ResultTable table;
  const std::optional<Failure> failure =
      connection.Query({.sql = "SELECT * FROM people ORDER BY id"}, 10, &table);
  ASSERT_FALSE(failure) << failure->text;
  ASSERT_EQ(table.rows.size(), 3u);
  std::vector<std::string> texts, types;
  for (const Value& value : table.rows[0]) texts.push_back(ToText(value));
  for (const ResultColumn& column : table.columns) types.push_back(PostgresName(column.type));
  EXPECT_THAT(texts, testing::ElementsAre("1", "Ann", "12.50", "2000-01-31",
                                          "170141183460469231731687303715884105727", "1.5", "y",
                                          "00112233-4455-6677-8899-aabbccddeeff"));
  EXPECT_THAT(types, testing::ElementsAre("integer", "text", "numeric(12,2)", "date",
                                          "numeric(38,0)", "double precision", "text", "uuid"));
  EXPECT_TRUE(IsNull(table.rows[1][1]));
  EXPECT_EQ(ToText(table.rows[1][2]), "-0.05");
  EXPECT_EQ(ToText(table.rows[1][4]), "-1");
}

TEST_F(DatabaseTest, BindsParametersOfEveryType) {
  Connection connection = OpenReadOnly();
  ResultTable table;
  const Connection::Statement statement{
      .sql = "SELECT $1 + 1, $2 || '!', $3 IS NULL, $4, $5",
      .parameters = {Value(int64_t{1}), Value(std::string("it's")), Value(), Value(Date{1}),
                     Value(Numeric{-1, 0})}};
  const std::optional<Failure> failure = connection.Query(statement, 10, &table);
  ASSERT_FALSE(failure) << failure->text;
  EXPECT_EQ(ToText(table.rows[0][0]), "2");
  EXPECT_EQ(ToText(table.rows[0][1]), "it's!");
  EXPECT_EQ(ToText(table.rows[0][2]), "t");
  EXPECT_EQ(ToText(table.rows[0][3]), "1970-01-02");
  EXPECT_EQ(ToText(table.rows[0][4]), "-1");
}

TEST_F(DatabaseTest, NoDoorLeadsOut) {
  Connection connection = OpenReadOnly();
  for (const char* sql :
       {"INSERT INTO people VALUES (4)", "CREATE TABLE t (a INT)", "DROP TABLE people",
        "SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_text('/etc/passwd')", "COPY people TO '/tmp/tacit_leak.csv'",
        "ATTACH '/tmp/tacit_other.db'", "INSTALL httpfs", "SET threads = 4",
        "SET enable_external_access = true", "SET lock_configuration = false",
        "SET temp_directory = '/tmp'", "EXPORT DATABASE '/tmp/tacit_leak'", "SELECT 1; SELECT 2",
        "CREATE SECRET s (TYPE S3)"}) {
    EXPECT_TRUE(connection.Execute(sql).has_value()) << sql;
  }
  EXPECT_FALSE(std::filesystem::exists("/tmp/tacit_leak.csv"));
}

TEST_F(DatabaseTest, SmallTablesAreReadByOneThread) {
  const auto threads = [](Connection connection) {
    ResultTable table;
    EXPECT_FALSE(connection.Query({.sql = "SELECT current_setting('threads')"}, 1, &table));
    return ToText(table.rows[0][0]);
  };
  EXPECT_EQ(threads(OpenReadOnly({.threads = 3})), "1");
  {
    const Result<Database> writable = Database::OpenForImport(path_, {});
    Connection connection = *ConnectTo(writable);
    EXPECT_FALSE(connection.Execute("CREATE TABLE many AS SELECT i FROM range(130000) t(i)"));
  }
  EXPECT_EQ(threads(OpenReadOnly({.threads = 3})), "3");
}

TEST_F(DatabaseTest, ADeadlineEndsTheStatement) {
  // Opening has statements of its own, and may be slow under a sanitizer.
  Connection connection = OpenReadOnly({.deadline = std::chrono::seconds(2)});
  const std::optional<Failure> failure = connection.Execute(
      "SELECT count(*) FROM range(100000000) a(i), range(100000) b(j) WHERE hash(i, j) = 1");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->type, DUCKDB_ERROR_INTERRUPT);
  EXPECT_FALSE(connection.Execute("SELECT 1"));  // and the connection lives on
}

TEST_F(DatabaseTest, AMissingFileIsUnavailableAndIsNotMade) {
  const std::string missing = (folder_ / "missing.duckdb").string();
  const Result<Database> database = Database::OpenReadOnly(missing, {});
  ASSERT_FALSE(database.ok());
  EXPECT_EQ(database.error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(std::filesystem::exists(missing));
}

TEST_F(DatabaseTest, TheSchemaHoldsNamesAndTypes) {
  Connection connection = OpenReadOnly();
  const Result<policy::Schema> schema = ReadSchema(connection);
  ASSERT_TRUE(schema.ok());
  ASSERT_EQ(schema->tables.size(), 1u);
  EXPECT_EQ(schema->Find("PEOPLE")->Find("Pay")->type.scale, 2);
  EXPECT_EQ(schema->Find("people")->columns.size(), 8u);
}

TEST_F(DatabaseTest, TheSchemaKnowsWhatTheDatabaseKeepsUnique) {
  const std::string path = (folder_ / "unique.duckdb").string();
  const Result<Database> writable = Database::OpenForImport(path, {});
  Connection connection = *ConnectTo(writable);
  for (const char* sql :
       {"CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER UNIQUE, \"C d\" INTEGER, e INTEGER, f "
        "INTEGER, g INTEGER, h INTEGER CHECK (h > 0), UNIQUE (e, f))",
        "CREATE UNIQUE INDEX one ON t (\"C d\")", "CREATE UNIQUE INDEX two ON t (f, g)",
        "CREATE INDEX three ON t (g)", "CREATE UNIQUE INDEX four ON t ((h + 1))"}) {
    const std::optional<Failure> failure = connection.Execute(sql);
    ASSERT_FALSE(failure) << failure->text;
  }
  const Result<policy::Schema> schema = ReadSchema(connection);
  ASSERT_TRUE(schema.ok()) << schema.error().private_detail;
  std::string unique;
  for (const policy::SchemaColumn& column : schema->Find("t")->columns) {
    if (column.unique) unique += column.name + ";";
  }
  EXPECT_EQ(unique, "a;b;C d;");
}

TEST(Quote, DoublesTheMark) {
  EXPECT_EQ(QuoteLiteral("it's"), "'it''s'");
  EXPECT_EQ(QuoteName("a\"b"), "\"a\"\"b\"");
}

// Sets of many values: more than the memory that is allowed here.
constexpr char kLargeSet[] =
    "SELECT count(DISTINCT 'a stored text, whatever it says ' || i) FROM range(1000000) t(i)";

TEST_F(DatabaseTest, WhatDoesNotFitIsSpilledAndTheResultIsTheSame) {
  ResultTable plenty, little;
  {
    Connection connection = OpenReadOnly();
    const auto failure = connection.Query({.sql = kLargeSet}, 1, &plenty);
    ASSERT_FALSE(failure) << failure->text;
  }
  const std::string spill = (folder_ / "spill").string();
  const Limits small{.threads = 2, .memory_bytes = 64 << 20, .spill = spill};
  std::atomic<bool> spilled = false, done = false;
  {
    Connection connection = OpenReadOnly(small);
    std::thread watcher([&] {
      std::error_code gone;
      while (!spilled && !done) {
        for (std::filesystem::recursive_directory_iterator at(spill, gone), end; !gone && at != end;
             at.increment(gone)) {
          if (at->is_regular_file(gone) && !gone) spilled = true;
        }
      }
    });
    const auto failure = connection.Query({.sql = kLargeSet}, 1, &little);
    done = true;
    watcher.join();
    ASSERT_FALSE(failure) << failure->text;
    EXPECT_EQ(std::filesystem::status(spill).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_TRUE(spilled) << "the memory was enough: the test shows nothing";
  EXPECT_EQ(little.rows, plenty.rows);
  EXPECT_TRUE(std::filesystem::is_empty(spill));
  // And no further than the bound.
  Connection bounded = OpenReadOnly(
      {.threads = 2, .memory_bytes = 64 << 20, .spill = spill, .spill_bytes = 1 << 20});
  const auto failure = bounded.Query({.sql = kLargeSet}, 1, &little);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->type, DUCKDB_ERROR_OUT_OF_MEMORY) << failure->text;
}

TEST_F(DatabaseTest, ItIsSaidWhenTheFileCannotBeRead) {
  const Result<Database> database = Database::OpenReadOnly(path_, {});
  ASSERT_TRUE(database.ok());
  EXPECT_TRUE(database->Check().ok());
  EXPECT_TRUE(database->Check().ok());
  // What was renamed or removed is still open.
  std::filesystem::rename(path_, path_ + ".aside");
  EXPECT_TRUE(database->Check().ok());
  std::filesystem::rename(path_ + ".aside", path_);
  const auto written = std::filesystem::last_write_time(path_);
  const auto bytes = std::filesystem::file_size(path_);
  for (const auto left : {bytes / 2, bytes - 1, uintmax_t{0}}) {
    std::filesystem::resize_file(path_, left);
    std::filesystem::last_write_time(path_, written);
    EXPECT_FALSE(database->Check().ok()) << left;
    std::filesystem::resize_file(path_, bytes);
    std::filesystem::last_write_time(path_, written);
    EXPECT_TRUE(database->Check().ok()) << "nobody wrote, as far as can be seen";
  }
  std::ofstream(path_, std::ios::binary) << std::string(bytes, 'x');
  const Result<Done> other = database->Check();
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::kUnavailable);
}

std::string ReadAll(const std::filesystem::path& folder) {
  std::string text;
  std::error_code gone;
  for (std::filesystem::recursive_directory_iterator at(folder, gone), end; !gone && at != end;
       at.increment(gone)) {
    if (!at->is_regular_file(gone)) continue;
    std::ifstream file(at->path(), std::ios::binary);
    text.append(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

// The files are read while the engine writes them, again and again, in every size that it has.
TEST_F(DatabaseTest, NoRowIsWrittenInClear) {
  const std::string spill = (folder_ / "spill").string();
  Connection connection = OpenReadOnly({.threads = 2, .memory_bytes = 64 << 20, .spill = spill});
  std::atomic<bool> done = false;
  size_t bytes = 0, in_clear = 0;
  std::thread watcher([&] {
    while (!done) {
      const std::string text = ReadAll(spill);
      bytes = std::max(bytes, text.size());
      for (size_t at = text.find("whatever it says"); at != std::string::npos;
           at = text.find("whatever it says", at + 1)) {
        ++in_clear;
      }
    }
  });
  ResultTable result;
  const auto failure = connection.Query({.sql = kLargeSet}, 1, &result);
  done = true;
  watcher.join();
  ASSERT_FALSE(failure) << failure->text;
  EXPECT_GT(bytes, 1u << 20) << "too little was written: the test shows nothing";
  EXPECT_EQ(in_clear, 0u);
}

TEST_F(DatabaseTest, NothingIsPutWhereOthersCanLook) {
  const std::string spill = (folder_ / "spill").string();
  std::filesystem::create_directory(spill);
  std::filesystem::permissions(spill, std::filesystem::perms(0750));
  const Result<Database> open = Database::OpenReadOnly(path_, {.spill = spill});
  ASSERT_FALSE(open.ok());
  EXPECT_EQ(open.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(open.error().hint, testing::HasSubstr("chmod 0700"));
  std::filesystem::remove(spill);
  std::filesystem::create_directory_symlink(folder_, spill);
  EXPECT_FALSE(Database::OpenReadOnly(path_, {.spill = spill}).ok());
  const Result<Database> full = Database::OpenReadOnly(
      path_, {.spill = (folder_ / "other").string(), .spill_bytes = int64_t{1} << 60});
  ASSERT_FALSE(full.ok());
  EXPECT_THAT(full.error().hint, testing::HasSubstr("spill_mb"));
}

TEST(SpillFolder, TakesAwayWhatNobodyHoldsAndNothingElse) {
  const std::filesystem::path parent =
      std::filesystem::path(testing::TempDir()) / "spill_folder_test";
  std::filesystem::remove_all(parent);
  const auto first = SpillFolder::Make(parent.string()).value();
  std::ofstream(first->path() + "/in_use") << "x";
  std::filesystem::create_directory(parent / "engine-left");  // by a process that was killed
  std::ofstream(parent / "engine-left" / "rows") << "x";
  std::ofstream(parent / "notes") << "the owner's own";
  {
    const auto second = SpillFolder::Make(parent.string()).value();
    EXPECT_NE(second->path(), first->path());
    EXPECT_FALSE(std::filesystem::exists(parent / "engine-left"));
    EXPECT_TRUE(std::filesystem::exists(first->path() + "/in_use"));
    EXPECT_TRUE(std::filesystem::exists(parent / "notes"));
    std::ofstream(second->path() + "/rows") << "x";
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(parent), {}), 2);
  std::filesystem::remove_all(parent);
}

}  // namespace
}  // namespace tacit::engine::duckdb
