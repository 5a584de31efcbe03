#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/duckdb/database/database.h"
#include "engine/trino/exact_groups.h"
#include "engine/trino/statement/dialect.h"
#include "engine/trino/values.h"
#include "generated_expressions.h"
#include "sql/print/query.h"
#include "sql/print/trino/trino.h"
#include "sql/testing/edge_values.h"
#include "trino_tables.h"

// Expressions that a seeded generator nests, over values at the edges of every type, in both
// engines: Trino raises for no row, and gives what DuckDB gives for each, or has no words.
namespace tacit::golden {
namespace {

using engine::duckdb::Database;
using engine::server::Stored;
using engine::trino::Connection;
using engine::trino::Reply;
using sql::Expression;
using sql::testing::EdgeColumn;

constexpr int kRows = 400;
// Of one statement: each takes the cluster a tenth of a second.
constexpr size_t kTogether = 24;
constexpr size_t kTogetherBytes = 400'000;

// What Trino has no value for.
bool HasTrino(const std::string& value) {
  for (const char* none : {"5881580", "5877642", "290309", "294247"}) {
    if (value.find(none) != std::string::npos) return false;
  }
  return value != "'infinity'" && value != "'-infinity'";
}

std::string Hex(const std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char c : text) {
    hex += kDigits[static_cast<unsigned char>(c) / 16];
    hex += kDigits[static_cast<unsigned char>(c) % 16];
  }
  return hex;
}

std::string InTrino(const engine::Value& text, const ValueType& type) {
  const std::string name = sql::TrinoDialect().TypeName(type);
  if (engine::IsNull(text)) return "CAST(NULL AS " + name + ")";
  std::string value = std::get<std::string>(text);
  if (type.kind == TypeKind::kText) return "from_utf8(X'" + Hex(value) + "')";
  if (type.IsFloat() && value.ends_with("inf")) value.replace(value.size() - 3, 3, "Infinity");
  if (value == "nan") value = "NaN";
  if (type.kind == TypeKind::kTimestampTz) value.replace(value.size() - 3, 3, " UTC");
  return "CAST('" + value + "' AS " + name + ")";
}

class BothEngines {
 public:
  explicit BothEngines(const std::string& schema)
      : schema_(schema), trino_(Connection::Open(TestCluster(schema).value(), {}).value()) {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("trino_" + schema);
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    database_.emplace(
        Database::OpenForImport((folder_ / "t.duckdb").string(), {.threads = 1}).value());
    Result<engine::duckdb::Connection> connected = database_->Connect();
    duckdb_.emplace(std::move(connected).value());
    RunInTrino("CREATE SCHEMA memory." + schema_);
    std::string names = "nr INTEGER", rows;
    for (const EdgeColumn& column : Columns()) {
      names += ", " + column.name + " " + column.stored;
      generated_.AddColumn("t", column.name, column.type);
    }
    for (int nr = 0; nr < kRows; ++nr) {
      rows += (nr == 0 ? "(" : ", (") + std::to_string(nr);
      for (const EdgeColumn& column : Columns()) {
        const size_t pick = generated_.Below(column.values.size() + 1);
        const bool known = pick < column.values.size() && HasTrino(column.values[pick]);
        rows += ", " + (known ? column.values[pick] : "NULL");
      }
      rows += ")";
    }
    InDuckdb("CREATE TABLE t (" + names + ")");
    InDuckdb("INSERT INTO t VALUES " + rows);
    std::vector<ValueType> types = {kIntegerType};
    for (const EdgeColumn& column : Columns()) types.push_back(column.type);
    Copy("t", types);
    generated_.AddEdgeLiterals();
  }
  ~BothEngines() {
    duckdb_.reset();
    database_.reset();
    std::filesystem::remove_all(folder_);
  }

  void NestTwoDeep(int each) {
    generated_.NestTwoDeep(each, [this](const Expression& one) { return Check(one, "t"); });
    CompareAll("t");
  }

  // All pairs of doubles at the ends.
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
    InDuckdb("CREATE TABLE p (nr INTEGER, x DOUBLE, y DOUBLE)");
    InDuckdb("INSERT INTO p VALUES " + rows);
    Copy("p", {kIntegerType, kDoubleType, kDoubleType});
    for (const char* name : {"x", "y"}) generated_.AddToScope("p", name, kDoubleType);
    const auto column = [](const char* name) {
      return sql::MakeExpression(sql::ColumnReference{"p", name});
    };
    for (const char* symbol : {"+", "-", "*", "/", "<", ">=", "=", "<>"}) {
      EXPECT_TRUE(Check(sql::MakeExpression(sql::Call{symbol, {column("x"), column("y")}}), "p"));
    }
    CompareAll("p");
    std::printf("%d pairs of doubles\n", nr);
  }

  // The row hash of each column's values.
  void HashColumns() {
    const auto text = [](const char* word) {
      return "(" +
             engine::trino::PrintBytes("CAST('" + std::string(word) + "' AS varchar)",
                                       Stored::kText, kTextType) +
             ")";
    };
    for (const EdgeColumn& column : Columns()) {
      const std::optional<Stored> stored = StoredAs(column);
      if (!stored) continue;
      const Reply there = InBoth("SELECT to_hex(substr(sha256(" + text("key") + " || " + text("t") +
                                 " || " + text("u") + " || (" +
                                 engine::trino::PrintBytes(column.name, *stored, column.type) +
                                 ")), 1, 8)) FROM t ORDER BY nr");
      engine::ResultTable here;
      ASSERT_FALSE(
          duckdb_->Query({.sql = "SELECT printf('%016X', tacit_row_hash('key', 't', 'u', " +
                                 column.name + ")) FROM t ORDER BY nr"},
                         100'000, &here));
      ASSERT_EQ(there.rows.size(), static_cast<size_t>(kRows));
      size_t nr = 0;
      for (const std::vector<engine::Value>& row : here.rows) {
        ASSERT_EQ(std::get<std::string>(there.rows[nr][0]), engine::ToText(row[0]))
            << column.name << " row " << nr;
        ++nr;
      }
    }
  }

  const std::vector<std::string>& problems() const { return problems_; }
  size_t compared() const { return compared_; }
  size_t known() const { return known_; }
  size_t missing() const { return missing_; }

 private:
  struct Pair {
    std::string there, here;
    ValueType type;
  };

  static std::vector<EdgeColumn> Columns() {
    std::vector<EdgeColumn> columns;
    for (const EdgeColumn& column : sql::testing::EdgeColumns()) {
      if (column.type.kind != TypeKind::kInterval) columns.push_back(column);
    }
    return columns;
  }
  // Nothing where DuckDB stores it in another width than the type has that questions see.
  static std::optional<Stored> StoredAs(const EdgeColumn& column) {
    if ((column.stored[0] == 'U' && column.stored != "UUID") || column.name == "e") {
      return std::nullopt;
    }
    const std::string type = sql::TrinoDialect().TypeName(column.type);
    const auto form = engine::trino::FormOf(type, column.name);
    return form ? std::optional(form->stored) : std::nullopt;
  }
  void InDuckdb(const std::string& sql) {
    const auto failure = duckdb_->Execute(sql);
    EXPECT_FALSE(failure) << failure->text;
  }
  Reply InBoth(const std::string& sql) {
    Reply reply;
    const auto failure = trino_.Query(sql, std::chrono::minutes(2), reply);
    EXPECT_FALSE(failure) << failure->text << "\n" << sql;
    return reply;
  }
  // DuckDB's table, through the texts of its values.
  void Copy(const std::string& table, const std::vector<ValueType>& types) {
    engine::ResultTable rows;
    ASSERT_FALSE(duckdb_->Query({.sql = "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM " + table +
                                        " ORDER BY CAST(nr AS INTEGER)"},
                                100'000, &rows));
    std::string columns;
    for (size_t i = 0; i < types.size(); ++i) {
      columns += (i == 0 ? "" : ", ") + rows.columns[i].name + " " +
                 sql::TrinoDialect().TypeName(types[i]);
    }
    const std::string name = "memory." + schema_ + "." + table;
    RunInTrino("CREATE TABLE " + name + " (" + columns + ")");
    std::string values;
    const auto flush = [&] {
      if (!values.empty()) RunInTrino("INSERT INTO " + name + " VALUES " + values);
      values.clear();
    };
    for (const std::vector<engine::Value>& row : rows.rows) {
      values += values.empty() ? "(" : ", (";
      for (size_t i = 0; i < row.size(); ++i) {
        values += (i == 0 ? "" : ", ") + InTrino(row[i], types[i]);
      }
      values += ")";
      if (values.size() > kTogetherBytes) flush();
    }
    flush();
  }

  // Whether it is an expression that both have words for.
  bool Check(const Expression& expression, const std::string& table) {
    const Result<sql::Bound> bound = sql::Bind(expression, generated_.scope());
    if (!bound.ok()) return false;
    const ValueType type = (*bound)->type;
    if (type.kind == TypeKind::kUnknown || type.kind == TypeKind::kReal) return false;
    const sql::TrinoDialect dialect;
    if (!KnowsAll(*bound, dialect)) return false;
    const Result<std::string> there = sql::PrintExpression(*bound, dialect);
    const Result<std::string> here = sql::PrintExpression(*bound, sql::DuckDbInsideUnitDialect());
    if (!there.ok() || !here.ok()) return false;
    const std::string read = dialect.Read(*there, type);
    if (!dialect.missing().empty()) {
      ++missing_;
      return false;
    }
    waiting_.push_back({read, sql::DuckDbInsideUnitDialect().Read(*here, type), type});
    bytes_ += read.size();
    if (waiting_.size() >= kTogether || bytes_ > kTogetherBytes) CompareAll(table);
    return true;
  }

  void CompareAll(const std::string& table) {
    std::vector<Pair> pairs;
    pairs.swap(waiting_);
    bytes_ = 0;
    if (!pairs.empty()) CompareTogether(pairs, table);
  }

  // Where several raise together, each is asked by itself.
  void CompareTogether(const std::vector<Pair>& pairs, const std::string& table) {
    std::string there, here;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const std::string name = " AS v" + std::to_string(i);
      there += (i == 0 ? "SELECT " : ", ") + pairs[i].there + name;
      here += (i == 0 ? "SELECT " : ", ") + pairs[i].here + name;
    }
    Reply reply;
    const std::string tail = " FROM " + table + " ORDER BY nr";
    const auto raised = trino_.Query(there + tail, std::chrono::minutes(5), reply);
    engine::ResultTable rows;
    const auto failed = duckdb_->Query({.sql = here + tail}, 1'000'000, &rows);
    if ((raised || failed) && pairs.size() > 1) {
      const auto half = pairs.begin() + static_cast<std::ptrdiff_t>(pairs.size() / 2);
      CompareTogether({pairs.begin(), half}, table);
      return CompareTogether({half, pairs.end()}, table);
    }
    if (failed) return;
    if (raised) return problems_.push_back(raised->text + ": " + there);
    compared_ += pairs.size();
    for (size_t i = 0; i < pairs.size(); ++i) CompareColumn(pairs[i], i, reply, rows);
  }

  void CompareColumn(const Pair& pair, size_t column, const Reply& reply,
                     const engine::ResultTable& rows) {
    if (!engine::trino::IsNameOf(reply.columns[column].type, pair.type)) {
      return problems_.push_back(reply.columns[column].type + " is not " + PostgresName(pair.type) +
                                 ": " + pair.there);
    }
    size_t nr = 0;
    for (const std::vector<engine::Value>& row : rows.rows) {
      const size_t at = nr++;
      const auto value = engine::trino::ReadValue(reply.rows[at][column], pair.type);
      if (!value) return problems_.push_back("unread: " + pair.there);
      known_ += engine::IsNull(*value) ? 0 : 1;
      if (ComparedText(*value) == ComparedText(row[column])) continue;
      return problems_.push_back("row " + std::to_string(at) + ": " + ComparedText(*value) +
                                 ", DuckDB " + ComparedText(row[column]) + ": " + pair.there +
                                 "\n" + pair.here);
    }
  }

  std::string schema_;
  std::filesystem::path folder_;
  Connection trino_;
  std::optional<Database> database_;
  std::optional<engine::duckdb::Connection> duckdb_;
  GeneratedExpressions generated_;
  std::vector<Pair> waiting_;
  size_t bytes_ = 0;
  std::vector<std::string> problems_;
  size_t compared_ = 0, known_ = 0, missing_ = 0;
};

TEST(TrinoWords, HashARowAsDuckdbDoes) {
  if (!TestCluster("default")) GTEST_SKIP() << "run it by test/engines/with_trino.py";
  BothEngines("hashes").HashColumns();
}

TEST(TrinoWords, MeanWhatDuckdbsMeanAndNeverRaise) {
  if (!TestCluster("default")) GTEST_SKIP() << "run it by test/engines/with_trino.py";
  BothEngines both("words");
  both.PairsOfDoubles();
  both.NestTwoDeep(std::getenv("TACIT_LONG") != nullptr ? 20 : 1);
  std::printf("%zu expressions compared, %zu values that are known; %zu without words\n",
              both.compared(), both.known(), both.missing());
  size_t shown = 0;
  for (const std::string& problem : both.problems()) {
    if (shown++ < 25) ADD_FAILURE() << problem.substr(0, 1500);
  }
  EXPECT_EQ(both.problems().size(), 0u);
  EXPECT_GT(both.compared(), 100u);
  EXPECT_GT(both.known(), 10'000u);
}

}  // namespace
}  // namespace tacit::golden
