#include <algorithm>
#include <array>

#include "sql/constants/fold.h"
#include "sql/functions/own_functions.h"
#include "sql/functions/patterns/pattern.h"
#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {
namespace {

constexpr std::array<std::string_view, 13> kOperators = {"+", "-",  "*", "/",  "%", "^", "||",
                                                         "=", "<>", "<", "<=", ">", ">="};

Result<std::string> OperatorSymbol(const PgQuery__AExpr& expression) {
  const std::vector<std::string> parts = NameParts(expression.n_name, expression.name);
  if (parts.size() != 1) return Unsupported("OPERATOR(...)", expression.location);
  return parts.front();
}

bool IsKind(const Node* node, PgQuery__Node__NodeCase kind) {
  return node != nullptr && node->node_case == kind;
}

// 'a$_b' ESCAPE '$' as the pattern 'a\_b' with PostgreSQL's default escape.
std::optional<std::string> WithBackslashEscape(std::string_view pattern, std::string_view escape) {
  if (escape.size() > 1) return std::nullopt;
  std::string result;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (!escape.empty() && pattern[i] == escape[0]) {
      if (++i == pattern.size()) return std::nullopt;
      result += '\\';
      result += pattern[i];
    } else if (pattern[i] == '\\') {
      result += "\\\\";
    } else {
      result += pattern[i];
    }
  }
  return result;
}

Expression Negated(Expression expression, bool negated) {
  if (!negated) return expression;
  const Position position = expression->position;
  return MakeExpression(Logical{Connective::kNot, {std::move(expression)}}, position);
}

}  // namespace

Result<Expression> Converter::ConvertOperator(const PgQuery__AExpr& expression) {
  const Position position{expression.location};
  if (IsKind(expression.lexpr, PG_QUERY__NODE__NODE_ROW_EXPR)) {
    return Unsupported("a row value such as (a, b)", expression.location,
                       "compare the columns one by one");
  }
  switch (expression.kind) {
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP: {
      TACIT_TRY(const std::string symbol, OperatorSymbol(expression));
      if (symbol == "~" || symbol == "~*" || symbol == "!~" || symbol == "!~*") {
        return ConvertMatch(expression, symbol);
      }
      // How postgres_fdw and views write LIKE.
      if (symbol == "~~" || symbol == "!~~") return ConvertLike(expression, false);
      if (symbol == "~~*" || symbol == "!~~*") return ConvertLike(expression, true);
      if (std::find(kOperators.begin(), kOperators.end(), symbol) == kOperators.end()) {
        return Unsupported("the operator " + symbol, expression.location);
      }
      Operator converted{.symbol = symbol, .arguments = {}};
      for (const Node* side : {expression.lexpr, expression.rexpr}) {
        if (side == nullptr) continue;
        TACIT_TRY(converted.arguments.emplace_back(), ConvertExpression(side));
      }
      return MakeExpression(std::move(converted), position);
    }
    case PG_QUERY__A__EXPR__KIND__AEXPR_DISTINCT:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_DISTINCT: {
      const bool negated = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_NOT_DISTINCT;
      TACIT_TRY(Expression left, ConvertExpression(expression.lexpr));
      TACIT_TRY(Expression right, ConvertExpression(expression.rexpr));
      return MakeExpression(IsDistinct{std::move(left), std::move(right), negated}, position);
    }
    case PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF: {
      TACIT_TRY(Expression left, ConvertExpression(expression.lexpr));
      TACIT_TRY(Expression right, ConvertExpression(expression.rexpr));
      return MakeExpression(Call{"nullif", {std::move(left), std::move(right)}}, position);
    }
    case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN: {
      const bool negated = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN;
      TACIT_TRY(Expression operand, ConvertExpression(expression.lexpr));
      const PgQuery__List& ends = *expression.rexpr->list;
      TACIT_TRY(Expression low, ConvertExpression(ends.items[0]));
      TACIT_TRY(Expression high, ConvertExpression(ends.items[1]));
      return MakeExpression(Between{std::move(operand), std::move(low), std::move(high), negated},
                            position);
    }
    case PG_QUERY__A__EXPR__KIND__AEXPR_IN:
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY:
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ALL:
      return ConvertComparedList(expression);
    case PG_QUERY__A__EXPR__KIND__AEXPR_LIKE:
      return ConvertLike(expression, false);
    case PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE:
      return ConvertLike(expression, true);
    case PG_QUERY__A__EXPR__KIND__AEXPR_SIMILAR:
      return ConvertSimilar(expression);
    default:
      return Unsupported("BETWEEN SYMMETRIC", expression.location,
                         "write BETWEEN least(a, b) AND greatest(a, b)");
  }
}

// x ~ 'a' is regexp_like(x, 'a'), x ~* 'a' regexp_like(x, 'a', 'i').
Result<Expression> Converter::ConvertMatch(const PgQuery__AExpr& expression,
                                           const std::string& symbol) {
  Call match{.name = "regexp_like", .arguments = {}};
  for (const Node* side : {expression.lexpr, expression.rexpr}) {
    if (side == nullptr)
      return Invalid("the operator " + symbol + " needs two operands", expression.location);
    TACIT_TRY(match.arguments.emplace_back(), ConvertExpression(side));
  }
  if (symbol.ends_with('*')) {
    match.arguments.push_back(MakeExpression(Literal{LiteralKind::kString, "i", {}}));
  }
  return Negated(MakeExpression(std::move(match), {expression.location}), symbol.starts_with('!'));
}

// The grammar writes its pattern as similar_to_escape(pattern[, escape]).
Result<Expression> Converter::ConvertSimilar(const PgQuery__AExpr& expression) {
  TACIT_TRY(const std::string symbol, OperatorSymbol(expression));
  TACIT_TRY(Expression operand, ConvertExpression(expression.lexpr));
  TACIT_TRY(const Expression escaped, ConvertExpression(expression.rexpr));
  const auto* call = As<Call>(escaped);
  const bool plain = call != nullptr && call->arguments.size() == 1;
  const auto* pattern = plain ? As<Literal>(call->arguments[0]) : nullptr;
  const std::optional<std::string> regex =
      pattern != nullptr && pattern->kind == LiteralKind::kString ? RegexOfSimilar(pattern->text)
                                                                  : std::nullopt;
  if (!regex) {
    return Unsupported("SIMILAR TO with a pattern that is no literal, or with ESCAPE",
                       expression.location, "write the pattern: x SIMILAR TO '(a|b)%'");
  }
  const Expression written =
      MakeExpression(Literal{LiteralKind::kString, *regex, {}}, call->arguments[0]->position);
  return Negated(
      MakeExpression(Call{"regexp_like", {std::move(operand), written}}, {expression.location}),
      symbol.starts_with('!'));
}

// x IN (1, 2), x = ANY (ARRAY[1, 2]), x = ANY ('{1,2}'), x = ANY ($1) and their negations.
Result<Expression> Converter::ConvertComparedList(const PgQuery__AExpr& expression) {
  TACIT_TRY(const std::string symbol, OperatorSymbol(expression));
  const bool all = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP_ALL;
  const bool in = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_IN;
  if (!in && symbol != (all ? "<>" : "=")) {
    return Unsupported("ANY or ALL with this operator", expression.location,
                       "use IN (...) or NOT IN (...)");
  }
  InList converted;
  converted.negated = symbol.starts_with('<');  // it is = or <>
  TACIT_TRY(converted.operand, ConvertExpression(expression.lexpr));
  if (in) {
    const PgQuery__List& list = *expression.rexpr->list;
    TACIT_TRY(converted.list, ConvertList(list.n_items, list.items));
    return MakeExpression(std::move(converted), {expression.location});
  }
  TACIT_TRY(converted.list, ConvertArray(expression.rexpr, expression.location));
  if (converted.list.empty()) {
    return MakeExpression(Literal{LiteralKind::kBoolean, converted.negated ? "true" : "false", {}},
                          {expression.location});
  }
  return MakeExpression(std::move(converted), {expression.location});
}

// The elements where they are written; else what stands for them.
Result<std::vector<Expression>> Converter::ConvertArray(const Node* node, int position) {
  const PgQuery__TypeName* type = nullptr;
  while (IsKind(node, PG_QUERY__NODE__NODE_TYPE_CAST)) {
    if (type == nullptr) type = node->type_cast->type_name;
    node = node->type_cast->arg;
  }
  if (type != nullptr && type->n_array_bounds == 0) {
    return Unsupported("ANY or ALL of what is no array", position, "use IN (...)");
  }
  std::vector<Expression> elements;
  if (IsKind(node, PG_QUERY__NODE__NODE_A_ARRAY_EXPR)) {
    TACIT_TRY(elements, ConvertList(node->a_array_expr->n_elements, node->a_array_expr->elements));
  } else {
    TACIT_TRY(Expression array, ConvertExpression(node));
    const auto* literal = As<Literal>(array);
    if (literal != nullptr && literal->kind == LiteralKind::kString) {
      std::optional<std::vector<Expression>> read = ArrayElements(literal->text, array->position);
      if (!read) {
        return Invalid("this is not an array", array->position.offset,
                       "write it like '{a,b}', or use IN ('a', 'b')");
      }
      elements = std::move(*read);
    } else if (As<Parameter>(array)) {
      const Position place = array->position;
      return std::vector<Expression>{
          MakeExpression(Call{std::string(kElementsFunction), {std::move(array)}}, place)};
    } else {
      return Unsupported("ANY or ALL of an array that is computed", position,
                         "write the values: IN (...)");
    }
  }
  if (type == nullptr) return elements;
  PgQuery__TypeName of_element = *type;
  of_element.n_array_bounds = 0;
  TACIT_TRY(const NamedType named, ConvertTypeName(of_element));
  for (Expression& element : elements) {
    const Position place = element->position;
    element = MakeExpression(Cast{std::move(element), named.type}, place);
  }
  return elements;
}

Result<Expression> Converter::ConvertLike(const PgQuery__AExpr& expression, bool case_insensitive) {
  TACIT_TRY(const std::string symbol, OperatorSymbol(expression));
  Like converted;
  converted.case_insensitive = case_insensitive;
  converted.negated = symbol.starts_with('!');
  if (expression.lexpr == nullptr) {
    return Invalid("the operator " + symbol + " needs two operands", expression.location);
  }
  TACIT_TRY(converted.operand, ConvertExpression(expression.lexpr));
  TACIT_TRY(converted.pattern, ConvertExpression(expression.rexpr));
  if (const auto* call = As<Call>(converted.pattern); call && call->name == "like_escape") {
    const auto* pattern = As<Literal>(call->arguments[0]);
    const auto* escape = As<Literal>(call->arguments[1]);
    std::optional<std::string> rewritten;
    if (pattern != nullptr && escape != nullptr && pattern->kind == LiteralKind::kString &&
        escape->kind == LiteralKind::kString) {
      rewritten = WithBackslashEscape(pattern->text, escape->text);
    }
    if (!rewritten) {
      return Unsupported("this ESCAPE", expression.location,
                         "write the pattern and a one-character ESCAPE as literals");
    }
    converted.pattern =
        MakeExpression(Literal{.kind = LiteralKind::kString, .text = *rewritten, .interval = {}},
                       call->arguments[0]->position);
  }
  return MakeExpression(std::move(converted), {expression.location});
}

}  // namespace tacit::sql::grammar
