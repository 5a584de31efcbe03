#include "sql/walk.h"

#include <functional>
#include <string>
#include <type_traits>

#include "sql/error_at.h"
#include "sql/functions/own_functions.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::sql {
namespace {

using Change = std::function<Expression(const Expression&)>;

void ChangeOne(Expression& child, const Change& change) {
  if (child) child = change(child);
}
void ChangeAll(std::vector<Expression>& children, const Change& change) {
  for (Expression& child : children) ChangeOne(child, change);
}
void ChangeAll(std::vector<OrderItem>& items, const Change& change) {
  for (OrderItem& item : items) ChangeOne(item.expression, change);
}
void ChangeWindow(Window& window, const Change& change) {
  ChangeAll(window.partition_by, change);
  ChangeAll(window.order_by, change);
  if (!window.frame) return;
  ChangeOne(window.frame->start_offset, change);
  ChangeOne(window.frame->end_offset, change);
}
void ChangeAggregate(AggregateCall& aggregate, const Change& change) {
  ChangeAll(aggregate.arguments, change);
  ChangeAll(aggregate.order_by, change);
  ChangeOne(aggregate.filter, change);
}

// The one place that knows where each kind keeps its operands.
struct ChangeOperands {
  const Change& change;

  void operator()(Literal&) const {}
  void operator()(Star&) const {}
  void operator()(ColumnReference&) const {}
  void operator()(Parameter&) const {}
  void operator()(Operator& node) const { ChangeAll(node.arguments, change); }
  void operator()(Logical& node) const { ChangeAll(node.arguments, change); }
  void operator()(Call& node) const { ChangeAll(node.arguments, change); }
  void operator()(AggregateCall& node) const { ChangeAggregate(node, change); }
  void operator()(WindowCall& node) const {
    ChangeAggregate(node.function, change);
    ChangeWindow(node.window, change);
  }
  void operator()(Case& node) const {
    ChangeOne(node.operand, change);
    for (CaseBranch& branch : node.branches) {
      ChangeOne(branch.when, change);
      ChangeOne(branch.then, change);
    }
    ChangeOne(node.otherwise, change);
  }
  void operator()(Cast& node) const { ChangeOne(node.operand, change); }
  void operator()(InList& node) const {
    ChangeOne(node.operand, change);
    ChangeAll(node.list, change);
  }
  void operator()(Between& node) const {
    ChangeOne(node.operand, change);
    ChangeOne(node.low, change);
    ChangeOne(node.high, change);
  }
  void operator()(IsNull& node) const { ChangeOne(node.operand, change); }
  void operator()(IsTruth& node) const { ChangeOne(node.operand, change); }
  void operator()(IsDistinct& node) const {
    ChangeOne(node.left, change);
    ChangeOne(node.right, change);
  }
  void operator()(Like& node) const {
    ChangeOne(node.operand, change);
    ChangeOne(node.pattern, change);
  }
  void operator()(Exists&) const {}
  void operator()(InQuery& node) const { ChangeOne(node.operand, change); }
  void operator()(ScalarQuery&) const {}
};

Expression WithChangedOperands(const Expression& expression, const Change& change) {
  bool changed = false;
  const Change noting = [&](const Expression& child) {
    Expression replacement = change(child);
    changed = changed || replacement.get() != child.get();
    return replacement;
  };
  ExpressionNode copy = *expression;
  std::visit(ChangeOperands{noting}, copy.kind);
  return changed ? Expression(std::move(copy)) : expression;
}

template <class T>
bool Contains(const Expression& expression) {
  bool found = false;
  Visit(expression, [&found](const Expression& node) {
    found = found || As<T>(node) != nullptr;
    return !found;
  });
  return found;
}

Error At(const Expression& place, std::string message) {
  return ErrorAt(ErrorCode::kInvalidQuery, place->position, std::move(message));
}

// The select item that a position such as GROUP BY 2 means; nothing when it is no position.
Result<Expression> ItemAt(const Expression& place, const std::vector<SelectItem>& items,
                          const std::string& clause) {
  const auto* literal = As<Literal>(place);
  if (literal == nullptr) return Expression();
  if (literal->kind != LiteralKind::kInteger) {
    return At(place, "a constant in " + clause + " has no meaning");
  }
  const bool in_range = literal->text.size() < 6;
  const int position = in_range ? std::stoi(literal->text) : 0;
  if (position < 1 || static_cast<size_t>(position) > items.size()) {
    return At(place, clause + " position " + literal->text + " is not in the select list");
  }
  return items[static_cast<size_t>(position - 1)].expression;
}

// The expression that carries the output name; ambiguous when two different ones do.
Result<Expression> ItemNamed(const Expression& place, const std::string& name,
                             const std::vector<SelectItem>& items) {
  Expression found;
  for (const SelectItem& item : items) {
    if (OutputName(item) != name || As<Star>(item.expression)) continue;
    if (found && !(found == item.expression)) {
      return At(place, "\"" + name + "\" is ambiguous: two output columns have this name");
    }
    found = item.expression;
  }
  return found;
}

}  // namespace

std::vector<Expression> Children(const Expression& expression) {
  std::vector<Expression> children;
  WithChangedOperands(expression, [&children](const Expression& child) {
    children.push_back(child);
    return child;
  });
  return children;
}

void Visit(const Expression& expression, const std::function<bool(const Expression&)>& visit) {
  if (!expression || !visit(expression)) return;
  for (const Expression& child : Children(expression)) Visit(child, visit);
}

Expression Transform(const Expression& expression, const Change& change) {
  if (!expression) return expression;
  return change(WithChangedOperands(
      expression, [&change](const Expression& child) { return Transform(child, change); }));
}

std::vector<ColumnReference> ColumnsIn(const Expression& expression) {
  std::vector<ColumnReference> columns;
  Visit(expression, [&columns](const Expression& node) {
    if (const auto* column = As<ColumnReference>(node)) columns.push_back(*column);
    return true;
  });
  return columns;
}

bool HasAggregate(const Expression& expression) { return Contains<AggregateCall>(expression); }
bool HasWindow(const Expression& expression) { return Contains<WindowCall>(expression); }
bool HasSubquery(const Expression& expression) {
  return Contains<Exists>(expression) || Contains<InQuery>(expression) ||
         Contains<ScalarQuery>(expression);
}

std::vector<Expression> SplitConjuncts(const Expression& condition) {
  if (!condition) return {};
  const auto* logical = As<Logical>(condition);
  if (logical == nullptr || logical->connective != Connective::kAnd) return {condition};
  std::vector<Expression> conjuncts;
  for (const Expression& argument : logical->arguments) {
    for (Expression& part : SplitConjuncts(argument)) conjuncts.push_back(std::move(part));
  }
  return conjuncts;
}

Expression JoinConjuncts(std::vector<Expression> conjuncts) {
  if (conjuncts.empty()) return {};
  if (conjuncts.size() == 1) return conjuncts.front();
  const Position position = conjuncts.front()->position;
  return MakeExpression(Logical{Connective::kAnd, std::move(conjuncts)}, position);
}

namespace {

// PostgreSQL's own names, which a cast of something nameless gives.
std::string InternalName(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return "bool";
    case TypeKind::kSmallint:
      return "int2";
    case TypeKind::kInteger:
      return "int4";
    case TypeKind::kBigint:
      return "int8";
    case TypeKind::kReal:
      return "float4";
    case TypeKind::kDouble:
      return "float8";
    case TypeKind::kTimestamp:
      return "timestamp";
    case TypeKind::kTimestampTz:
      return "timestamptz";
    default:
      return ToString(Type{.kind = type.kind, .precision = 0, .scale = 0});
  }
}

std::string NameOfLiteral(const Literal& literal) {
  switch (literal.kind) {
    case LiteralKind::kDate:
      return "date";
    case LiteralKind::kTimestamp:
      return "timestamp";
    case LiteralKind::kTimestampTz:
      return "timestamptz";
    case LiteralKind::kInterval:
      return "interval";
    default:
      return "?column?";
  }
}

}  // namespace

std::string OutputName(const SelectItem& item) {
  if (!item.alias.empty()) return item.alias;
  const Expression& expression = item.expression;
  if (const auto* column = As<ColumnReference>(expression)) return column->column;
  if (const auto* call = As<Call>(expression)) {
    return call->name == kArrayFunction ? OutputName({call->arguments[0], ""}) : call->name;
  }
  if (const auto* aggregate = As<AggregateCall>(expression)) return aggregate->name;
  if (const auto* window = As<WindowCall>(expression)) return window->function.name;
  if (As<Exists>(expression)) return "exists";
  if (const auto* scalar = As<ScalarQuery>(expression)) {
    const auto* select = As<Select>(scalar->query);
    return select != nullptr ? OutputName(select->items.front()) : "?column?";
  }
  if (const auto* cast = As<Cast>(expression)) {
    const std::string inner = OutputName({cast->operand, ""});
    const bool named = inner != "?column?" && !As<Literal>(cast->operand);
    return named ? inner : InternalName(cast->type);
  }
  if (const auto* choice = As<Case>(expression)) {
    const std::string inner =
        choice->otherwise ? OutputName({choice->otherwise, ""}) : std::string("?column?");
    return inner == "?column?" ? "case" : inner;
  }
  if (const auto* literal = As<Literal>(expression)) return NameOfLiteral(*literal);
  return "?column?";
}

Result<std::vector<Expression>> ResolveGroupBy(const Select& select, const InputColumnTest& test) {
  std::vector<Expression> keys;
  for (const Expression& written : select.group_by) {
    TACIT_TRY(Expression key, ItemAt(written, select.items, "GROUP BY"));
    const auto* column = As<ColumnReference>(written);
    if (!key && column != nullptr && column->table.empty() &&
        !test.is_input_column(column->column)) {
      TACIT_TRY(key, ItemNamed(written, column->column, select.items));
    }
    if (!key) key = written;
    if (HasAggregate(key)) return At(written, "aggregate functions are not allowed in GROUP BY");
    keys.push_back(std::move(key));
  }
  return keys;
}

Result<std::vector<OrderItem>> ResolveOrderBy(const std::vector<OrderItem>& order_by,
                                              const std::vector<SelectItem>& items) {
  std::vector<OrderItem> resolved;
  for (const OrderItem& written : order_by) {
    OrderItem item = written;
    TACIT_TRY(Expression target, ItemAt(written.expression, items, "ORDER BY"));
    const auto* column = As<ColumnReference>(written.expression);
    if (!target && column != nullptr && column->table.empty()) {
      TACIT_TRY(target, ItemNamed(written.expression, column->column, items));
    }
    if (target) item.expression = target;
    resolved.push_back(std::move(item));
  }
  return resolved;
}

uint64_t HashOf(const Expression& expression) {
  return std::hash<std::string>{}(PrintCanonical(expression));
}

}  // namespace tacit::sql
