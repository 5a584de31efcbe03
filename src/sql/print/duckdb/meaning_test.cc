// The printed SQL means what PostgreSQL means: values and types recorded from a PostgreSQL 15
// server, recomputed by DuckDB from our text.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "sql/parse.h"
#include "sql/print/duckdb/duckdb.h"
#include "sql/testing/duckdb_session.h"
#include "sql/testing/fixed_tables.h"

namespace tacit::sql {
namespace {

const std::vector<TypedColumn> kRow = {{"i2", Simple(TypeKind::kSmallint)},
                                       {"i4", Simple(TypeKind::kInteger)},
                                       {"i8", Simple(TypeKind::kBigint)},
                                       {"n", Numeric(10, 2)},
                                       {"m", Numeric(3, 1)},
                                       {"f", Simple(TypeKind::kDouble)},
                                       {"g", Simple(TypeKind::kDouble)},
                                       {"s", Simple(TypeKind::kText)},
                                       {"d", Simple(TypeKind::kDate)},
                                       {"ts", Simple(TypeKind::kTimestamp)},
                                       {"b", Simple(TypeKind::kBoolean)},
                                       {"z", Simple(TypeKind::kInteger)},
                                       {"nul", Simple(TypeKind::kInteger)},
                                       {"nt", Simple(TypeKind::kText)},
                                       {"x", Simple(TypeKind::kText)},
                                       {"y", Simple(TypeKind::kText)}};

struct Expectation {
  std::string expression;
  std::string value;
  std::string type;
};

std::vector<Expectation> Recorded() {
  std::ifstream file(TACIT_POSTGRES_MEANING);
  std::vector<Expectation> all;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find('\t');
    const size_t second = line.find('\t', first + 1);
    if (line.starts_with('#') || second == std::string::npos) continue;
    all.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1),
                   line.substr(second + 1)});
  }
  return all;
}

// Equal as texts, or as numbers to 14 digits: 2.550 is 2.55.
bool SameValue(std::string expected, const std::optional<std::string>& actual) {
  if (!actual) return expected == "NULL" || expected == "ERROR";
  if (expected == "t") expected = "true";
  if (expected == "f") expected = "false";
  if (expected == *actual) return true;
  char* end_expected = nullptr;
  char* end_actual = nullptr;
  const double x = std::strtod(expected.c_str(), &end_expected);
  const double y = std::strtod(actual->c_str(), &end_actual);
  if (expected.empty() || actual->empty() || *end_expected != '\0' || *end_actual != '\0') {
    return false;
  }
  return std::abs(x - y) <= 1e-14 * std::max(std::abs(x), std::abs(y));
}

// Our types are PostgreSQL's, except that some numerics are doubles here.
bool SameType(const std::string& expected, const Type& actual) {
  Type bare = actual;
  bare.precision = bare.scale = 0;
  if (expected.empty() || ToString(bare) == expected) return true;
  // A bare string or NULL in a select list is text in PostgreSQL's answer as well.
  if (expected == "unknown") return actual.kind == TypeKind::kText;
  return expected == "numeric" && actual.kind == TypeKind::kDouble;
}

TEST(Meaning, EveryRecordedExpressionHasPostgreSqlsValueAndType) {
  testing::DuckDbSession session;
  const testing::FixedTables tables({{"v", kRow}});
  std::string columns;
  for (const TypedColumn& column : kRow) {
    columns +=
        (columns.empty() ? "" : ", ") + column.name + " " + DuckDbDialect().TypeName(column.type);
  }
  ASSERT_TRUE(session.Query("CREATE TABLE v (" + columns + ")").ok());
  ASSERT_TRUE(session
                  .Query("INSERT INTO v VALUES (7, -7, 3000000000, 2.55, -2.5, 2.5, -0.5, "
                         "'Hello Wörld', '2020-02-29', '2021-03-04 05:06:07.891', true, 0, NULL, "
                         "NULL, '  42 ', '1.5')")
                  .ok());
  const std::vector<Expectation> all = Recorded();
  ASSERT_GT(all.size(), 200u);
  for (const Expectation& expected : all) {
    const Result<Statement> statement = Parse("SELECT " + expected.expression + " FROM v");
    ASSERT_TRUE(statement.ok()) << expected.expression << ": " << statement.error().public_message;
    const Result<PrintedQuery> printed = PrintForDuckDb(statement->query, tables);
    EXPECT_TRUE(printed.ok()) << expected.expression << ": "
                              << (printed.ok() ? "" : printed.error().public_message);
    if (!printed.ok()) continue;
    const auto rows = session.Query(printed->text);
    EXPECT_TRUE(rows.ok()) << printed->text << "\n"
                           << (rows.ok() ? "" : rows.error().public_message);
    if (!rows.ok()) continue;
    const std::optional<std::string>& actual = (*rows)[0][0];
    EXPECT_TRUE(SameValue(expected.value, actual))
        << expected.expression << ": PostgreSQL says " << expected.value << ", we say "
        << actual.value_or("NULL") << " by " << printed->text;
    EXPECT_TRUE(SameType(expected.type, printed->columns[0].type))
        << expected.expression << ": PostgreSQL's type is " << expected.type << ", ours "
        << ToString(printed->columns[0].type);
  }
}

}  // namespace
}  // namespace tacit::sql
