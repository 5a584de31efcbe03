#include "sql/range.h"

#include <gtest/gtest.h>

#include "sql/bind/bind.h"
#include "sql/parse.h"

namespace tacit::sql {
namespace {

// The range of an expression over x in [-2, 5], y in [1, 4] (integers), n in [0, 10] (numeric),
// u without bounds; as "[low, high]".
std::string RangeText(const std::string& text) {
  Scope scope;
  const auto add = [&scope](const std::string& name, const Type& type) {
    scope.columns.push_back({.table = "t", .column = {name, type}});
  };
  add("x", Simple(TypeKind::kInteger));
  add("y", Simple(TypeKind::kInteger));
  add("n", Numeric(10, 2));
  add("u", Simple(TypeKind::kInteger));
  add("d", Simple(TypeKind::kDate));
  const Result<Statement> statement = Parse("SELECT " + text);
  if (!statement.ok()) return statement.error().public_message;
  const Result<Bound> bound = Bind(As<Select>(statement->query)->items[0].expression, scope);
  if (!bound.ok()) return bound.error().public_message;
  const Range range = RangeOf(*bound, [](const BoundColumn& column) -> Range {
    if (column.column == "x") return {.low = Rational(-2), .high = Rational(5)};
    if (column.column == "y") return {.low = Rational(1), .high = Rational(4)};
    if (column.column == "n") return {.low = Rational(0), .high = Rational(10)};
    return {};
  });
  return "[" + (range.low ? tacit::ToString(*range.low) : "-") + ", " +
         (range.high ? tacit::ToString(*range.high) : "-") + "]";
}

TEST(Range, FollowsArithmetic) {
  EXPECT_EQ(RangeText("x + y"), "[-1, 9]");
  EXPECT_EQ(RangeText("x - y"), "[-6, 4]");
  EXPECT_EQ(RangeText("x * y"), "[-8, 20]");
  EXPECT_EQ(RangeText("x * x"), "[-10, 25]");
  EXPECT_EQ(RangeText("-x"), "[-5, 2]");
  EXPECT_EQ(RangeText("x * 2 + 1"), "[-3, 11]");
  EXPECT_EQ(RangeText("x / 2"), "[-1, 2]");
  EXPECT_EQ(RangeText("x / y"), "[-2, 5]");
  EXPECT_EQ(RangeText("y / x"), "[-4, 4]");
  EXPECT_EQ(RangeText("n / y"), "[0, 10]");
  EXPECT_EQ(RangeText("n / x"), "[-, -]");
  EXPECT_EQ(RangeText("x % 3"), "[-2, 3]");
  EXPECT_EQ(RangeText("u + 1"), "[-, -]");
}

TEST(Range, KnowsThatLeastAndGreatestIgnoreNulls) {
  EXPECT_EQ(RangeText("least(greatest(u, 0), 100)"), "[0, 100]");
  EXPECT_EQ(RangeText("greatest(least(u, 100), 0)"), "[0, 100]");
  EXPECT_EQ(RangeText("least(u, 100)"), "[-, 100]");
  // x may be NULL, and then the result is u.
  EXPECT_EQ(RangeText("least(u, x)"), "[-, -]");
  EXPECT_EQ(RangeText("least(x, y)"), "[-2, 5]");
  EXPECT_EQ(RangeText("coalesce(x, 7)"), "[-2, 7]");
  EXPECT_EQ(RangeText("least(greatest(n, 2), 3.5)"), "[2, 3.5]");
}

TEST(Range, FollowsFunctionsCasesAndCasts) {
  EXPECT_EQ(RangeText("CASE WHEN u > 0 THEN x ELSE 10 END"), "[-2, 10]");
  EXPECT_EQ(RangeText("CASE WHEN u > 0 THEN y END"), "[1, 4]");
  EXPECT_EQ(RangeText("CASE WHEN u > 0 THEN u ELSE 0 END"), "[-, -]");
  EXPECT_EQ(RangeText("abs(x)"), "[0, 5]");
  EXPECT_EQ(RangeText("floor(n / 3)"), "[0, 4]");
  EXPECT_EQ(RangeText("round(n, 1)"), "[0, 10]");
  EXPECT_EQ(RangeText("CAST(n AS integer)"), "[0, 10]");
  EXPECT_EQ(RangeText("extract(month FROM d)"), "[1, 12]");
  EXPECT_EQ(RangeText("sign(u)"), "[-1, 1]");
  EXPECT_EQ(RangeText("length('abc')"), "[0, 3]");
  EXPECT_EQ(RangeText("CAST('12' AS integer)"), "[12, 12]");
}

}  // namespace
}  // namespace tacit::sql
