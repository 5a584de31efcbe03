#include "sql/constants/fold.h"

#include <optional>
#include <utility>

#include "sql/change.h"
#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/constants/recursion.h"
#include "sql/constants/series.h"
#include "sql/constants/zone.h"
#include "sql/functions/own_functions.h"

namespace tacit::sql {
namespace {

Expression Made(const std::optional<Literal>& folded, const Expression& otherwise) {
  return folded ? MakeExpression(*folded, otherwise->position) : otherwise;
}

// date_trunc('MONTH', d), extract(YEARS FROM d).
Expression WithUnit(const Expression& node, const Call& call) {
  const bool takes_unit =
      call.name == "date_trunc" || call.name == "date_part" || call.name == "extract";
  const auto* unit =
      takes_unit && !call.arguments.empty() ? As<Literal>(call.arguments[0]) : nullptr;
  if (unit == nullptr || unit->kind != LiteralKind::kString) return node;
  std::string name = UnitName(unit->text);
  if (name == unit->text) return node;
  Call changed = call;
  changed.arguments[0] = MakeExpression(Literal{LiteralKind::kString, std::move(name), {}},
                                        call.arguments[0]->position);
  return MakeExpression(std::move(changed), node->position);
}

Expression FoldCallNode(const Expression& written) {
  const Expression node = WithUnit(written, *As<Call>(written));
  const auto* call = As<Call>(node);
  // substring(x FROM '[0-9]+') is written as substring(x, '[0-9]+').
  if (call->name == "substring" && call->arguments.size() == 2) {
    const auto* pattern = As<Literal>(call->arguments[1]);
    if (pattern != nullptr && pattern->kind == LiteralKind::kString) {
      return MakeExpression(Call{"regexp_substr", call->arguments}, node->position);
    }
  }
  std::vector<const Literal*> literals;
  for (const Expression& argument : call->arguments) {
    const auto* literal = As<Literal>(argument);
    if (literal == nullptr) return node;
    literals.push_back(literal);
  }
  if (call->name == "date" && literals.size() == 1) {
    return Made(constants::FoldCast(*literals[0], kDateType), node);
  }
  return Made(constants::FoldCall(call->name, literals), node);
}

// x = ANY ('{a,b}'): a list, once the array has a value. Nothing is equal to one of none.
Expression FoldList(const Expression& node, const InList& in) {
  const auto* array = in.list.size() == 1 ? As<Call>(in.list[0]) : nullptr;
  if (array == nullptr || array->name != kElementsFunction) return node;
  const auto* literal = As<Literal>(array->arguments[0]);
  if (literal != nullptr && literal->kind == LiteralKind::kNull) {
    return MakeExpression(InList{in.operand, array->arguments, in.negated}, node->position);
  }
  if (literal == nullptr || literal->kind != LiteralKind::kString) return node;
  std::optional<std::vector<Expression>> elements =
      ArrayElements(literal->text, array->arguments[0]->position);
  if (!elements) return node;
  for (Expression& element : *elements) {
    Literal read = *As<Literal>(element);
    read.zone = literal->zone;
    element = MakeExpression(std::move(read), element->position);
  }
  if (elements->empty()) {
    return MakeExpression(Literal{LiteralKind::kBoolean, in.negated ? "true" : "false", {}},
                          node->position);
  }
  return MakeExpression(InList{in.operand, std::move(*elements), in.negated}, node->position);
}

// x IN ('a') is x = 'a'.
Expression FoldOne(const Expression& node) {
  const auto* in = As<InList>(node);
  if (in == nullptr || in->list.size() != 1) return node;
  const auto* call = As<Call>(in->list[0]);
  if (call != nullptr && call->name == kElementsFunction) return node;
  return MakeExpression(Operator{in->negated ? "<>" : "=", {in->operand, in->list[0]}},
                        node->position);
}

// (SELECT 1): a constant in parentheses.
Expression FoldScalar(const Expression& node, const ScalarQuery& scalar) {
  const auto* select = As<Select>(scalar.query);
  const bool lone = select != nullptr && select->items.size() == 1 && select->from.empty() &&
                    !select->where && select->group_by.empty() && !select->having &&
                    scalar.query->with.empty() && !scalar.query->limit && !scalar.query->offset;
  const auto* literal = lone ? As<Literal>(select->items[0].expression) : nullptr;
  return literal == nullptr ? node : MakeExpression(*literal, node->position);
}

// -(INTERVAL '1 day') is what 0 less it is.
Expression FoldSign(const Expression& node, const Operator& operation) {
  const auto* operand = As<Literal>(operation.arguments[0]);
  const bool signed_kind = operand != nullptr && (operand->kind == LiteralKind::kInteger ||
                                                  operand->kind == LiteralKind::kInterval);
  if (operation.symbol != "-" || !signed_kind) return node;
  const bool interval = operand->kind == LiteralKind::kInterval;
  const Literal zero = constants::Written(operand->kind, interval ? "" : "0");
  return Made(constants::FoldOperator("-", zero, *operand), node);
}

// INTERVAL '1 day', and INTERVAL '1 day' * n.
bool IsSpan(const Expression& expression) {
  const auto* operation = As<Operator>(expression);
  if (operation != nullptr && operation->symbol == "*" && operation->arguments.size() == 2) {
    return IsSpan(operation->arguments[0]) || IsSpan(operation->arguments[1]);
  }
  const auto* literal = As<Literal>(expression);
  return literal != nullptr && literal->kind == LiteralKind::kInterval;
}

// An interval stands behind the time that it is added to, and before how often it is taken.
bool IsTurned(const Operator& operation) {
  const Expression& left = operation.arguments[0];
  const Expression& right = operation.arguments[1];
  const bool written = As<Literal>(left) != nullptr && As<Literal>(right) != nullptr;
  if (operation.symbol == "+") return !written && IsSpan(left) && !IsSpan(right);
  return operation.symbol == "*" && As<Literal>(left) == nullptr && !IsSpan(left) &&
         As<Literal>(right) != nullptr && IsSpan(right);
}

Expression FoldOperation(const Expression& node, const Operator& operation) {
  if (operation.arguments.size() == 1) return FoldSign(node, operation);
  if (IsTurned(operation)) {
    return MakeExpression(
        Operator{operation.symbol, {operation.arguments[1], operation.arguments[0]}},
        node->position);
  }
  const auto* left = As<Literal>(operation.arguments[0]);
  const auto* right = As<Literal>(operation.arguments[1]);
  if (left == nullptr || right == nullptr) return constants::FoldWhole(node);
  return Made(constants::FoldOperator(operation.symbol, *left, *right), node);
}

Expression FoldNode(const Expression& node) {
  if (const auto* operation = As<Operator>(node)) return FoldOperation(node, *operation);
  if (const auto* cast = As<Cast>(node)) {
    const auto* literal = As<Literal>(cast->operand);
    return literal == nullptr ? constants::FoldWhole(node)
                              : Made(constants::FoldCast(*literal, cast->type), node);
  }
  if (As<Call>(node)) return constants::FoldWhole(FoldCallNode(node));
  if (const auto* scalar = As<ScalarQuery>(node)) return FoldScalar(node, *scalar);
  if (const auto* in = As<InList>(node)) {
    return FoldOne(constants::FoldDecided(FoldList(node, *in)));
  }
  return constants::FoldDecided(node);
}

}  // namespace

bool IsTrue(const Expression& expression) {
  const auto* literal = As<Literal>(expression);
  return literal != nullptr && literal->kind == LiteralKind::kBoolean && literal->text == "true";
}

std::optional<std::vector<Expression>> ArrayElements(const std::string& text, Position position) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return std::nullopt;
  std::vector<Expression> elements;
  size_t i = 1;
  const size_t end = text.size() - 1;
  while (i < end) {
    std::string element;
    const bool quoted = text[i] == '"';
    if (quoted) ++i;
    while (i < end && (quoted ? text[i] != '"' : text[i] != ',')) {
      if (!quoted && (text[i] == '{' || text[i] == '}' || text[i] == '"')) return std::nullopt;
      if (text[i] == '\\' && ++i == end) return std::nullopt;
      element += text[i++];
    }
    if (quoted && (i >= end || text[i++] != '"')) return std::nullopt;
    if (!quoted && element.empty()) return std::nullopt;
    const bool null = !quoted && (element == "NULL" || element == "null");
    elements.push_back(MakeExpression(
        null ? Literal{} : Literal{LiteralKind::kString, std::move(element), {}}, position));
    if (i < end && (text[i++] != ',' || i == end)) return std::nullopt;
  }
  return elements;
}

Query FoldConstants(const Query& query) {
  const auto write_out = [](Query& table, std::vector<std::string>& columns,
                            CommonTable* recursive) {
    if (recursive != nullptr) return WriteOutRecursion(*recursive, FoldNode);
    WriteOutSeries(table, columns, FoldNode);
    if (const auto* values = As<Values>(table)) {
      QueryNode node = *table;
      node.body = WithInstants(*values);
      table = Query(std::move(node));
    }
  };
  return ChangeExpressions(query, FoldNode, write_out);
}

}  // namespace tacit::sql
