#include <algorithm>
#include <array>

#include "sql/functions/patterns/pattern.h"
#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {
namespace {

constexpr std::array<std::string_view, 13> kOperators = {"+", "-",  "*", "/",  "%", "^", "||",
                                                         "=", "<>", "<", "<=", ">", ">="};

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

Result<std::string> OperatorSymbol(const PgQuery__AExpr& expression) {
  const std::vector<std::string> parts = NameParts(expression.n_name, expression.name);
  if (parts.size() != 1) return Unsupported("OPERATOR(...)", expression.location);
  return parts.front();
}

bool IsKind(const Node* node, PgQuery__Node__NodeCase kind) {
  return node != nullptr && node->node_case == kind;
}

Expression Negated(Expression expression, bool negated) {
  if (!negated) return expression;
  const Position position = expression->position;
  return MakeExpression(Logical{Connective::kNot, {std::move(expression)}}, position);
}

Expression MatchOf(const std::string& symbol, Expression operand, Expression pattern,
                   Position position) {
  Call match{.name = "regexp_like", .arguments = {std::move(operand), std::move(pattern)}};
  if (symbol.ends_with('*')) {
    match.arguments.push_back(MakeExpression(Literal{LiteralKind::kString, "i", {}}));
  }
  return Negated(MakeExpression(std::move(match), position), symbol.starts_with('!'));
}

Result<Expression> Converter::ConvertOperator(const PgQuery__AExpr& expression) {
  const Position position{expression.location};
  if (IsKind(expression.lexpr, PG_QUERY__NODE__NODE_ROW_EXPR)) return ConvertRows(expression);
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
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN:
    case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN_SYM:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN_SYM:
      return ConvertBetween(expression);
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
      return Unsupported("this operator", expression.location);
  }
}

Result<Expression> Converter::ConvertMatch(const PgQuery__AExpr& expression,
                                           const std::string& symbol) {
  if (expression.lexpr == nullptr || expression.rexpr == nullptr) {
    return Invalid("the operator " + symbol + " needs two operands", expression.location);
  }
  TACIT_TRY(Expression operand, ConvertExpression(expression.lexpr));
  TACIT_TRY(Expression pattern, ConvertExpression(expression.rexpr));
  return MatchOf(symbol, std::move(operand), std::move(pattern), {expression.location});
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
