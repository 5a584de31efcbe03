#include "sql/type.h"

#include <gtest/gtest.h>

#include "sql/bind/bind.h"
#include "sql/parse.h"

namespace tacit::sql {
namespace {

// What an expression over the columns t (time), o (opaque) and d (date) becomes.
std::string TypeOrError(const std::string& text) {
  Scope scope;
  const auto add = [&scope](const std::string& name, TypeKind kind) {
    scope.columns.push_back({.table = "r", .column = {name, Type{.kind = kind}}});
  };
  add("t", TypeKind::kTime);
  add("o", TypeKind::kOpaque);
  add("d", TypeKind::kDate);
  const Result<Statement> statement = Parse("SELECT " + text);
  if (!statement.ok()) return statement.error().public_message;
  const auto bound = Bind(As<Select>(statement->query)->items[0].expression, scope);
  return bound.ok() ? ToString((*bound)->type) : bound.error().public_message;
}

TEST(Type, NothingIsMadeOfAColumnWithoutRules) {
  EXPECT_EQ(TypeOrError("d IS NULL"), "boolean");
  for (const std::string column : {"t", "o"}) {
    EXPECT_EQ(TypeOrError(column), "a type without rules");
    EXPECT_EQ(TypeOrError(column + " IS NULL"), "the column has a type without rules");
    EXPECT_EQ(TypeOrError(column + " = " + column), "the column has a type without rules");
    EXPECT_EQ(TypeOrError("CAST(" + column + " AS text)"), "the column has a type without rules");
  }
}

TEST(Type, IsCalledAsPostgresCallsIt) {
  EXPECT_EQ(PostgresName(kBigintType), "bigint");
  EXPECT_EQ(PostgresName(kDoubleType), "double precision");
  EXPECT_EQ(PostgresName(NumericType(12, 2)), "numeric(12,2)");
  EXPECT_EQ(PostgresName(NumericType(0, 0)), "numeric");
  EXPECT_EQ(PostgresName(kTimestampType), "timestamp without time zone");
  EXPECT_EQ(PostgresName({.kind = TypeKind::kTime}), "time without time zone");
  EXPECT_EQ(PostgresName({}), "unknown");
  EXPECT_EQ(PostgresName(kOpaqueType), "unknown");
}

}  // namespace
}  // namespace tacit::sql
