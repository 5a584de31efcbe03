// The expressions below the frontier are an algebra: of finite numbers, texts and dates, closed
// under every function, operator and cast. A seeded generator nests them two deep over values at
// the edges of every type, in the real engine: nothing raises, nothing is an infinity or NaN, keys
// that are equal print alike, and a row alone gives what it gives among thousands.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/mutant.h"
#include "sql/bind/bind.h"
#include "sql/parse.h"
#include "sql/print/query.h"
#include "sql/testing/duckdb_session.h"
#include "sql/testing/edge_values.h"

namespace tacit::sql {
namespace {

using testing::DuckDbSession;
using testing::EdgeColumn;
using testing::EdgeColumns;
using testing::EdgeLiterals;
using testing::Row;

// Why 2,200: more than one of the engine's vectors.
constexpr int kRows = 2200;
// Rows that also stand alone, each in a table of its own, with statistics of its own.
constexpr int kRowsAlone = 4;

// Rows of values that are none of their types, as no SQL can write them: the largest and smallest
// bits that a column holds.
void AppendRaw(duckdb_connection connection, const char* table) {
  duckdb_appender appender = nullptr;
  ASSERT_EQ(duckdb_appender_create(connection, nullptr, table, &appender), DuckDBSuccess);
  const idx_t columns = duckdb_appender_column_count(appender);
  std::vector<duckdb_logical_type> types;
  for (idx_t c = 0; c < columns; ++c) types.push_back(duckdb_appender_column_type(appender, c));
  duckdb_data_chunk chunk = duckdb_create_data_chunk(types.data(), columns);
  for (idx_t c = 0; c < columns; ++c) {
    void* data = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, c));
    for (const int row : {0, 1, 2, 3}) {
      const bool least = row % 2 == 0;
      const int off = row / 2 == 0 ? 0 : 1;  // the bits of an infinity too
      if (duckdb_get_type_id(types[c]) == DUCKDB_TYPE_DATE) {
        static_cast<int32_t*>(data)[row] = least ? INT32_MIN + off : INT32_MAX - off;
      } else if (duckdb_get_type_id(types[c]) == DUCKDB_TYPE_DECIMAL &&
                 duckdb_decimal_internal_type(types[c]) == DUCKDB_TYPE_HUGEINT) {
        static_cast<duckdb_hugeint*>(data)[row] = {
            .lower = least ? static_cast<uint64_t>(off) : UINT64_MAX - static_cast<uint64_t>(off),
            .upper = least ? INT64_MIN : INT64_MAX};
      } else {
        static_cast<int64_t*>(data)[row] = least ? INT64_MIN + off : INT64_MAX - off;
      }
    }
  }
  duckdb_data_chunk_set_size(chunk, 4);
  EXPECT_EQ(duckdb_append_data_chunk(appender, chunk), DuckDBSuccess);
  duckdb_destroy_data_chunk(&chunk);
  for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
  EXPECT_EQ(duckdb_appender_destroy(&appender), DuckDBSuccess);
}

class Walk {
 public:
  Walk() {
    std::string columns = "nr INTEGER";
    for (const EdgeColumn& column : EdgeColumns()) {
      columns += ", " + column.name + " " + column.stored;
      scope_.columns.push_back({.table = "t", .column = {column.name, column.type}});
      leaves_.push_back(MakeExpression(ColumnReference{"t", column.name}));
    }
    Must("CREATE TABLE t (" + columns + ")");
    for (int first = 0; first < kRows; first += 100) {
      std::string rows;
      for (int nr = first; nr < first + 100; ++nr) rows += (nr == first ? "" : ", ") + RowText(nr);
      Must("INSERT INTO t VALUES " + rows);
    }
    Must(
        "CREATE TABLE odd (n2 DECIMAL(10,2), n38 DECIMAL(38,0), n37 DECIMAL(38,37), d DATE, ts "
        "TIMESTAMP, tz TIMESTAMPTZ)");
    AppendRaw(session_.connection(), "odd");
    Must(
        "UPDATE t SET n2 = odd.n2, n38 = odd.n38, n37 = odd.n37, d = odd.d, ts = odd.ts, tz = "
        "odd.tz FROM odd WHERE odd.rowid + 37 = t.nr");
    for (int i = 0; i < kRowsAlone; ++i) {
      Must("CREATE TABLE alone" + std::to_string(i) +
           " AS SELECT * FROM t WHERE nr = " + std::to_string(i * 37));
    }
    for (const std::string& text : EdgeLiterals()) {
      const Result<Statement> statement = Parse("SELECT " + text);
      if (statement.ok()) leaves_.push_back(As<Select>(statement->query)->items[0].expression);
    }
  }

  // Every function and cast, `each` times with random arguments, then again over what that gave.
  void NestTwoDeep(int each) {
    for (const Expression& leaf : leaves_) CheckKey(leaf);
    for (const Expression& leaf : leaves_) {
      const Expression instant = MakeExpression(ColumnReference{"t", "ts"});
      for (const char* symbol : {"+", "-"}) Check(MakeExpression(Call{symbol, {instant, leaf}}));
    }
    for (int depth = 1; depth <= 2; ++depth) {
      std::vector<Expression> made;
      for (const Function* function : AllFunctions()) {
        if (function->name.starts_with("tacit_")) continue;
        Try(each, made, [&] { return CallOf(*function); });
      }
      Try(each * 12, made, [&] { return MakeExpression(Cast{Argument(), RandomType()}); });
      Try(each * 4, made, [&] { return RandomCase(); });
      made_.insert(made_.end(), made.begin(), made.end());
      if (depth == 1) CompareAll(made);
    }
    for (const char* name : {"sum", "avg", "min", "max", "var_pop", "stddev", "corr"}) {
      for (const Expression& leaf : leaves_) Check(AggregateOf(name, leaf));
      std::vector<Expression> ignored;
      Try(each * 6, ignored, [&] { return AggregateOf(name, Argument()); });
    }
  }

  const std::vector<std::string>& problems() const { return problems_; }
  size_t checked() const { return checked_; }

 private:
  template <class Make>
  void Try(int wanted, std::vector<Expression>& made, Make make) {
    int bound = 0;
    for (int attempt = 0; attempt < wanted * 60 && bound < wanted; ++attempt) {
      const Expression expression = make();
      if (!Check(expression)) continue;
      made.push_back(expression);
      ++bound;
    }
  }

  size_t Below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  std::string RowText(int nr) {
    std::string text = "(" + std::to_string(nr);
    for (const EdgeColumn& column : EdgeColumns()) {
      const size_t pick = Below(column.values.size() + 1);
      text += ", " + (pick < column.values.size() ? column.values[pick] : "NULL");
    }
    return text + ")";
  }

  Expression Argument() {
    if (!made_.empty() && Below(2) == 0) return made_[Below(made_.size())];
    return leaves_[Below(leaves_.size())];
  }
  Type RandomType() { return EdgeColumns()[Below(EdgeColumns().size())].type; }

  Expression CallOf(const Function& function) {
    const auto least = static_cast<size_t>(function.arguments_min);
    const size_t most =
        function.arguments_max < 0 ? least + 1 : static_cast<size_t>(function.arguments_max);
    std::vector<Expression> arguments(least + Below(most - least + 1));
    for (Expression& argument : arguments) argument = Argument();
    if (function.name == "negate") return MakeExpression(Operator{"-", std::move(arguments)});
    return MakeExpression(Call{std::string(function.name), std::move(arguments)});
  }
  Expression RandomCase() {
    const Expression when = MakeExpression(Call{"is null", {Argument()}});
    Case choice;
    choice.branches = {CaseBranch{when, Argument()}};
    choice.otherwise = Argument();
    return MakeExpression(std::move(choice));
  }
  Expression AggregateOf(const char* name, const Expression& argument) {
    AggregateCall call;
    call.name = name;
    call.arguments = {argument};
    if (call.name == "corr") call.arguments.push_back(Argument());
    return MakeExpression(std::move(call));
  }

  // Where the engine's optimizer is at work: it may move a cast across a comparison.
  void CompareAll(const std::vector<Expression>& made) {
    for (const Expression& expression : made) {
      for (const char* symbol : {">", "<>"}) {
        for (const char* literal : {"5", "'12'", "TIMESTAMP '2020-01-01'"}) {
          const Result<Statement> statement = Parse(std::string("SELECT ") + literal);
          const Expression other = As<Select>(statement->query)->items[0].expression;
          const Expression comparison = MakeExpression(Call{symbol, {expression, other}});
          if (Check(comparison)) CheckNulls(expression, comparison);
        }
      }
    }
  }

  // A comparison with what is NULL is NULL.
  void CheckNulls(const Expression& expression, const Expression& comparison) {
    const auto text = [this](const Expression& of) {
      return PrintExpression(*Bind(of, scope_), DuckDbInsideUnitDialect()).value();
    };
    const auto known =
        session_.Query("WITH m AS MATERIALIZED (SELECT nr, " + text(expression) +
                       " AS x FROM t) SELECT count(*) FROM m JOIN (SELECT nr, " + text(comparison) +
                       " AS y FROM t) AS c USING (nr) WHERE x IS NULL AND y IS NOT "
                       "NULL");
    if (!known.ok() || (*known)[0][0] != "0") Complain("NULL compared is known", text(comparison));
  }

  void Must(const std::string& sql) {
    const auto done = session_.Query(sql);
    if (!done.ok()) problems_.push_back(sql.substr(0, 300) + ": " + done.error().public_message);
  }

  void CheckKey(const Expression& expression) {
    const Result<Bound> bound = Bind(expression, scope_);
    if (!bound.ok() || As<Literal>(*bound) != nullptr) return;
    const Result<std::string> text = PrintExpression(*bound, DuckDbInsideUnitDialect());
    if (text.ok()) CheckForms(DuckDbDialect().Read(*text, (*bound)->type), (*bound)->type);
  }

  // Of equal keys only one form is shown, whichever row comes first.
  void CheckForms(const std::string& text, const Type& type) {
    const std::string key = DuckDbDialect().CanonicalKey(text, type);
    const auto forms = session_.Query("SELECT count(*) FROM (SELECT k FROM (SELECT " + key +
                                      " AS k FROM t) GROUP BY k HAVING count(DISTINCT CAST(k AS "
                                      "VARCHAR)) > 1)");
    if (!forms.ok()) return Complain("raises", key + ": " + forms.error().public_message);
    if ((*forms)[0][0] != "0") Complain("equal keys print differently", key);
  }

  void Complain(const std::string& what, const std::string& text) {
    problems_.push_back(what + ": " + text.substr(0, 600));
  }

  // False: it did not bind.
  bool Check(const Expression& expression) {
    const Result<Bound> bound = Bind(expression, scope_);
    // A column alone, cast to its own type, is no expression.
    if (!bound.ok() || As<BoundColumn>(*bound) != nullptr) return false;
    const Result<std::string> text = PrintExpression(*bound, DuckDbInsideUnitDialect());
    if (!text.ok() || text->size() > 20'000) return false;
    ++checked_;
    const bool aggregate = As<BoundAggregate>(*bound) != nullptr;
    const std::string from = aggregate ? " FROM t GROUP BY flag, i4)" : " FROM t)";
    const std::string finite = (*bound)->type.IsFloat() ? "count(*) FILTER (NOT isfinite(x))" : "0";
    const auto all = session_.Query("SELECT count(CAST(x AS VARCHAR)), " + finite +
                                    " FROM (SELECT " + *text + " AS x" + from);
    if (!all.ok()) {
      Complain("raises", *text + ": " + all.error().public_message);
      return true;
    }
    if ((*all)[0][1] != "0") Complain("an infinity or NaN", *text);
    if (aggregate) return true;
    CheckForms(*text, (*bound)->type);
    CheckAlone(*text);
    return true;
  }

  void CheckAlone(const std::string& text) {
    std::string rows;
    std::string alone;
    for (int i = 0; i < kRowsAlone; ++i) {
      rows += (i == 0 ? "" : ", ") + std::to_string(i * 37);
      alone += (i == 0 ? "" : " UNION ALL ") + ("SELECT nr, CAST(" + text + " AS VARCHAR) AS x ") +
               "FROM alone" + std::to_string(i) + " AS t";
    }
    const auto among =
        session_.Query("SELECT nr, x FROM (SELECT nr, CAST(" + text +
                       " AS VARCHAR) AS x FROM t) WHERE nr IN (" + rows + ") ORDER BY nr");
    const auto single = session_.Query("SELECT nr, x FROM (" + alone + ") ORDER BY nr");
    if (!among.ok() || !single.ok()) return Complain("raises alone", text);
    if (*among != *single) Complain("a row alone gives something else", text);
  }

  DuckDbSession session_;
  Scope scope_;
  std::mt19937_64 random_{20'261'117};
  std::vector<Expression> leaves_;
  std::vector<Expression> made_;
  std::vector<std::string> problems_;
  size_t checked_ = 0;
};

std::string First(const std::vector<std::string>& problems) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(problems.size(), 12); ++i) text += problems[i] + "\n";
  return text;
}

TEST(Algebra, IsClosedTwoDeepOverTheEdgesOfEveryType) {
  Walk walk;
  walk.NestTwoDeep(std::getenv("TACIT_LONG") != nullptr ? 60 : 4);
  EXPECT_TRUE(walk.problems().empty()) << walk.problems().size() << " problems\n"
                                       << First(walk.problems());
  EXPECT_GT(walk.checked(), 500u);
  std::cout << "expressions checked: " << walk.checked() << "\n";
}

#ifdef TACIT_MUTANTS
TEST(Algebra, MissesEveryGuardThatIsTakenOut) {
  for (const char* guard : {"double_overflow_kept", "key_spelling_kept", "overflow_compared",
                            "interval_sum_unlimited", "avg_of_numerics", "any_stored_value"}) {
    SetMutant(guard);
    Walk walk;
    walk.NestTwoDeep(3);
    SetMutant("");
    EXPECT_FALSE(walk.problems().empty()) << guard;
  }
}
#endif

}  // namespace
}  // namespace tacit::sql
