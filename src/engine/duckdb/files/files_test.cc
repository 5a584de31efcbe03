#include <gtest/gtest.h>

#include "base/testing/folder.h"
#include "engine/duckdb/files/file_views.h"
#include "engine/duckdb/files/open_data.h"
#include "engine/duckdb/values/read_schema.h"

// Files that are read where they are, as one database.

namespace tacit::engine::duckdb {
namespace {

using policy::FileTable;

class FilesTest : public ::testing::Test {
 protected:
  FilesTest() : writer_(Database::OpenForImport(":memory:", {.threads = 1}).value()) {}

  void Write(const std::string& name, const std::string& select) {
    std::filesystem::create_directories(std::filesystem::path(folder_.File(name)).parent_path());
    Connection connection = writer_.Connect().value();
    const auto failure = connection.Execute("COPY (" + select + ") TO " +
                                            QuoteLiteral(folder_.File(name)) + " (FORMAT parquet)");
    ASSERT_FALSE(failure) << failure->text;
  }

  FileTable Table(const std::string& name, const std::string& files,
                  FileTable::Format format = FileTable::Format::kParquet) const {
    return {.name = name, .place = {}, .format = format, .files = folder_.File(files)};
  }

  static Result<Database> Open(std::vector<FileTable> tables) {
    return OpenData({.path = "", .tables = std::move(tables)}, {.threads = 1});
  }

  // All rows, or why there are none.
  static std::string Ask(const Database& database, const std::string& sql) {
    Connection connection = database.Connect().value();
    ResultTable rows;
    if (const auto failure = connection.Query({.sql = sql}, 1000, &rows)) {
      return "failed: " + failure->text;
    }
    std::string text;
    for (const std::vector<Value>& row : rows.rows) {
      for (const Value& value : row) text += ToText(value) + " ";
    }
    return text;
  }

  static std::string RefusalOf(std::vector<FileTable> tables) {
    const Result<Database> database = Open(std::move(tables));
    EXPECT_FALSE(database.ok());
    return database.ok() ? "" : database.error().public_message;
  }

  tacit::testing::Folder folder_;
  Database writer_;
};

TEST_F(FilesTest, EveryFileIsReadAndEveryRowHasANumberOfItsOwn) {
  Write("v/a.parquet", "SELECT range::INTEGER AS id, 'a' AS s FROM range(3000)");
  Write("v/b.parquet", "SELECT range::INTEGER AS id, 'b' AS s FROM range(2000)");
  const Database database = Open({Table("visits", "v/*.parquet")}).value();
  EXPECT_EQ(Ask(database, "SELECT count(*), sum(id), count(DISTINCT rowid) FROM visits"),
            "5000 6497500 5000 ");
  Connection connection = database.Connect().value();
  const policy::Schema schema = ReadSchema(connection).value();
  ASSERT_EQ(schema.tables.size(), 1u);
  ASSERT_EQ(schema.tables[0].columns.size(), 2u) << "the number is no column of anybody's";
  EXPECT_EQ(schema.tables[0].columns[0].type, kIntegerType);
}

TEST_F(FilesTest, NothingElseCanBeReachedAndNothingWritten) {
  Write("a.parquet", "SELECT 1 AS id");
  Write("b.parquet", "SELECT 2 AS id");
  const Database database = Open({Table("t", "a.parquet")}).value();
  EXPECT_EQ(Ask(database, "SELECT id FROM t"), "1 ");
  const std::vector<std::string> statements = {
      "SELECT * FROM read_parquet(" + QuoteLiteral(folder_.File("b.parquet")) + ")",
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM glob('/*')",
      "COPY (SELECT 1) TO " + QuoteLiteral(folder_.File("c.parquet")),
      "COPY (SELECT 1) TO " + QuoteLiteral(folder_.File("a.parquet")),
      "ATTACH " + QuoteLiteral(folder_.File("d.duckdb")),
      "SET enable_external_access = true",
      "SET allowed_paths = []"};
  for (const std::string& sql : statements) {
    EXPECT_TRUE(Ask(database, sql).starts_with("failed: ")) << sql;
  }
  EXPECT_EQ(Ask(database, "SELECT id FROM t"), "1 ");
}

TEST_F(FilesTest, ValuesThatAreNoneOfTheirTypeAreNull) {
  Write("a.parquet",
        "SELECT * FROM (VALUES (1, 'NaN'::DOUBLE, 'infinity'::DATE, 'infinity'::TIMESTAMP), (2, "
        "0.5::DOUBLE, DATE '2024-01-01', TIMESTAMP '2024-01-01')) t(id, x, d, ts)");
  Write("b.parquet",
        "SELECT TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS ns, (170141183460469231731687303715"
        "884105727)::HUGEINT AS h, 5::DECIMAL(9,2) AS n");
  const Database database = Open({Table("t", "a.parquet"), Table("u", "b.parquet")}).value();
  EXPECT_EQ(Ask(database, "SELECT id, x IS NULL, d IS NULL, ts IS NULL FROM t ORDER BY id"),
            "1 t t t 2 f f f ");
  EXPECT_EQ(Ask(database, "SELECT typeof(ns), typeof(n), n FROM u"),
            "TIMESTAMP DECIMAL(9,2) 5.00 ");
}

TEST_F(FilesTest, FoldersAreColumnsOfTheTypesThatAreDeclared) {
  Write("s/env=prod/year=2023/a.parquet", "SELECT 1 AS id");
  Write("s/env=prod/year=2024/a.parquet", "SELECT 2 AS id");
  FileTable stays = Table("stays", "s/*/*/*.parquet");
  stays.partitions = {{.name = "year", .type = "bigint"}};
  const Database database = Open({stays}).value();
  EXPECT_EQ(Ask(database, "SELECT * EXCLUDE (rowid), typeof(year) FROM stays ORDER BY id"),
            "1 2023 BIGINT 2 2024 BIGINT ");
  stays.partitions = {};
  EXPECT_EQ(Ask(Open({stays}).value(), "SELECT * EXCLUDE (rowid) FROM stays ORDER BY id"), "1 2 ");
  stays.partitions = {{.name = "month", .type = "bigint"}};
  EXPECT_NE(RefusalOf({stays}).find("stands in no folder called month"), std::string::npos);
  Write("w/year=2024/a.parquet", "SELECT 2 AS id, 2000 AS year");
  FileTable twice = Table("w", "w/*/*.parquet");
  twice.partitions = {{.name = "year", .type = "bigint"}};
  EXPECT_NE(RefusalOf({twice}).find("in the files and in the names"), std::string::npos);
}

TEST_F(FilesTest, CsvFilesHaveTheColumnsThatAreDeclared) {
  folder_.Write("a.csv", "id;note\n1;x\n2;n/a\n");
  FileTable notes = Table("notes", "a.csv", FileTable::Format::kCsv);
  notes.columns = {{.name = "id", .type = "bigint"}, {.name = "note", .type = "text"}};
  notes.delimiter = ';';
  notes.nulls = {"n/a"};
  const Database database = Open({notes}).value();
  EXPECT_EQ(Ask(database, "SELECT id, note IS NULL, rowid FROM notes ORDER BY id"), "1 f 0 2 t 1 ");
}

TEST_F(FilesTest, ATableOfADatabaseIsReadAndAViewOfItIsNot) {
  const std::string path = folder_.File("old.duckdb");
  {
    const Database old = Database::OpenForImport(path, {.threads = 1}).value();
    Connection connection = old.Connect().value();
    for (const char* sql :
         {"CREATE TABLE t (id INTEGER UNIQUE, a VARCHAR COLLATE NOCASE)",
          "INSERT INTO t VALUES (1, 'A'), (2, 'a')", "CREATE TABLE u AS SELECT 7 AS n",
          "CREATE VIEW w AS SELECT * FROM t"}) {
      ASSERT_FALSE(connection.Execute(sql));
    }
  }
  FileTable table = Table("t", "old.duckdb", FileTable::Format::kDuckdb);
  table.stored_name = "t";
  const Database database = Open({table}).value();
  EXPECT_EQ(Ask(database, "SELECT count(DISTINCT a), count(DISTINCT rowid) FROM t"), "2 2 ");
  Connection connection = database.Connect().value();
  const policy::Schema schema = ReadSchema(connection).value();
  ASSERT_EQ(schema.tables.size(), 1u) << "what else the file holds is nobody's";
  EXPECT_EQ(schema.tables[0].columns[1].type, kTextType);
  EXPECT_FALSE(schema.tables[0].columns[0].unique) << "that has to be seen, not said by a name";
  FileTable other = Table("other", "old.duckdb", FileTable::Format::kDuckdb);
  other.stored_name = "u";
  EXPECT_EQ(Ask(Open({table, other}).value(), "SELECT n, count(*) FROM other, t GROUP BY n"),
            "7 2 ");
  table.stored_name = "w";
  EXPECT_NE(RefusalOf({table}).find("has no table w"), std::string::npos);
}

TEST_F(FilesTest, AColumnWithANameOfOursIsRefused) {
  Write("a.parquet", "SELECT 1 AS RowId");
  EXPECT_NE(RefusalOf({Table("t", "a.parquet")}).find("Tacit's own"), std::string::npos);
  Write("b.parquet", "SELECT 1 AS tacit_unit");
  EXPECT_NE(RefusalOf({Table("t", "b.parquet")}).find("Tacit's own"), std::string::npos);
  // Hides the engine's own name for the number.
  Write("c.parquet", "SELECT 7 AS file_row_number, 8 AS file_index FROM range(3)");
  EXPECT_EQ(Ask(Open({Table("t", "c.parquet")}).value(), "SELECT count(DISTINCT rowid) FROM t"),
            "3 ");
}

TEST_F(FilesTest, FilesThatChangeAreNoticed) {
  Write("a.parquet", "SELECT 1 AS id");
  policy::DuckdbSettings data;
  data.tables = {Table("t", "*.parquet")};
  const FoundTables found = FoundTables::Find(data).value();
  EXPECT_TRUE(found.CheckUnchanged().ok());
  const Database database = Open(data.tables).value();
  EXPECT_TRUE(database.CheckFiles().ok());

  Write("b.parquet", "SELECT 2 AS id");
  EXPECT_TRUE(database.CheckFiles().ok()) << "it belongs to the table when that is opened again";
  EXPECT_EQ(Ask(database, "SELECT id FROM t"), "1 ");
  EXPECT_NE(FoundTables::Find(data)->identity(), found.identity());
  const DataSource before{.path = "", .tables = data.tables, .identity = found.identity()};
  EXPECT_FALSE(OpenData(before, {.threads = 1}).ok());

  Write("a.parquet", "SELECT 3 AS id");
  EXPECT_FALSE(database.CheckFiles().ok());
  EXPECT_FALSE(database.Check().ok());
  std::filesystem::remove(folder_.File("a.parquet"));
  EXPECT_FALSE(found.CheckUnchanged().ok());
}

TEST_F(FilesTest, HowAFileIsReadBelongsToItsIdentity) {
  Write("y/year=1/a.parquet", "SELECT 1 AS id");
  policy::DuckdbSettings data;
  data.tables = {Table("t", "y/*/*.parquet")};
  const std::string plain = FoundTables::Find(data)->identity();
  data.tables[0].partitions = {{.name = "year", .type = "bigint"}};
  const std::string with_folder = FoundTables::Find(data)->identity();
  EXPECT_NE(plain, with_folder);
  data.tables[0].partitions[0].type = "text";
  EXPECT_NE(FoundTables::Find(data)->identity(), with_folder);
  data.tables[0].partitions[0].type = "bigint";
  EXPECT_EQ(FoundTables::Find(data)->identity(), with_folder);
}

}  // namespace
}  // namespace tacit::engine::duckdb
