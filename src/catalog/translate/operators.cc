#include <optional>
#include <set>

#include "catalog/translate/translating.h"

namespace tacit::catalog {
namespace {

bool IsComparison(const std::string& symbol) {
  static const std::set<std::string> symbols = {"=", "<>", "!=", "<", "<=", ">", ">="};
  return symbols.contains(symbol);
}

std::string LikeSql(const std::string& text, const std::string& pattern, const std::string& escape,
                    bool any_case, bool negated) {
  const auto folded = [any_case](const std::string& sql) {
    return any_case ? "lower(" + sql + ")" : sql;
  };
  return std::string(negated ? "(NOT " : "(") + "tacit_like(" + folded(text) + ", " +
         folded(pattern) + ", " + folded(escape) + "))";
}

bool IsTime(Oid type) {
  return type == oid::kDate || type == oid::kTimestamp || type == oid::kTimestampTz ||
         type == oid::kInterval;
}

// What an operator makes of times, intervals and numbers beside them; nothing where PostgreSQL has
// no such operator.
std::optional<Oid> TypeOfTimes(const std::string& symbol, Oid left, Oid right) {
  const bool plus = symbol == "+";
  const bool minus = symbol == "-";
  const bool spans = left == oid::kInterval && right == oid::kInterval;
  if (left == oid::kInterval || right == oid::kInterval) {
    const Oid other = left == oid::kInterval ? right : left;
    const bool scales = symbol == "*" || (symbol == "/" && left == oid::kInterval);
    if (IsNumber(other)) return scales ? std::optional(oid::kInterval) : std::nullopt;
    if (!plus && !(minus && right == oid::kInterval)) return std::nullopt;
    return !spans && other == oid::kDate ? oid::kTimestamp : other;
  }
  if (IsNumber(right) && left == oid::kDate && (plus || minus)) return left;
  if (IsNumber(left) && right == oid::kDate && plus) return right;
  if (!minus || !IsTime(left) || !IsTime(right)) return std::nullopt;
  return left == oid::kDate && right == oid::kDate ? oid::kInt4 : oid::kInterval;
}

// The operator's symbol; OPERATOR(pg_catalog.~) names its schema, which must be the system's.
Result<std::string> SymbolOf(const PgQuery__AExpr& expression) {
  for (size_t i = 0; i + 1 < expression.n_name; ++i) {
    if (WordOf(expression.name[i]) != "pg_catalog") {
      return UndefinedError("there is no such operator", "undefined_function", expression.location);
    }
  }
  return WordOf(expression.name[expression.n_name - 1]);
}

Result<Expression> TranslateIn(Translating& in, const PgQuery__AExpr& expression,
                               const Scope& scope) {
  const PgQuery__List& list = *expression.rexpr->list;
  TACIT_TRY(Expressions all, TranslateList(in, list.n_items, list.items, scope));
  TACIT_TRY(Expression value, TranslateExpression(in, expression.lexpr, scope));
  all.insert(all.begin(), std::move(value));
  TACIT_CHECK(Unify(in, all));
  std::string sql = "(" + all[0].sql + (WordOf(expression.name[0]) == "<>" ? " NOT IN (" : " IN (");
  for (size_t i = 1; i < all.size(); ++i) sql += (i == 1 ? "" : ", ") + all[i].sql;
  return Bool(sql + "))");
}

Result<Expression> TranslateLike(Translating& in, const PgQuery__AExpr& expression,
                                 const Scope& scope) {
  const std::string symbol = WordOf(expression.name[0]);
  const bool any_case = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE;
  const Node* pattern_node = expression.rexpr;
  std::string escape = "'\\'";
  if (pattern_node->node_case == PG_QUERY__NODE__NODE_FUNC_CALL &&
      OutputName(pattern_node) == "like_escape" && pattern_node->func_call->n_args == 2) {
    TACIT_TRY(Expression character,
              TranslateExpression(in, pattern_node->func_call->args[1], scope));
    TACIT_TRY(escape, AsText(in, std::move(character)));
    pattern_node = pattern_node->func_call->args[0];
  }
  TACIT_TRY(Expression value, TranslateExpression(in, expression.lexpr, scope));
  TACIT_TRY(Expression pattern, TranslateExpression(in, pattern_node, scope));
  TACIT_TRY(const std::string text, AsText(in, std::move(value)));
  TACIT_TRY(const std::string like, AsText(in, std::move(pattern)));
  return Bool(LikeSql(text, like, escape, any_case, symbol.starts_with('!')));
}

Result<Expression> CompareWithArray(Translating& in, const PgQuery__AExpr& expression,
                                    const Scope& scope) {
  TACIT_TRY(const std::string symbol, SymbolOf(expression));
  TACIT_TRY(Expression value, TranslateExpression(in, expression.lexpr, scope));
  TACIT_TRY(Expression array, TranslateExpression(in, expression.rexpr, scope));
  TACIT_TRY(array, Settle(in, std::move(array), ArrayOf(value.untyped ? oid::kText : value.type)));
  if (!IsArray(array.type)) {
    return UndefinedError("ANY and ALL need an array", "wrong_object_type", expression.location);
  }
  const Oid element = ElementOf(array.type);
  TACIT_TRY(value, Settle(in, std::move(value), element));
  const bool any = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY;
  const std::string contains =
      "list_contains(" + array.sql + ", CAST(" + value.sql + " AS " + StoredAs(element) + "))";
  if (any && symbol == "=") return Bool(contains);
  if (!any && (symbol == "<>" || symbol == "!=")) return Bool("(NOT " + contains + ")");
  TACIT_TRY(
      const Expression test,
      ApplyOperator(in, symbol, std::move(value),
                    Expression{.sql = "tacit_element", .type = element}, expression.location));
  const std::string kept = any ? test.sql : "(NOT " + test.sql + ")";
  return Bool("(len(list_filter(" + array.sql + ", lambda tacit_element: " + kept + "))" +
              (any ? " > 0)" : " = 0)"));
}

}  // namespace

Result<Expression> TranslateOperator(Translating& in, const PgQuery__AExpr& expression,
                                     const Scope& scope) {
  switch (expression.kind) {
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP: {
      TACIT_TRY(const std::string symbol, SymbolOf(expression));
      TACIT_TRY(Expression right, TranslateExpression(in, expression.rexpr, scope));
      if (expression.lexpr == nullptr) {
        TACIT_TRY(const Expression settled, Settle(in, std::move(right), oid::kInt4));
        if ((symbol != "-" && symbol != "+") || !IsNumber(settled.type)) {
          return UndefinedError("there is no such operator", "undefined_function",
                                expression.location);
        }
        return Expression{.sql = "(" + symbol + settled.sql + ")", .type = settled.type};
      }
      TACIT_TRY(Expression left, TranslateExpression(in, expression.lexpr, scope));
      return ApplyOperator(in, symbol, std::move(left), std::move(right), expression.location);
    }
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ANY:
    case PG_QUERY__A__EXPR__KIND__AEXPR_OP_ALL:
      return CompareWithArray(in, expression, scope);
    case PG_QUERY__A__EXPR__KIND__AEXPR_IN:
      return TranslateIn(in, expression, scope);
    case PG_QUERY__A__EXPR__KIND__AEXPR_LIKE:
    case PG_QUERY__A__EXPR__KIND__AEXPR_ILIKE:
      return TranslateLike(in, expression, scope);
    case PG_QUERY__A__EXPR__KIND__AEXPR_DISTINCT:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_DISTINCT:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF: {
      TACIT_TRY(Expression left, TranslateExpression(in, expression.lexpr, scope));
      TACIT_TRY(Expression right, TranslateExpression(in, expression.rexpr, scope));
      Expressions both = {std::move(left), std::move(right)};
      const Oid first = both[0].untyped ? oid::kText : both[0].type;
      TACIT_CHECK(Unify(in, both));
      if (expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_NULLIF) {
        return Expression{.sql = "nullif(" + both[0].sql + ", " + both[1].sql + ")", .type = first};
      }
      const bool distinct = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_DISTINCT;
      return Bool("(" + both[0].sql + (distinct ? " IS DISTINCT FROM " : " IS NOT DISTINCT FROM ") +
                  both[1].sql + ")");
    }
    case PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN:
    case PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN: {
      const PgQuery__List& ends = *expression.rexpr->list;
      TACIT_TRY(Expressions all, TranslateList(in, ends.n_items, ends.items, scope));
      TACIT_TRY(Expression value, TranslateExpression(in, expression.lexpr, scope));
      all.insert(all.begin(), std::move(value));
      TACIT_CHECK(Unify(in, all));
      const bool inside = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN;
      return Bool("(" + all[0].sql + (inside ? " BETWEEN " : " NOT BETWEEN ") + all[1].sql +
                  " AND " + all[2].sql + ")");
    }
    default:
      return UnsupportedError("this operator", expression.location);
  }
}

Result<Expression> ApplyOperator(Translating& in, const std::string& symbol, Expression left,
                                 Expression right, int position) {
  const auto infix = [&](const std::string& as) {
    return "(" + left.sql + " " + as + " " + right.sql + ")";
  };
  if (symbol == "~" || symbol == "!~" || symbol == "~*" || symbol == "!~*") {
    TACIT_TRY(const std::string text, AsText(in, std::move(left)));
    TACIT_TRY(const std::string pattern, AsText(in, std::move(right)));
    const std::string options = symbol.ends_with('*') ? ", 'i'" : "";
    return Bool(std::string(symbol.starts_with('!') ? "(NOT " : "(") + "regexp_matches(" + text +
                ", " + pattern + options + "))");
  }
  if (symbol == "~~" || symbol == "!~~" || symbol == "~~*" || symbol == "!~~*") {
    TACIT_TRY(const std::string text, AsText(in, std::move(left)));
    TACIT_TRY(const std::string pattern, AsText(in, std::move(right)));
    return Bool(LikeSql(text, pattern, "'\\'", symbol.ends_with('*'), symbol.starts_with('!')));
  }
  if (symbol == "||") {
    const bool arrays =
        (!left.untyped && IsArray(left.type)) || (!right.untyped && IsArray(right.type));
    if (arrays) {
      const Oid type = !left.untyped && IsArray(left.type) ? left.type : right.type;
      TACIT_TRY(left, Settle(in, std::move(left), type));
      TACIT_TRY(right, Settle(in, std::move(right), type));
      const auto list = [](const Expression& side) {
        return IsArray(side.type) ? side.sql : "[" + side.sql + "]";
      };
      return Expression{.sql = BoundedConcat(list(left), list(right)), .type = type};
    }
    TACIT_TRY(const std::string first, AsText(in, std::move(left)));
    TACIT_TRY(const std::string second, AsText(in, std::move(right)));
    return Expression{.sql = BoundedText(first + " || " + second), .type = oid::kText};
  }
  if (IsComparison(symbol)) {
    Expressions both = {std::move(left), std::move(right)};
    TACIT_CHECK(Unify(in, both));
    left = std::move(both[0]);
    right = std::move(both[1]);
    return Bool(infix(symbol));
  }
  if (symbol == "@>" || symbol == "<@" || symbol == "&&") {
    Expressions both = {std::move(left), std::move(right)};
    TACIT_TRY(const Oid type, Unify(in, both));
    if (!IsArray(type)) {
      return UndefinedError("there is no such operator", "undefined_function", position);
    }
    if (symbol == "<@") std::swap(both[0], both[1]);
    return Bool((symbol == "&&" ? "list_has_any(" : "list_has_all(") + both[0].sql + ", " +
                both[1].sql + ")");
  }
  if (symbol == "^") {
    TACIT_TRY(left, CastTo(in, std::move(left), oid::kFloat8, -1));
    TACIT_TRY(right, CastTo(in, std::move(right), oid::kFloat8, -1));
    return Expression{.sql = "pow(" + left.sql + ", " + right.sql + ")", .type = oid::kFloat8};
  }
  static const std::set<std::string> arithmetic = {"+", "-", "*", "/", "%", "&", "|", "<<", ">>"};
  if (!arithmetic.contains(symbol)) {
    return UndefinedError("the catalog has no operator " + symbol, "undefined_function", position);
  }
  Expressions both = {std::move(left), std::move(right)};
  const bool times = IsTime(both[0].type) || IsTime(both[1].type);
  if (times) {
    TACIT_TRY(both[0], Settle(in, std::move(both[0]), oid::kInterval));
    TACIT_TRY(both[1], Settle(in, std::move(both[1]), oid::kInterval));
  }
  std::optional<Oid> made = times ? TypeOfTimes(symbol, both[0].type, both[1].type) : std::nullopt;
  if (!times) {
    TACIT_TRY(const Oid number, Unify(in, both));
    if (IsNumber(number)) made = number;
  }
  if (!made) {
    return UndefinedError("the catalog has no operator " + symbol + " for these types",
                          "undefined_function", position);
  }
  const Oid type = *made;
  left = std::move(both[0]);
  right = std::move(both[1]);
  return Expression{.sql = infix(symbol == "/" && IsWhole(type) ? "//" : symbol), .type = type};
}

}  // namespace tacit::catalog
