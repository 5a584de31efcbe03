#include <gtest/gtest.h>

#include <filesystem>

#include "engine/duckdb/database/database.h"
#include "engine/postgres/connection/connection.h"
#include "engine/postgres/statement/dialect.h"
#include "engine/postgres/values.h"
#include "generated_expressions.h"
#include "loaded_tables.h"
#include "sql/bind/bind.h"
#include "sql/print/postgres/postgres.h"
#include "sql/print/query.h"
#include "sql/testing/edge_values.h"

// Expressions that a seeded generator nests, over values at the edges of every type, in both
// engines: PostgreSQL raises for no row, and gives what DuckDB gives for each, or has no words.
namespace tacit::golden {
namespace {

using engine::duckdb::Database;
using sql::Expression;
using sql::testing::EdgeColumn;

constexpr int kRows = 400;

// What PostgreSQL has no value for: a text with a zero in it, days and instants beyond its own.
bool HasPostgres(const std::string& value) {
  for (const char* none : {"chr(0)", "5881580", "5877642", "290309", "months", "hours"}) {
    if (value.find(none) != std::string::npos) return false;
  }
  return true;
}

std::string InPostgres(const EdgeColumn& column, std::string value) {
  if (column.name == "f4" && value == "1e-45") return "'1.4e-45'";
  return value;
}

class BothEngines {
 public:
  explicit BothEngines(const std::string& schema) : schema_(schema), postgres_(OpenPostgres()) {
    folder_ = std::filesystem::path(::testing::TempDir()) / schema;
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    database_.emplace(
        Database::OpenForImport((folder_ / "t.duckdb").string(), {.threads = 1}).value());
    Result<engine::duckdb::Connection> connected = database_->Connect();
    duckdb_.emplace(std::move(connected).value());
    std::string there = "nr integer", here = "nr INTEGER";
    for (const EdgeColumn& column : sql::testing::EdgeColumns()) {
      here += ", " + column.name + " " + column.stored;
      there += ", " + column.name + " " + PostgresName(column.type) +
               (column.type.kind == TypeKind::kText ? " COLLATE \"C\"" : "");
      generated_.AddColumn("t", column.name, column.type);
    }
    std::string rows_here, rows_there;
    for (int nr = 0; nr < kRows; ++nr) {
      const std::string head = (nr == 0 ? "(" : ", (") + std::to_string(nr);
      rows_here += head;
      rows_there += head;
      for (const EdgeColumn& column : sql::testing::EdgeColumns()) {
        const size_t pick = generated_.Below(column.values.size() + 1);
        const bool known = pick < column.values.size() && HasPostgres(column.values[pick]);
        const std::string value = known ? column.values[pick] : "NULL";
        rows_here += ", " + value;
        rows_there += ", " + InPostgres(column, value);
      }
      rows_here += ")";
      rows_there += ")";
    }
    EXPECT_FALSE(duckdb_->Execute("CREATE TABLE t (" + here + ")"));
    EXPECT_FALSE(duckdb_->Execute("INSERT INTO t VALUES " + rows_here));
    RunAsOwner("CREATE SCHEMA " + schema_ + "; SET search_path = " + schema_ +
               ", pg_catalog; CREATE TABLE t (" + there + "); INSERT INTO t VALUES " + rows_there);
    EXPECT_FALSE(postgres_.Execute("SET search_path = " + schema_ + ", pg_catalog"));
    generated_.AddEdgeLiterals();
  }
  ~BothEngines() {
    duckdb_.reset();
    database_.reset();
    std::filesystem::remove_all(folder_);
  }

  void NestTwoDeep(int each) {
    generated_.NestTwoDeep(each, [this](const Expression& one) { return Check(one, "t"); });
  }

  // All pairs of doubles at the ends, which the guards are about.
  void PairsOfDoubles() {
    const std::vector<std::string> ends = EndsOfDoubles();
    std::string rows;
    int nr = 0;
    for (const std::string& x : ends) {
      for (const std::string& y : ends) {
        rows += (nr == 0 ? "(" : ", (") + std::to_string(nr) + ", " + x + ", " + y + ")";
        ++nr;
      }
    }
    EXPECT_FALSE(duckdb_->Execute("CREATE TABLE p (nr INTEGER, x DOUBLE, y DOUBLE)"));
    EXPECT_FALSE(duckdb_->Execute("INSERT INTO p VALUES " + rows));
    RunAsOwner("SET search_path = " + schema_ +
               ", pg_catalog; CREATE TABLE p (nr integer, x float8, y float8);"
               "INSERT INTO p VALUES " +
               rows);
    for (const char* name : {"x", "y"}) {
      generated_.AddToScope("p", name, kDoubleType);
    }
    const auto column = [](const char* name) {
      return sql::MakeExpression(sql::ColumnReference{"p", name});
    };
    for (const char* symbol : {"+", "-", "*", "/"}) {
      EXPECT_TRUE(Check(sql::MakeExpression(sql::Call{symbol, {column("x"), column("y")}}), "p"));
    }
    std::printf("%d pairs of doubles\n", nr);
  }

  // The row hash of each column's values.
  void HashColumns() {
    using engine::postgres::PrintBytes;
    using engine::postgres::Stored;
    const auto text = [](const char* word) {
      return "(" +
             PrintBytes("CAST('" + std::string(word) + "' AS text)", Stored::kText, kTextType) +
             ")";
    };
    for (const EdgeColumn& column : sql::testing::EdgeColumns()) {
      const std::optional<Stored> stored = StoredAs(column);
      if (!stored) continue;
      std::optional<engine::postgres::Reply> there;
      ASSERT_FALSE(postgres_.Query("SELECT substring(sha256(" + text("key") + " || " + text("t") +
                                       " || " + text("u") + " || (" +
                                       PrintBytes(column.name, *stored, column.type) +
                                       ")) FROM 1 FOR 8) FROM t ORDER BY nr",
                                   {}, &there))
          << column.name;
      engine::ResultTable here;
      ASSERT_FALSE(duckdb_->Query(
          {.sql = "SELECT tacit_row_hash('key', 't', 'u', " + column.name + ") FROM t ORDER BY nr"},
          100'000, &here));
      size_t nr = 0;
      for (const std::vector<engine::Value>& row : here.rows) {
        uint64_t hash = 0;
        for (const char c : there->Bytes(nr++, 0)) {
          hash = (hash << 8) | static_cast<unsigned char>(c);
        }
        ASSERT_EQ(std::to_string(hash), engine::ToText(row[0])) << column.name << " row " << nr;
      }
    }
  }

  const std::vector<std::string>& problems() const { return problems_; }
  size_t compared() const { return compared_; }
  size_t known() const { return known_; }
  size_t missing() const { return missing_; }

 private:
  // Nothing where DuckDB stores it in another width than the type has that questions see.
  static std::optional<engine::postgres::Stored> StoredAs(const EdgeColumn& column) {
    using engine::postgres::Stored;
    if (column.stored[0] == 'U' && column.stored != "UUID") return std::nullopt;
    switch (column.type.kind) {
      case TypeKind::kBoolean:
        return Stored::kBoolean;
      case TypeKind::kSmallint:
        return Stored::kSmallint;
      case TypeKind::kInteger:
        return Stored::kInteger;
      case TypeKind::kBigint:
        return Stored::kBigint;
      case TypeKind::kNumeric:
        return Stored::kNumeric;
      case TypeKind::kReal:
        return Stored::kReal;
      case TypeKind::kDouble:
        return Stored::kDouble;
      case TypeKind::kDate:
        return Stored::kDate;
      case TypeKind::kTimestamp:
        return Stored::kTimestamp;
      case TypeKind::kTimestampTz:
        return Stored::kTimestampTz;
      case TypeKind::kInterval:
        return Stored::kInterval;
      case TypeKind::kUuid:
        return Stored::kUuid;
      default:
        return column.name == "e" ? std::nullopt : std::optional(Stored::kText);
    }
  }
  static engine::postgres::Connection OpenPostgres() {
    Result<engine::postgres::Connection> opened =
        engine::postgres::Connection::Open(TestServer("public").value(), {});
    return std::move(opened).value();
  }
  // Whether it is an expression that both have words for.
  bool Check(const Expression& expression, const std::string& table) {
    const Result<sql::Bound> bound = sql::Bind(expression, generated_.scope());
    if (!bound.ok()) return false;
    const ValueType type = (*bound)->type;
    if (type.kind == TypeKind::kUnknown || type.kind == TypeKind::kReal) return false;
    const sql::PostgresDialect dialect;
    if (!KnowsAll(*bound, dialect)) return false;
    const Result<std::string> there = sql::PrintExpression(*bound, dialect);
    const Result<std::string> here = sql::PrintExpression(*bound, sql::DuckDbInsideUnitDialect());
    if (!there.ok() || !here.ok()) return false;
    if (!dialect.missing().empty()) {
      ++missing_;
      return false;
    }
    Compare(dialect.Read(*there, type), sql::DuckDbInsideUnitDialect().Read(*here, type), type,
            table);
    return true;
  }
  void Compare(const std::string& there, const std::string& here, const ValueType& type,
               const std::string& table) {
    const std::string tail = " AS v FROM " + table + " ORDER BY nr";
    std::optional<engine::postgres::Reply> reply;
    const auto raised = postgres_.Query("SELECT " + there + tail, {}, &reply);
    if (raised) {
      problems_.push_back(raised->text + ": " + there);
      return;
    }
    engine::ResultTable rows;
    if (duckdb_->Query({.sql = "SELECT " + here + tail}, 100'000, &rows)) return;
    ++compared_;
    size_t nr = 0;
    for (const std::vector<engine::Value>& row : rows.rows) {
      const size_t at = nr++;
      engine::Value value;
      if (!reply->IsNull(at, 0)) {
        const auto read = engine::postgres::ReadValue(reply->Bytes(at, 0), type);
        if (!read) {
          problems_.push_back("unread: " + there);
          return;
        }
        value = *read;
      }
      known_ += engine::IsNull(value) ? 0 : 1;
      if (ComparedText(value) == ComparedText(row[0])) continue;
      problems_.push_back("row " + std::to_string(at) + ": " + ComparedText(value) + ", DuckDB " +
                          ComparedText(row[0]) + ": " + there + "\n" + here);
      return;
    }
  }

  std::string schema_;
  std::filesystem::path folder_;
  engine::postgres::Connection postgres_;
  std::optional<Database> database_;
  std::optional<engine::duckdb::Connection> duckdb_;
  GeneratedExpressions generated_;
  std::vector<std::string> problems_;
  size_t compared_ = 0, known_ = 0, missing_ = 0;
};

TEST(PostgresWords, HashARowAsDuckdbDoes) {
  if (!TestServer("public")) GTEST_SKIP() << "run it by test/engines/with_postgres.py";
  BothEngines("hashes").HashColumns();
}

TEST(PostgresWords, MeanWhatDuckdbsMeanAndNeverRaise) {
  if (!TestServer("public")) GTEST_SKIP() << "run it by test/engines/with_postgres.py";
  BothEngines both("words");
  both.PairsOfDoubles();
  both.NestTwoDeep(std::getenv("TACIT_LONG") != nullptr ? 40 : 6);
  std::printf("%zu expressions compared, %zu values that are known; %zu without words\n",
              both.compared(), both.known(), both.missing());
  size_t shown = 0;
  for (const std::string& problem : both.problems()) {
    if (shown++ < 25) ADD_FAILURE() << problem.substr(0, 1500);
  }
  EXPECT_EQ(both.problems().size(), 0u);
  EXPECT_GT(both.compared(), 500u);
  EXPECT_GT(both.known(), 50'000u);
}

}  // namespace
}  // namespace tacit::golden
