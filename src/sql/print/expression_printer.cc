#include "sql/print/expression_printer.h"

#include "sql/print/query.h"

namespace tacit::sql {
namespace {

Error TooLong() {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = "a query that becomes this long for the engine is not supported",
               .hint = "use fewer levels of nested CASE, sqrt, ln or date functions",
               .position = std::nullopt,
               .private_detail = ""};
}

std::string Listed(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string EdgeText(FrameEdge edge, const Expression& offset) {
  const auto* literal = As<Literal>(offset);
  const std::string number = literal != nullptr ? literal->text : "0";
  switch (edge) {
    case FrameEdge::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case FrameEdge::kPreceding:
      return number + " PRECEDING";
    case FrameEdge::kCurrentRow:
      return "CURRENT ROW";
    case FrameEdge::kFollowing:
      return number + " FOLLOWING";
    case FrameEdge::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
  }
  return "";
}

bool IsInstant(const Type& type) {
  return type.kind == TypeKind::kTimestamp || type.kind == TypeKind::kTimestampTz;
}

// Whether a function takes every stored value of a column as it is: comparisons are defined for all
// of them, and the engine skips rows by them; what computes with instants looks at them itself.
bool TakesAll(const Function& function, const Type& argument) {
  if (function.family == "comparison") return true;
  return IsInstant(argument) && function.family != "conditional";
}
// The same of a cast: every decimal is near some float.
bool CastsAll(const Type& from, const Type& to) {
  return IsInstant(from) || (from.kind == TypeKind::kNumeric && to.IsFloat());
}

}  // namespace

Result<std::string> ExpressionPrinter::Print(const Bound& bound) const {
  TACIT_TRY(std::string text, PrintKind(bound));
  if (text.size() > kPrintedBytesMax) return TooLong();
  return text;
}

Result<std::string> ExpressionPrinter::PrintValue(const Bound& bound) const {
  TACIT_TRY(std::string text, Print(bound));
  return As<BoundColumn>(bound) != nullptr ? dialect_.Read(text, bound->type) : std::move(text);
}

Result<std::vector<std::string>> ExpressionPrinter::PrintAll(const std::vector<Bound>& list) const {
  std::vector<std::string> texts;
  for (const Bound& bound : list) {
    TACIT_TRY(texts.emplace_back(), Print(bound));
  }
  return texts;
}

Result<std::string> ExpressionPrinter::PrintKind(const Bound& bound) const {
  if (const auto* literal = As<Literal>(bound)) return dialect_.Constant(*literal, bound->type);
  if (const auto* column = As<BoundColumn>(bound)) {
    return dialect_.Column(column->table, column->column);
  }
  if (const auto* apply = As<BoundApply>(bound)) {
    TACIT_TRY(std::vector<std::string> arguments, PrintAll(apply->arguments));
    for (size_t i = 0; i < arguments.size(); ++i) {
      const Bound& argument = apply->arguments[i];
      if (!As<BoundColumn>(argument) || TakesAll(*apply->function, argument->type)) continue;
      arguments[i] = dialect_.Read(arguments[i], argument->type);
    }
    return dialect_.Apply(*apply, bound->type, arguments);
  }
  if (const auto* cast = As<BoundCast>(bound)) {
    const bool all = CastsAll(cast->operand->type, bound->type);
    TACIT_TRY(const std::string operand, all ? Print(cast->operand) : PrintValue(cast->operand));
    return dialect_.Cast(operand, cast->operand->type, bound->type);
  }
  if (const auto* choice = As<BoundCase>(bound)) return PrintCase(*choice);
  if (const auto* call = As<BoundAggregate>(bound)) return PrintAggregate(*call, bound->type);
  return PrintQueryExpression(*As<BoundQuery>(bound));
}

Result<std::string> ExpressionPrinter::PrintCase(const BoundCase& choice) const {
  std::string text = "CASE";
  for (const BoundBranch& branch : choice.branches) {
    TACIT_TRY(const std::string when, Print(branch.when));
    TACIT_TRY(const std::string then, PrintValue(branch.then));
    text += " WHEN " + when + " THEN " + then;
  }
  TACIT_TRY(const std::string otherwise, PrintValue(choice.otherwise));
  return text + " ELSE " + otherwise + " END";
}

Result<std::string> ExpressionPrinter::PrintOrder(const std::vector<BoundOrder>& items) const {
  std::string text;
  for (const BoundOrder& item : items) {
    TACIT_TRY(const std::string expression, Print(item.expression));
    text += text.empty() ? "ORDER BY " : ", ";
    text += expression + (item.descending ? " DESC" : " ASC") +
            (item.nulls_first ? " NULLS FIRST" : " NULLS LAST");
  }
  return text;
}

Result<std::string> ExpressionPrinter::PrintWindow(const BoundWindow& window) const {
  std::string text;
  TACIT_TRY(const std::vector<std::string> partition, PrintAll(window.partition_by));
  if (!partition.empty()) text += "PARTITION BY " + Listed(partition);
  TACIT_TRY(const std::string order, PrintOrder(window.order_by));
  text += (text.empty() || order.empty() ? "" : " ") + order;
  if (window.frame) {
    const Frame& frame = *window.frame;
    const char* unit = frame.unit == FrameUnit::kRows    ? "ROWS"
                       : frame.unit == FrameUnit::kRange ? "RANGE"
                                                         : "GROUPS";
    text += std::string(text.empty() ? "" : " ") + unit + " BETWEEN " +
            EdgeText(frame.start, frame.start_offset) + " AND " +
            EdgeText(frame.end, frame.end_offset);
  }
  return "(" + text + ")";
}

Result<std::string> ExpressionPrinter::PrintAggregate(const BoundAggregate& call,
                                                      const Type& type) const {
  std::vector<std::string> arguments;
  for (const Bound& argument : call.arguments) {
    // What grouping() names is a key, word for word.
    TACIT_TRY(arguments.emplace_back(),
              call.name == "grouping" ? Print(argument) : PrintValue(argument));
  }
  TACIT_TRY(const std::string order, PrintOrder(call.order_by));
  std::string tail;
  if (call.filter) {
    TACIT_TRY(const std::string filter, Print(call.filter));
    tail += " FILTER (WHERE " + filter + ")";
  }
  if (call.window) {
    TACIT_TRY(const std::string window, PrintWindow(dialect_.WindowOf(call, type)));
    tail += " OVER " + window;
  }
  return dialect_.Aggregate(call, type, arguments, order, tail);
}

Result<std::string> ExpressionPrinter::PrintQueryExpression(const BoundQuery& query) const {
  if (!subquery_) {
    return Error{.code = ErrorCode::kUnsupported,
                 .public_message = "a subquery is not supported here",
                 .hint = "",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  TACIT_TRY(const std::string text, subquery_(query.query));
  if (query.kind == BoundQuery::Kind::kExists) return "EXISTS (" + text + ")";
  if (query.kind == BoundQuery::Kind::kScalar) return "(" + text + ")";
  TACIT_TRY(const std::string operand, Print(query.operand));
  return "(" + operand + (query.negated ? " NOT IN (" : " IN (") + text + "))";
}

Result<std::string> PrintExpression(const Bound& bound, const Dialect& dialect) {
  return ExpressionPrinter(dialect, nullptr).Print(bound);
}

}  // namespace tacit::sql
