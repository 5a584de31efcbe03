#include <algorithm>
#include <array>
#include <optional>

#include "sql/constants/fold.h"
#include "sql/functions/own_functions.h"
#include "sql/parse/grammar.h"
#include "sql/walk.h"

// A value beside several: IN, ANY and ALL, and rows such as (a, b).
namespace tacit::sql::grammar {
namespace {

constexpr std::array<std::string_view, 6> kComparisons = {"=", "<>", "<", "<=", ">", ">="};

Expression Joined(Connective connective, std::vector<Expression> parts, Position position) {
  if (parts.size() == 1) return parts.front();
  return MakeExpression(Logical{connective, std::move(parts)}, position);
}

// A comparison, LIKE or a regular expression by its symbol; nothing for other operators.
std::optional<Expression> ComparisonOf(const std::string& symbol, const Expression& left,
                                       const Expression& right, Position position) {
  for (const std::string_view known : kComparisons) {
    if (symbol == known) return MakeExpression(Operator{symbol, {left, right}}, position);
  }
  const std::string positive = symbol.starts_with('!') ? symbol.substr(1) : symbol;
  if (positive == "~~" || positive == "~~*") {
    return MakeExpression(Like{.operand = left,
                               .pattern = right,
                               .case_insensitive = positive == "~~*",
                               .negated = symbol.starts_with('!')},
                          position);
  }
  if (positive == "~" || positive == "~*") return MatchOf(symbol, left, right, position);
  return std::nullopt;
}

// Why 400: what stands beside a list is written once and compared with each of it, so it is copied,
// and copies of copies would multiply.
constexpr size_t kCopiedNodesMax = 400;

Result<Done> CheckCopies(const std::vector<Expression>& copied, size_t times, int position) {
  if (times < 2) return Done{};
  size_t nodes = 0;
  for (const Expression& expression : copied) {
    if (HasSubquery(expression)) nodes = kCopiedNodesMax;
    Visit(expression, [&nodes](const Expression&) { return ++nodes <= kCopiedNodesMax; });
  }
  if (nodes * times <= kCopiedNodesMax) return Done{};
  return Unsupported("so long a comparison with several values", position,
                     "compute what is compared in a subquery in FROM, and name it there");
}

// string_to_array('a,b', ','), of literals and parameters.
bool IsSplitText(const Expression& array) {
  const auto* call = As<Call>(array);
  if (call == nullptr || call->name != "string_to_array" || call->arguments.size() != 2) {
    return false;
  }
  return std::all_of(call->arguments.begin(), call->arguments.end(), [](const Expression& given) {
    return As<Literal>(given) != nullptr || As<Parameter>(given) != nullptr;
  });
}

}  // namespace

// x IN (1, 2), x = ANY (ARRAY[1, 2]), x = ANY ('{1,2}'), x = ANY ($1) and their negations are
// lists; with another operator, x LIKE ANY (ARRAY['a%', 'b%']), it is a comparison with each.
Result<Expression> Converter::ConvertComparedList(const PgQuery__AExpr& expression) {
  const Position position{expression.location};
  TACIT_TRY(const std::string symbol, OperatorSymbol(expression));
  const bool all = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP_ALL;
  const bool in = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_IN;
  InList converted;
  converted.negated = symbol == "<>";
  TACIT_TRY(converted.operand, ConvertExpression(expression.lexpr));
  if (in) {
    const PgQuery__List& list = *expression.rexpr->list;
    TACIT_TRY(converted.list, ConvertList(list.n_items, list.items));
    return MakeExpression(std::move(converted), position);
  }
  TACIT_TRY(converted.list, ConvertArray(expression.rexpr, expression.location));
  if (converted.list.empty()) {
    return MakeExpression(Literal{LiteralKind::kBoolean, all ? "true" : "false", {}}, position);
  }
  if (symbol == (all ? "<>" : "=")) return MakeExpression(std::move(converted), position);
  const auto* bound = As<Call>(converted.list.front());
  if (bound != nullptr && bound->name == kElementsFunction) {
    return Unsupported("one value as the list of " + symbol + (all ? " ALL" : " ANY"),
                       expression.location, "write a parameter for each value: ARRAY[$1, $2]");
  }
  TACIT_CHECK(CheckCopies({converted.operand}, converted.list.size(), expression.location));
  std::vector<Expression> parts;
  for (const Expression& element : converted.list) {
    std::optional<Expression> one = ComparisonOf(symbol, converted.operand, element, position);
    if (!one) return Unsupported("ANY or ALL with this operator", expression.location);
    parts.push_back(std::move(*one));
  }
  return Joined(all ? Connective::kAnd : Connective::kOr, std::move(parts), position);
}

// (a, b) = (1, 2) is a = 1 AND b = 2; (a, b) IN ((1, 2), (3, 4)) is one or the other.
Result<Expression> Converter::ConvertRows(const PgQuery__AExpr& expression) {
  const Position position{expression.location};
  TACIT_TRY(const std::string symbol, OperatorSymbol(expression));
  const bool in = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_IN;
  const bool plain = in || expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_OP;
  if (!plain || (symbol != "=" && symbol != "<>")) {
    return Unsupported("a row value such as (a, b) with this operator", expression.location,
                       "compare the columns one by one");
  }
  const PgQuery__RowExpr& left = *expression.lexpr->row_expr;
  TACIT_TRY(const std::vector<Expression> operands, ConvertList(left.n_args, left.args));
  const size_t count = in ? expression.rexpr->list->n_items : 1;
  TACIT_CHECK(CheckCopies(operands, count, expression.location));
  std::vector<Expression> rows;
  for (size_t i = 0; i < count; ++i) {
    const Node* right = in ? expression.rexpr->list->items[i] : expression.rexpr;
    if (!IsKind(right, PG_QUERY__NODE__NODE_ROW_EXPR) ||
        right->row_expr->n_args != operands.size()) {
      return Invalid("what is compared with a row is a row of as many values", expression.location);
    }
    TACIT_TRY(const std::vector<Expression> values,
              ConvertList(right->row_expr->n_args, right->row_expr->args));
    std::vector<Expression> columns;
    for (size_t c = 0; c < values.size(); ++c) {
      columns.push_back(MakeExpression(Operator{"=", {operands[c], values[c]}}, position));
    }
    if (columns.empty()) return Unsupported("a row without values", expression.location);
    rows.push_back(Joined(Connective::kAnd, std::move(columns), position));
  }
  return Negated(Joined(Connective::kOr, std::move(rows), position), symbol == "<>");
}

// BETWEEN SYMMETRIC: either end may be the lower one.
Result<Expression> Converter::ConvertBetween(const PgQuery__AExpr& expression) {
  const Position position{expression.location};
  const bool negated = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN ||
                       expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN_SYM;
  const bool symmetric = expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_BETWEEN_SYM ||
                         expression.kind == PG_QUERY__A__EXPR__KIND__AEXPR_NOT_BETWEEN_SYM;
  TACIT_TRY(const Expression operand, ConvertExpression(expression.lexpr));
  const PgQuery__List& ends = *expression.rexpr->list;
  TACIT_TRY(const Expression low, ConvertExpression(ends.items[0]));
  TACIT_TRY(const Expression high, ConvertExpression(ends.items[1]));
  if (!symmetric) return MakeExpression(Between{operand, low, high, negated}, position);
  TACIT_CHECK(CheckCopies({operand, low, high}, 2, expression.location));
  std::vector<Expression> both = {MakeExpression(Between{operand, low, high, false}, position),
                                  MakeExpression(Between{operand, high, low, false}, position)};
  return Negated(MakeExpression(Logical{Connective::kOr, std::move(both)}, position), negated);
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
    } else if (As<Parameter>(array) || IsSplitText(array)) {
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

}  // namespace tacit::sql::grammar
