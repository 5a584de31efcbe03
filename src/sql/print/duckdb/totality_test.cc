// Walks every whitelisted function, operator, cast and aggregate with extreme values of every type
// through the real engine. An error of the engine would be an answer about a row, so there must be
// none.
#include <gtest/gtest.h>

#include "sql/bind/bind.h"
#include "sql/parse.h"
#include "sql/print/query.h"
#include "sql/testing/duckdb_session.h"
#include "sql/testing/fixed_tables.h"

namespace tacit::sql {
namespace {

using testing::DuckDbSession;

struct Extreme {
  std::string column;
  Type type;
  std::vector<std::string> values;  // DuckDB constants
};

const std::vector<Extreme>& Extremes() {
  static const std::vector<Extreme> all = {
      {"flag", Simple(TypeKind::kBoolean), {"true", "false"}},
      {"i2", Simple(TypeKind::kSmallint), {"-32768", "-1", "0", "1", "32767"}},
      {"i4", Simple(TypeKind::kInteger), {"-2147483648", "-1", "0", "1", "37", "2147483647"}},
      {"i8",
       Simple(TypeKind::kBigint),
       {"-9223372036854775808", "-1", "0", "1", "4000001", "9223372036854775807"}},
      {"n_small", Numeric(10, 2), {"-99999999.99", "-0.01", "0", "0.005", "2.5", "99999999.99"}},
      {"n_huge",
       Numeric(38, 0),
       {"'-99999999999999999999999999999999999999'", "-1", "0", "1",
        "'99999999999999999999999999999999999999'"}},
      {"n_fine",
       Numeric(38, 37),
       {"'-9.9999999999999999999999999999999999999'", "0", "0.5",
        "'9.9999999999999999999999999999999999999'"}},
      {"f4", Simple(TypeKind::kReal), {"'nan'", "'inf'", "'-inf'", "0", "-0.5", "3.4e38"}},
      {"f8",
       Simple(TypeKind::kDouble),
       {"'nan'", "'inf'", "'-inf'", "0", "'-0.0'", "-1", "2.5", "5e-324", "1.7976931348623157e308",
        "-1.7976931348623157e308", "1e18"}},
      {"s",
       Simple(TypeKind::kText),
       {"''", "' '", "'a'", "'%'", "'\\'", "'12'", "'-9223372036854775809'", "'1e400'", "'1.5'",
        "'nan'", "'infinity'", "'true'", "'2020-02-30'", "'2020-02-29'", "'99999-01-01'",
        "'2020-01-01 25:00:00'", "'héllo wörld 😀'", "chr(0)", "'''\"; --'"}},
      {"d",
       Simple(TypeKind::kDate),
       {"'infinity'", "'-infinity'", "'5881580-07-10'", "'5877642-06-25 (BC)'", "'0001-01-01'",
        "'9999-12-31'", "'2020-02-29'", "'1582-10-15'"}},
      {"ts",
       Simple(TypeKind::kTimestamp),
       {"'infinity'", "'-infinity'", "'294247-01-10 04:00:54.775806'",
        "'290309-12-22 (BC) 00:00:00'", "'0001-01-01'", "'9999-12-31 23:59:59.999999'",
        "'2020-02-29 12:34:56.789'"}},
      {"tz",
       Simple(TypeKind::kTimestampTz),
       {"'infinity'", "'-infinity'", "'0001-01-01 00:00:00+00'", "'9999-12-31 23:59:59.999999+00'",
        "'294247-01-10 04:00:54.775806+00'", "'2020-02-29 12:34:56.789+00'"}},
      {"span",
       Simple(TypeKind::kInterval),
       {"'0 days'", "'2147483647 months'", "'-2147483648 days'", "'1 day'", "'-100000000 hours'"}}};
  return all;
}

// Literals that some functions insist on; the rest of the walk uses columns.
const std::vector<std::string> kLiterals = {"2",
                                            "-1",
                                            "0",
                                            "'a'",
                                            "'a%b_'",
                                            "'%a%a%'",
                                            "'year'",
                                            "'epoch'",
                                            "'second'",
                                            "'month'",
                                            "'week'",
                                            "INTERVAL '1 month -3 days'",
                                            "NULL",
                                            "1.5",
                                            "'UTC'",
                                            "'YYYY Q'",
                                            "INTERVAL '7 hours'",
                                            "TIMESTAMP '2020-01-01'"};

void FillTable(DuckDbSession& session, const std::string& name, size_t long_text_bytes) {
  std::string columns;
  size_t rows = 0;
  for (const Extreme& extreme : Extremes()) {
    columns += (columns.empty() ? "" : ", ") + extreme.column + " " +
               DuckDbDialect().TypeName(extreme.type);
    rows = std::max(rows, extreme.values.size() + 2);
  }
  ASSERT_TRUE(session.Query("CREATE TABLE " + name + " (" + columns + ")").ok());
  for (size_t row = 0; row < rows; ++row) {
    std::string values;
    for (const Extreme& extreme : Extremes()) {
      std::string value = row < extreme.values.size() ? extreme.values[row] : "NULL";
      if (extreme.column == "s" && row == extreme.values.size()) {
        value = "repeat('ab_%', " + std::to_string(long_text_bytes / 4) + ")";
      }
      values += (values.empty() ? "" : ", ") + value;
    }
    const auto inserted = session.Query("INSERT INTO " + name + " VALUES (" + values + ")");
    ASSERT_TRUE(inserted.ok()) << inserted.error().public_message << " in " << values;
  }
}

class Totality : public ::testing::Test {
 protected:
  void SetUp() override {
    FillTable(session_, "t1", 1'000'000);
    FillTable(session_, "t2", 400);
    FillTable(session_, "t3", 400);
    FillTable(session_, "t4", 400);
    for (const std::string table : {"t1", "t2", "t3", "t4"}) {
      for (const Extreme& extreme : Extremes()) {
        scope_.columns.push_back({.table = table, .column = {extreme.column, extreme.type}});
      }
    }
  }

  // Candidates for an argument: every column of one of the tables, and the literals.
  // The enormous text of t1 stays out of three-way products.
  static std::string TableOf(size_t argument, size_t count) {
    return "t" + std::to_string(argument + (count == 3 ? 2 : 1));
  }
  std::vector<Expression> Candidates(size_t argument, size_t count) const {
    std::vector<Expression> candidates;
    const std::string table = TableOf(argument, count);
    for (const Extreme& extreme : Extremes()) {
      candidates.push_back(MakeExpression(ColumnReference{table, extreme.column}));
    }
    for (const std::string& text : kLiterals) {
      const Result<Statement> statement = Parse("SELECT " + text);
      candidates.push_back(As<Select>(statement->query)->items[0].expression);
    }
    return candidates;
  }

  // Runs the expression over all combinations of rows; true when it bound and ran.
  bool Run(const Expression& expression, size_t tables) {
    const Result<Bound> bound = Bind(expression, scope_);
    if (!bound.ok()) return false;
    const Result<std::string> printed = PrintExpression(*bound, DuckDbInsideUnitDialect());
    EXPECT_TRUE(printed.ok());
    std::string from = TableOf(0, tables);
    for (size_t i = 1; i < tables; ++i) from += ", " + TableOf(i, tables);
    const auto rows =
        session_.Query("SELECT count(*), max(CAST(x AS VARCHAR)) IS NULL FROM (SELECT " + *printed +
                       " AS x FROM " + from + ")");
    EXPECT_TRUE(rows.ok()) << *printed << "\n" << rows.error().public_message;
    EXPECT_EQ(ColumnsOfParameters(*printed), 2U)
        << "not planned without the values of its parameters: " << *printed;
    ++ran_;
    return true;
  }

  // Of the expression and a number beside it, prepared with parameters where the columns stand, as
  // released values are handed to a statement. Some functions of the engine wait for the values,
  // and what they give is then one unknown column: nothing that could be checked before the charge.
  idx_t ColumnsOfParameters(std::string text) {
    size_t parameters = 0;
    for (const std::string table : {"t1", "t2", "t3", "t4"}) {
      for (const Extreme& extreme : Extremes()) {
        const std::string column = '"' + table + "\".\"" + extreme.column + '"';
        size_t place = text.find(column);
        if (place == std::string::npos) continue;
        const std::string parameter = "CAST($" + std::to_string(++parameters) + " AS " +
                                      DuckDbDialect().TypeName(extreme.type) + ")";
        for (; place != std::string::npos; place = text.find(column, place)) {
          text.replace(place, column.size(), parameter);
        }
      }
    }
    duckdb_prepared_statement prepared = nullptr;
    EXPECT_EQ(duckdb_prepare(session_.connection(), ("SELECT 1, " + text).c_str(), &prepared),
              DuckDBSuccess)
        << text;
    const idx_t columns = duckdb_prepared_statement_column_count(prepared);
    duckdb_destroy_prepare(&prepared);
    return columns;
  }

  Expression CallOf(const Function& function, std::vector<Expression> arguments) const {
    static const std::map<std::string_view, std::string_view> kSpelled = {{"negate", "-"}};
    const std::string name(function.name);
    const auto spelled = kSpelled.find(function.name);
    if (spelled != kSpelled.end()) return MakeExpression(Operator{"-", std::move(arguments)});
    return MakeExpression(Call{name, std::move(arguments)});
  }

  DuckDbSession session_;
  Scope scope_;
  size_t ran_ = 0;
};

TEST_F(Totality, NoFunctionRaisesOnAnyExtremeValue) {
  for (const Function* function : AllFunctions()) {
    ASSERT_TRUE(DuckDbDialect().Knows(*function)) << function->name << " has no DuckDB text";
    const size_t before = ran_;
    const size_t most = function->arguments_max < 0
                            ? static_cast<size_t>(function->arguments_min) + 1
                            : static_cast<size_t>(function->arguments_max);
    for (size_t count = static_cast<size_t>(function->arguments_min);
         count <= std::min<size_t>(most, 3); ++count) {
      std::vector<std::vector<Expression>> tuples = {{}};
      for (size_t i = 0; i < count; ++i) {
        std::vector<std::vector<Expression>> longer;
        for (const auto& tuple : tuples) {
          for (const Expression& candidate : Candidates(i, count)) {
            // Three columns of wide cross products teach nothing new about predicates: their third
            // argument walks the first column of each type only through the pair before it.
            if (i == 2 && As<ColumnReference>(candidate) &&
                As<ColumnReference>(candidate)->column !=
                    (As<ColumnReference>(tuple[1]) ? As<ColumnReference>(tuple[1])->column
                                                   : "i4")) {
              continue;
            }
            longer.push_back(tuple);
            longer.back().push_back(candidate);
          }
        }
        tuples = std::move(longer);
      }
      for (const auto& tuple : tuples) Run(CallOf(*function, tuple), count);
    }
    if (function->arguments_min == 4) {  // a value, and what must be written beside it
      for (const Expression& candidate : Candidates(0, 1)) {
        const Result<Statement> written = Parse("SELECT -1.5, 100, 7");
        const std::vector<SelectItem>& items = As<Select>(written->query)->items;
        Run(CallOf(*function,
                   {candidate, items[0].expression, items[1].expression, items[2].expression}),
            1);
      }
    }
    EXPECT_GT(ran_, before) << "nothing bound for " << function->name;
  }
  EXPECT_GT(ran_, 1000u);
  std::cout << "expressions run: " << ran_ << "\n";
}

// The walk would notice: the same values make the engine raise where nothing guards it.
TEST_F(Totality, UnguardedTextsDoRaiseOnTheseValues) {
  for (const char* text : {"sqrt(f8)", "i4 + i4", "i8 // -1", "CAST(s AS INTEGER)", "d + i4",
                           "n_huge + n_huge", "ln(f8)", "sin(f8)", "epoch_us(d)"}) {
    EXPECT_FALSE(session_.Query(std::string("SELECT max(") + text + ") FROM t1").ok()) << text;
  }
}

TEST_F(Totality, NoCastRaisesOnAnyExtremeValue) {
  for (const Extreme& from : Extremes()) {
    for (const Extreme& to : Extremes()) {
      const Expression column = MakeExpression(ColumnReference{"t1", from.column});
      Run(MakeExpression(Cast{column, to.type}), 1);
    }
  }
  for (const Type& plain : {Simple(TypeKind::kNumeric), Simple(TypeKind::kUuid), Numeric(3, 3)}) {
    for (const Extreme& from : Extremes()) {
      Run(MakeExpression(Cast{MakeExpression(ColumnReference{"t1", from.column}), plain}), 1);
    }
  }
  EXPECT_GT(ran_, 80u);
}

TEST_F(Totality, NoAggregateRaisesOnAnyExtremeValue) {
  const std::vector<std::string> calls = {"sum(X)",
                                          "avg(X)",
                                          "min(X)",
                                          "max(X)",
                                          "count(X)",
                                          "var_pop(X)",
                                          "var_samp(X)",
                                          "stddev(X)",
                                          "stddev_pop(X)",
                                          "count(DISTINCT X)",
                                          "corr(X, X)",
                                          "covar_pop(X, X)",
                                          "regr_slope(X, X)",
                                          "regr_r2(X, X)",
                                          "regr_intercept(X, X)",
                                          "bool_and(X)",
                                          "percentile_cont(0.5) WITHIN GROUP (ORDER BY X)",
                                          "percentile_disc(0.25) WITHIN GROUP (ORDER BY X DESC)",
                                          "mode() WITHIN GROUP (ORDER BY X)",
                                          "sum(X) OVER (ORDER BY t1.i4)",
                                          "lag(X) OVER (PARTITION BY t1.flag ORDER BY t1.i4)",
                                          "row_number() OVER (ORDER BY X)",
                                          "ntile(3) OVER (ORDER BY X)"};
  for (const Extreme& extreme : Extremes()) {
    for (std::string call : calls) {
      for (size_t at = call.find('X'); at != std::string::npos; at = call.find('X')) {
        call.replace(at, 1, "t1." + extreme.column);
      }
      const Result<Statement> statement = Parse("SELECT " + call);
      ASSERT_TRUE(statement.ok()) << call;
      Run(As<Select>(statement->query)->items[0].expression, 1);
    }
  }
  EXPECT_GT(ran_, 150u);
}

}  // namespace
}  // namespace tacit::sql
