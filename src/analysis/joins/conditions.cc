#include "analysis/joins/conditions.h"

#include <algorithm>

#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/expressions/resolve.h"
#include "analysis/joins/unit_equality.h"
#include "analysis/rules.h"
#include "sql/bind/scope.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// The equality that a name of USING means.
Result<Expression> EqualityOf(const Known& known, const std::string& name, size_t left_columns,
                              ProtectedRows& combined, sql::Position position) {
  const NamedColumn* sides[2] = {nullptr, nullptr};
  for (size_t i = 0; i < combined.columns.size(); ++i) {
    NamedColumn& column = combined.columns[i];
    if (!sql::FitsWithoutCase(column.name, name) || column.merged) continue;
    const bool on_right = i >= left_columns;
    sides[on_right ? 1 : 0] = &column;
    if (on_right) column.merged = true;
  }
  if (sides[0] == nullptr || sides[1] == nullptr) {
    return Refuse(rules::kUnknownColumn, position,
                  "USING needs the column " + name + " in both tables", "");
  }
  const Expression equality =
      MakeExpression(sql::Operator{"=", {sides[0]->expression, sides[1]->expression}}, position);
  if (!IsUnitEquality(known, equality)) TACIT_CHECK(CheckUse(known, equality, Use::kFilter));
  return equality;
}

// What NATURAL JOIN equates.
std::vector<std::string> NamesOfBoth(const std::vector<NamedColumn>& left,
                                     const std::vector<NamedColumn>& right) {
  std::vector<std::string> names;
  for (const NamedColumn& column : left) {
    const bool shared =
        !column.merged && std::any_of(right.begin(), right.end(), [&](const auto& other) {
          return !other.merged && other.name == column.name;
        });
    if (shared) names.push_back(column.name);
  }
  return names;
}

bool IsDateOrTime(const sql::Type& type) {
  return type.kind == sql::TypeKind::kDate || type.kind == sql::TypeKind::kTimestamp;
}

}  // namespace

Result<Expression> ResolveCondition(Known& known, const Expression& conjunct,
                                    const ProtectedRows& input, const Environment& environment) {
  TACIT_TRY(Expression resolved,
            ResolveOverRows(known, conjunct, input, environment, Use::kProjection));
  if (!IsUnitEquality(known, resolved)) TACIT_CHECK(CheckUse(known, resolved, Use::kFilter));
  return resolved;
}

Result<JoinConditions> ConditionsOf(Known& known, const WrittenJoin& written,
                                    const ProtectedRows& left, const ProtectedRows& right,
                                    ProtectedRows& combined) {
  combined.columns = left.columns;
  combined.columns.insert(combined.columns.end(), right.columns.begin(), right.columns.end());
  JoinConditions conditions;
  const std::vector<std::string> names =
      written.join.natural ? NamesOfBoth(left.columns, right.columns) : written.join.using_columns;
  for (const std::string& name : names) {
    TACIT_TRY(Expression equality,
              EqualityOf(known, name, left.columns.size(), combined, written.position));
    conditions.on.push_back(std::move(equality));
  }
  for (const Expression& conjunct : sql::SplitConjuncts(written.join.on)) {
    TACIT_TRY(Expression resolved,
              ResolveCondition(known, conjunct, combined, written.environment));
    conditions.on.push_back(std::move(resolved));
  }
  conditions.holding = conditions.on;
  if (written.IsInner()) {
    for (Expression& conjunct : ResolvedWhere(known, written, combined)) {
      conditions.holding.push_back(std::move(conjunct));
    }
  }
  return conditions;
}

std::vector<Expression> ResolvedWhere(Known& known, const WrittenJoin& written,
                                      const ProtectedRows& combined) {
  std::vector<Expression> conjuncts;
  for (const Expression& conjunct : written.where) {
    const Result<Expression> resolved =
        ResolveOverRows(known, conjunct, combined, written.environment, Use::kProjection);
    if (resolved.ok()) conjuncts.push_back(*resolved);
  }
  return conjuncts;
}

// proof: analysis/joins/joins.md#joins-how-many-rows-of-one-unit-come-out
Expression WithBareColumn(const Known& known, const Expression& conjunct,
                          const std::string& alias) {
  const sql::Operator* equality = PlainEquality(conjunct);
  if (equality == nullptr) return conjunct;
  for (const size_t i : {0u, 1u}) {
    const auto* moved = sql::As<sql::Operator>(equality->arguments[i]);
    const bool moves = moved != nullptr && moved->arguments.size() == 2 &&
                       (moved->symbol == "+" || moved->symbol == "-");
    if (!moves) continue;
    const auto* column = BareColumn(moved->arguments[0]);
    const auto* by = sql::As<sql::Literal>(moved->arguments[1]);
    // Months have several lengths, and lead from several days to one.
    const bool exact =
        by != nullptr && by->kind == sql::LiteralKind::kInterval && by->interval.months == 0;
    if (!exact || column == nullptr || column->table != alias) continue;
    const Expression& other = equality->arguments[1 - i];
    const Result<sql::Bound> bound = BindOverRows(known, other);
    const bool times =
        bound.ok() && IsDateOrTime((*bound)->type) && IsDateOrTime(ColumnOf(known, *column).type);
    if (!times) continue;
    const Expression back = MakeExpression(
        sql::Operator{moved->symbol == "+" ? "-" : "+", {other, moved->arguments[1]}},
        other->position);
    return MakeExpression(sql::Operator{"=", {moved->arguments[0], back}}, conjunct->position);
  }
  return conjunct;
}

const sql::ColumnReference* EquatedColumn(const Known& known, const Expression& conjunct,
                                          const std::string& alias) {
  const sql::Operator* equality = PlainEquality(conjunct);
  if (equality == nullptr) return nullptr;
  for (const size_t i : {0u, 1u}) {
    const auto* column = BareColumn(equality->arguments[i]);
    if (column == nullptr || column->table != alias) continue;
    const Expression& other = equality->arguments[1 - i];
    const std::vector<sql::ColumnReference> others = sql::ColumnsIn(other);
    const bool other_side =
        std::none_of(others.begin(), others.end(), [&](const auto& c) { return c.table == alias; });
    const Result<sql::Bound> bound = BindOverRows(known, other);
    if (!other_side || !bound.ok()) continue;
    const bool literal = (*bound)->type.kind == sql::TypeKind::kUnknown;
    const sql::Type& mine = ColumnOf(known, *column).type;
    // A date and a time are compared as times: two dates are two of those.
    const bool midnight = IsDateOrTime((*bound)->type) && IsDateOrTime(mine);
    if (literal || midnight || CompareExactly((*bound)->type, mine)) return column;
  }
  return nullptr;
}

}  // namespace tacit::analysis
