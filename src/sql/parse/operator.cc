#include <algorithm>
#include <array>

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
      if (std::find(kOperators.begin(), kOperators.end(), symbol) == kOperators.end()) {
        const bool pattern = symbol.find('~') != std::string::npos;
        return Unsupported("the operator " + symbol, expression.location,
                           pattern ? "use LIKE or ILIKE: their time is bounded" : "");
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
      return Unsupported("SIMILAR TO", expression.location, "use LIKE or ILIKE");
    default:
      return Unsupported("BETWEEN SYMMETRIC", expression.location,
                         "write BETWEEN least(a, b) AND greatest(a, b)");
  }
}

// x IN (1, 2), x = ANY (ARRAY[1, 2]) and their negations.
Result<Expression> Converter::ConvertComparedList(const PgQuery__AExpr& expression) {
  TACIT_TRY(const std::string symbol, OperatorSymbol(expression));
  const bool all = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP_ALL;
  const bool in = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_IN;
  const bool known = in || symbol == (all ? "<>" : "=");
  if (!known || (!in && !IsKind(expression.rexpr, PG_QUERY__NODE__NODE_A_ARRAY_EXPR))) {
    return Unsupported("ANY or ALL with this operator or operand", expression.location,
                       "use IN (...) or NOT IN (...)");
  }
  InList converted;
  converted.negated = symbol.starts_with('<');  // it is = or <>
  TACIT_TRY(converted.operand, ConvertExpression(expression.lexpr));
  const size_t count =
      in ? expression.rexpr->list->n_items : expression.rexpr->a_array_expr->n_elements;
  Node* const* items =
      in ? expression.rexpr->list->items : expression.rexpr->a_array_expr->elements;
  if (count == 0) return Unsupported("an empty array", expression.location);
  TACIT_TRY(converted.list, ConvertList(count, items));
  return MakeExpression(std::move(converted), {expression.location});
}

Result<Expression> Converter::ConvertLike(const PgQuery__AExpr& expression, bool case_insensitive) {
  TACIT_TRY(const std::string symbol, OperatorSymbol(expression));
  Like converted;
  converted.case_insensitive = case_insensitive;
  converted.negated = symbol.starts_with('!');
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
