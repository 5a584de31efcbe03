#include "analysis/joins/off_the_unit.h"

#include "analysis/expressions/columns.h"
#include "analysis/joins/unit_equality.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

struct Mistakes {
  bool through_or = false;
  bool computed = false;
  bool same_name = false;
};

void LookAtEquality(const Known& known, const sql::Operator& equality, Mistakes& mistakes) {
  const Expression& a = equality.arguments[0];
  const Expression& b = equality.arguments[1];
  const auto* x = BareColumn(a);
  const auto* y = BareColumn(b);
  if ((x == nullptr && UsesUnit(known, a)) || (y == nullptr && UsesUnit(known, b))) {
    mistakes.computed = true;
  }
  if (x == nullptr || y == nullptr || IsConstant(*x) || IsConstant(*y)) return;
  const RowColumn& left = ColumnOf(known, *x);
  const RowColumn& right = ColumnOf(known, *y);
  const bool units = left.equals_unit && right.equals_unit;
  const bool named = left.is_unit || right.is_unit;
  if (units && !CompareExactly(left.type, right.type)) mistakes.computed = true;
  if (named && !units && x->column == y->column) mistakes.same_name = true;
}

Mistakes MistakesIn(const Known& known, const std::vector<Expression>& conditions) {
  Mistakes mistakes;
  for (const Expression& condition : conditions) {
    sql::Visit(condition, [&](const Expression& node) {
      const auto* logical = sql::As<sql::Logical>(node);
      const bool is_or = logical != nullptr && logical->connective != sql::Connective::kAnd;
      if (is_or && UsesUnit(known, node)) mistakes.through_or = true;
      const sql::Operator* equality = PlainEquality(node);
      if (equality != nullptr) LookAtEquality(known, *equality, mistakes);
      return true;
    });
  }
  return mistakes;
}

}  // namespace

Error OffTheUnit(const Known& known, const std::vector<Expression>& conditions,
                 const ProtectedRows& left, const ProtectedRows& right, sql::Position position) {
  const std::string example = ExampleJoin(known, left, right);
  const std::string hint =
      example.empty()
          ? "ask about one of the tables: " + ExampleCount(left.rows)
          : "join them by a plain equality of the columns that are the unit: " + example;
  const Mistakes mistakes = MistakesIn(known, conditions);
  if (mistakes.through_or) {
    return Refuse(rules::kJoinThroughOr, position,
                  "the equality of units stands under OR or NOT, where it does not join people",
                  hint);
  }
  if (mistakes.same_name) {
    return Refuse(rules::kJoinOnSameName, position,
                  "the columns have one name, but only one of them is the privacy unit", hint);
  }
  if (mistakes.computed) {
    return Refuse(rules::kJoinOnComputedUnit, position,
                  "the privacy unit is joined through a cast, arithmetic or another type", hint);
  }
  return Refuse(rules::kJoinWithoutRule, position,
                "protected tables must be joined on the privacy unit", hint);
}

}  // namespace tacit::analysis
