#include "analysis/subqueries/membership.h"

#include <optional>

#include "analysis/expressions/infer.h"
#include "analysis/rules.h"
#include "analysis/subqueries/constants.h"
#include "analysis/subqueries/public_expression.h"
#include "sql/functions/function.h"
#include "sql/functions/own_functions.h"

namespace tacit::analysis {
namespace {

using sql::TypeKind;

Expression Text(const std::string& text) {
  return MakeExpression(sql::Literal{sql::LiteralKind::kString, text, {}});
}

Expression Call(const std::string& name, std::vector<Expression> arguments) {
  return MakeExpression(sql::Call{name, std::move(arguments)});
}

Expression Truth(bool truth) {
  return MakeExpression(sql::Literal{sql::LiteralKind::kBoolean, truth ? "true" : "false", {}});
}

// As text in which no '|' is left: ~ becomes ~0, and | becomes ~1.
Expression Escaped(const Expression& value, const sql::Type& type) {
  Expression text = MakeExpression(sql::Cast{value, type});
  if (type.kind != TypeKind::kText) {
    text = MakeExpression(sql::Cast{text, {.kind = TypeKind::kText, .precision = 0, .scale = 0}});
    return text;
  }
  text = Call("replace", {text, Text("~"), Text("~0")});
  return Call("replace", {text, Text("|"), Text("~1")});
}

// Types whose equal values are written in one way.
bool IsWrittenOneWay(const sql::Type& type) {
  return type.IsInteger() || type.kind == TypeKind::kText || type.kind == TypeKind::kDate ||
         type.kind == TypeKind::kBoolean;
}

sql::Query SelectOver(const sql::Query& inner, Expression item) {
  sql::Select select;
  select.items.push_back({std::move(item), "set"});
  select.from.push_back(MakeRelation(sql::DerivedTable{inner, {"q", {"v"}}}, inner->position));
  return sql::Query(sql::QueryNode{.with = {},
                                   .body = std::move(select),
                                   .order_by = {},
                                   .limit = {},
                                   .offset = {},
                                   .position = inner->position});
}

// The values of the subquery's column q.v as one text; NULL if there are none.
Expression ListOfValues(const sql::Type& type, sql::Position position) {
  const Expression value = MakeExpression(sql::ColumnReference{"q", "v"}, position);
  sql::AggregateCall list;
  list.name = "string_agg";
  list.distinct = true;
  list.arguments = {Escaped(value, type), Text("|")};
  return MakeExpression(std::move(list));
}

// Whether NULL is among them.
Expression HasNull(sql::Position position) {
  const Expression value = MakeExpression(sql::ColumnReference{"q", "v"}, position);
  sql::AggregateCall has_null;
  has_null.name = "bool_or";
  has_null.arguments = {MakeExpression(sql::IsNull{value, false})};
  return Call("coalesce", {MakeExpression(std::move(has_null)), Truth(false)});
}

// Empty: false. Found: true. Else NULL where x or one of the values is NULL, as in SQL.
Expression IsAmong(const Expression& operand, const sql::Type& type, const Expression& set,
                   const Expression& null_in_set, sql::Position position) {
  sql::Case choice;
  const Expression empty = MakeExpression(
      sql::Logical{sql::Connective::kAnd,
                   {MakeExpression(sql::IsNull{set, false}),
                    MakeExpression(sql::Logical{sql::Connective::kNot, {null_in_set}})}});
  const Expression unknown = MakeExpression(sql::Logical{
      sql::Connective::kOr, {null_in_set, MakeExpression(sql::IsNull{operand, false})}});
  const Expression null =
      MakeExpression(sql::Cast{MakeExpression(sql::Literal{sql::LiteralKind::kNull, "", {}}),
                               {.kind = TypeKind::kBoolean, .precision = 0, .scale = 0}});
  choice.branches.push_back({empty, Truth(false)});
  choice.branches.push_back(
      {Call(std::string(sql::kInSetFunction), {Escaped(operand, type), set}), Truth(true)});
  choice.branches.push_back({unknown, null});
  choice.otherwise = Truth(false);
  return MakeExpression(std::move(choice), position);
}

}  // namespace

// proof: analysis/subqueries/membership.md#claim
Result<Expression> MembershipOf(Known& known, const sql::InQuery& in,
                                const Environment& environment, sql::Position position) {
  TACIT_TRY(const sql::Query inner, AnalyzeSubquery(known, in.query, position, environment));
  TACIT_TRY(const Expression found, MembershipIn(known, in.operand, inner, environment, position));
  if (!in.negated) return found;
  return MakeExpression(sql::Logical{sql::Connective::kNot, {found}}, position);
}

// proof: analysis/subqueries/membership.md#claim
Result<Expression> MembershipIn(Known& known, const Expression& among, const sql::Query& inner,
                                const Environment& environment, sql::Position position) {
  TACIT_TRY(const Constant closed, CloseQuery(known, inner, environment, position));
  TACIT_TRY(const sql::Bound operand, BindOverRows(known, among));
  const std::optional<sql::Type> common = sql::CommonType(operand->type, closed.type);
  if (!common || !IsWrittenOneWay(*common)) {
    return Refuse(rules::kSetBelow, position,
                  "IN with a subquery compares whole numbers, texts, dates and truth values, not " +
                      sql::ToString(common ? *common : operand->type),
                  "list the values: IN (1.5, 2.5), or compare whole numbers");
  }
  TACIT_TRY(const Expression set,
            AddConstant(known, SelectOver(inner, ListOfValues(*common, position)), environment,
                        position));
  TACIT_TRY(const Expression null_in_set,
            AddConstant(known, SelectOver(inner, HasNull(position)), environment, position));
  return IsAmong(among, *common, set, null_in_set, position);
}

}  // namespace tacit::analysis
