#include "analysis/analyzer.h"
#include "sql/functions/function.h"
#include "sql/functions/own_functions.h"

// x IN (SELECT ...) over protected rows, where the subquery reads releases and public tables only:
// its values are known before the rows are read. They become one text, 'a|b|c', and one truth value
// that says whether NULL was among them. membership.md has the meaning.
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

}  // namespace

Result<Expression> Analyzer::MembershipOf(const sql::InQuery& in, const Environment& environment,
                                          sql::Position position) {
  TACIT_TRY(const sql::Query inner, AnalyzeSubquery(in.query, position, environment));
  TACIT_TRY(const sql::Query closed, WithCommonTables(inner, environment, position));
  Result<sql::Type> element = TypeOfConstant(closed);
  if (!element.ok()) {
    if (const auto outer = OuterColumnIn(closed, environment)) return *outer;
    return std::move(element).error();
  }
  TACIT_TRY(const sql::Bound operand, BindOverRows(in.operand));
  const std::optional<sql::Type> common = sql::CommonType(operand->type, *element);
  if (!common || !IsWrittenOneWay(*common)) {
    return Refuse(rules::kSetBelow, position,
                  "IN with a subquery compares whole numbers, texts, dates and truth values, not " +
                      sql::ToString(common ? *common : operand->type),
                  "list the values: IN (1.5, 2.5), or compare whole numbers");
  }
  const Expression value = MakeExpression(sql::ColumnReference{"q", "v"}, position);
  sql::AggregateCall list;
  list.name = "string_agg";
  list.distinct = true;
  list.arguments = {Escaped(value, *common), Text("|")};
  sql::AggregateCall has_null;
  has_null.name = "bool_or";
  has_null.arguments = {MakeExpression(sql::IsNull{value, false})};
  TACIT_TRY(const Expression set,
            AddConstant(SelectOver(inner, MakeExpression(std::move(list))), environment, position));
  TACIT_TRY(
      const Expression null_in_set,
      AddConstant(
          SelectOver(inner, Call("coalesce", {MakeExpression(std::move(has_null)), Truth(false)})),
          environment, position));
  // Empty: false. Found: true. Else NULL where x or one of the values is NULL, as in SQL.
  sql::Case choice;
  const Expression empty = MakeExpression(
      sql::Logical{sql::Connective::kAnd,
                   {MakeExpression(sql::IsNull{set, false}),
                    MakeExpression(sql::Logical{sql::Connective::kNot, {null_in_set}})}});
  const Expression unknown = MakeExpression(sql::Logical{
      sql::Connective::kOr, {null_in_set, MakeExpression(sql::IsNull{in.operand, false})}});
  const Expression null =
      MakeExpression(sql::Cast{MakeExpression(sql::Literal{sql::LiteralKind::kNull, "", {}}),
                               {.kind = TypeKind::kBoolean, .precision = 0, .scale = 0}});
  choice.branches.push_back({empty, Truth(false)});
  choice.branches.push_back(
      {Call(std::string(sql::kInSetFunction), {Escaped(in.operand, *common), set}), Truth(true)});
  choice.branches.push_back({unknown, null});
  choice.otherwise = Truth(false);
  const Expression found = MakeExpression(std::move(choice), position);
  if (!in.negated) return found;
  return MakeExpression(sql::Logical{sql::Connective::kNot, {found}}, position);
}

}  // namespace tacit::analysis
