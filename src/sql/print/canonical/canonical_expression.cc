#include "sql/constants/moment.h"
#include "sql/parse/literal.h"
#include "sql/print/canonical/canonical.h"
#include "sql/print/canonical/canonical_parts.h"
#include "sql/print/quote.h"

namespace tacit::sql {
namespace {

// What needs no parentheses as an operand.
bool IsAtomic(const Expression& expression) {
  return As<Literal>(expression) || As<ColumnReference>(expression) || As<Parameter>(expression) ||
         As<Call>(expression) || As<AggregateCall>(expression) || As<WindowCall>(expression) ||
         As<Case>(expression) || As<Cast>(expression) || As<Exists>(expression) ||
         As<ScalarQuery>(expression) || As<Star>(expression);
}

std::string Operand(const Expression& expression) {
  const auto* literal = As<Literal>(expression);
  const bool negative =
      literal != nullptr && literal->text.starts_with('-') && literal->kind != LiteralKind::kString;
  const std::string text = PrintCanonical(expression);
  return IsAtomic(expression) && !negative ? text : "(" + text + ")";
}

std::string LiteralText(const Literal& literal) {
  switch (literal.kind) {
    case LiteralKind::kNull:
      return "NULL";
    case LiteralKind::kBoolean:
    case LiteralKind::kInteger:
    case LiteralKind::kNumeric:
      return literal.text;
    case LiteralKind::kString:
      return QuoteString(literal.text);
    case LiteralKind::kDate:
      return "DATE " + QuoteString(literal.text);
    case LiteralKind::kTimestamp:
      return "TIMESTAMP " + QuoteString(literal.text);
    case LiteralKind::kTimestampTz:
      return "TIMESTAMP WITH TIME ZONE " + QuoteString(literal.text + "+00");
    case LiteralKind::kInterval:
      return "INTERVAL " + QuoteString(ToString(literal.interval));
  }
  return "NULL";
}

std::string CallText(const Call& call) {
  // The grammar's own names for special syntax are reserved words, so they go back as that syntax.
  if (call.name == "position" && call.arguments.size() == 2) {
    return "position(" + Operand(call.arguments[0]) + " IN " + Operand(call.arguments[1]) + ")";
  }
  if (call.arguments.empty() && IsMomentWord(call.name)) return call.name;
  const bool special = call.name == "coalesce" || call.name == "nullif" || call.name == "least" ||
                       call.name == "greatest" || call.name == "left" || call.name == "right";
  const auto* field = call.name == "extract" && call.arguments.size() == 2
                          ? As<Literal>(call.arguments[0])
                          : nullptr;
  if (field != nullptr && field->kind == LiteralKind::kString) {
    return "extract(" + QuoteString(field->text) + " FROM " + Operand(call.arguments[1]) + ")";
  }
  return (special ? call.name : QuoteIdentifierIfNeeded(call.name)) + "(" +
         canonical::List(call.arguments) + ")";
}

std::string FrameEdgeText(FrameEdge edge, const Expression& offset) {
  switch (edge) {
    case FrameEdge::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case FrameEdge::kPreceding:
      return Operand(offset) + " PRECEDING";
    case FrameEdge::kCurrentRow:
      return "CURRENT ROW";
    case FrameEdge::kFollowing:
      return Operand(offset) + " FOLLOWING";
    case FrameEdge::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
  }
  return "";
}

struct Printer {
  std::string operator()(const Literal& node) const { return LiteralText(node); }
  std::string operator()(const Star& node) const {
    return node.table.empty() ? "*" : QuoteIdentifierIfNeeded(node.table) + ".*";
  }
  std::string operator()(const ColumnReference& node) const {
    const std::string column = QuoteIdentifierIfNeeded(node.column);
    return node.table.empty() ? column : QuoteIdentifierIfNeeded(node.table) + "." + column;
  }
  std::string operator()(const Parameter& node) const { return "$" + std::to_string(node.number); }
  std::string operator()(const Operator& node) const {
    if (node.arguments.size() == 1) return node.symbol + " " + Operand(node.arguments[0]);
    return Operand(node.arguments[0]) + " " + node.symbol + " " + Operand(node.arguments[1]);
  }
  std::string operator()(const Logical& node) const {
    if (node.connective == Connective::kNot) return "NOT " + Operand(node.arguments[0]);
    const char* word = node.connective == Connective::kAnd ? " AND " : " OR ";
    std::string text;
    for (const Expression& argument : node.arguments) {
      if (!text.empty()) text += word;
      text += Operand(argument);
    }
    return text;
  }
  std::string operator()(const Call& node) const { return CallText(node); }
  std::string operator()(const AggregateCall& node) const { return canonical::Aggregate(node); }
  std::string operator()(const WindowCall& node) const {
    const bool named = !node.window.base.empty() && node.window.partition_by.empty() &&
                       node.window.order_by.empty() && !node.window.frame;
    return canonical::Aggregate(node.function) + " OVER " +
           (named ? QuoteIdentifierIfNeeded(node.window.base)
                  : "(" + canonical::WindowText(node.window) + ")");
  }
  std::string operator()(const Case& node) const {
    std::string text = "CASE";
    if (node.operand) text += " " + Operand(node.operand);
    for (const CaseBranch& branch : node.branches) {
      text += " WHEN " + Operand(branch.when) + " THEN " + Operand(branch.then);
    }
    if (node.otherwise) text += " ELSE " + Operand(node.otherwise);
    return text + " END";
  }
  std::string operator()(const Cast& node) const {
    return "CAST(" + PrintCanonical(node.operand) + " AS " + ToString(node.type) + ")";
  }
  std::string operator()(const InList& node) const {
    return Operand(node.operand) + (node.negated ? " NOT IN (" : " IN (") +
           canonical::List(node.list) + ")";
  }
  std::string operator()(const Between& node) const {
    return Operand(node.operand) + (node.negated ? " NOT BETWEEN " : " BETWEEN ") +
           Operand(node.low) + " AND " + Operand(node.high);
  }
  std::string operator()(const IsNull& node) const {
    return Operand(node.operand) + (node.negated ? " IS NOT NULL" : " IS NULL");
  }
  std::string operator()(const IsTruth& node) const {
    return Operand(node.operand) + (node.negated ? " IS NOT " : " IS ") +
           (node.truth ? "TRUE" : "FALSE");
  }
  std::string operator()(const IsDistinct& node) const {
    return Operand(node.left) + (node.negated ? " IS NOT DISTINCT FROM " : " IS DISTINCT FROM ") +
           Operand(node.right);
  }
  std::string operator()(const Like& node) const {
    return Operand(node.operand) + (node.negated ? " NOT" : "") +
           (node.case_insensitive ? " ILIKE " : " LIKE ") + Operand(node.pattern);
  }
  std::string operator()(const Exists& node) const {
    return "EXISTS (" + PrintCanonical(node.query) + ")";
  }
  std::string operator()(const InQuery& node) const {
    return Operand(node.operand) + (node.negated ? " NOT IN (" : " IN (") +
           PrintCanonical(node.query) + ")";
  }
  std::string operator()(const ScalarQuery& node) const {
    return "(" + PrintCanonical(node.query) + ")";
  }
};

}  // namespace

namespace canonical {

std::string List(const std::vector<Expression>& expressions) {
  std::string text;
  for (const Expression& expression : expressions) {
    if (!text.empty()) text += ", ";
    text += PrintCanonical(expression);
  }
  return text;
}

std::string OrderText(const std::vector<OrderItem>& items) {
  std::string text;
  for (const OrderItem& item : items) {
    text += text.empty() ? "ORDER BY " : ", ";
    text += PrintCanonical(item.expression);
    if (item.descending) text += " DESC";
    if (item.nulls_first != item.descending) {
      text += item.nulls_first ? " NULLS FIRST" : " NULLS LAST";
    }
  }
  return text;
}

std::string Aggregate(const AggregateCall& call) {
  // In quotes it would be another function.
  const bool grouping = call.name == "grouping";
  std::string text = (grouping ? call.name : QuoteIdentifierIfNeeded(call.name)) + "(";
  if (call.distinct) text += "DISTINCT ";
  text += call.star ? "*" : List(call.arguments);
  if (!call.order_by.empty() && !call.within_group) text += " " + OrderText(call.order_by);
  text += ")";
  if (call.within_group) text += " WITHIN GROUP (" + OrderText(call.order_by) + ")";
  if (call.filter) text += " FILTER (WHERE " + PrintCanonical(call.filter) + ")";
  return text;
}

std::string WindowText(const Window& window) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!text.empty() && !part.empty()) text += " ";
    text += part;
  };
  if (!window.base.empty()) add(QuoteIdentifierIfNeeded(window.base));
  if (!window.partition_by.empty()) add("PARTITION BY " + List(window.partition_by));
  add(OrderText(window.order_by));
  if (window.frame) {
    const Frame& frame = *window.frame;
    const char* unit = frame.unit == FrameUnit::kRows    ? "ROWS"
                       : frame.unit == FrameUnit::kRange ? "RANGE"
                                                         : "GROUPS";
    add(std::string(unit) + " BETWEEN " + FrameEdgeText(frame.start, frame.start_offset) + " AND " +
        FrameEdgeText(frame.end, frame.end_offset));
  }
  return text;
}

}  // namespace canonical

std::string PrintCanonical(const Expression& expression) {
  if (!expression) return "";
  return std::visit(Printer{}, expression->kind);
}

}  // namespace tacit::sql
