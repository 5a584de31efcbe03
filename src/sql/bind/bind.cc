#include "sql/bind/bind.h"

#include <utility>

#include "sql/bind/bind_literal.h"
#include "sql/bind/session_zone.h"
#include "sql/error_at.h"

// Why longer than most: one short function per kind of node, and they belong together.
namespace tacit::sql {
namespace {

Error At(ErrorCode code, std::string message, Position position, std::string hint = "") {
  return ErrorAt(code, position, std::move(message), std::move(hint));
}

template <class T>
Bound MakeBound(T kind, const Type& type, Position position) {
  return Bound(BoundNode{.kind = std::move(kind), .type = type, .position = position});
}

std::string TypeList(const std::vector<Type>& types) {
  std::string text;
  for (const Type& type : types) text += (text.empty() ? "" : ", ") + ToString(type);
  return text;
}

// floor(x), round(x): numbers without a fraction.
bool IsWhole(const BoundApply& made_by) {
  const std::string_view name = made_by.function->name;
  const bool cuts = name == "round" || name == "trunc";
  return name == "floor" || name == "ceil" || name == "ceiling" ||
         (cuts && made_by.arguments.size() == 1);
}

class Binder {
 public:
  Binder(const Scope& scope, const BindContext& context) : scope_(scope), context_(context) {}

  Result<Bound> Bind(const Expression& expression) {
    const Position position = expression->position;
    const bool inner = std::exchange(inner_, true);
    Result<Bound> bound =
        std::visit([&](const auto& node) { return BindNode(node, position); }, expression->kind);
    inner_ = inner;
    // By itself such a column may pass; nothing can be made of it.
    if (inner && bound.ok() && (*bound)->type.kind == TypeKind::kOpaque) {
      return At(ErrorCode::kUnsupported, "the column has a type without rules", position);
    }
    return bound;
  }

  Result<std::vector<Bound>> BindAll(const std::vector<Expression>& expressions) {
    std::vector<Bound> bound;
    for (const Expression& expression : expressions) {
      TACIT_TRY(bound.emplace_back(), Bind(expression));
    }
    return bound;
  }

  Result<Bound> Apply(const std::string& name, std::vector<Bound> arguments, Position position);

 private:
  Result<Bound> BindNode(const Literal& literal, Position position) {
    return BindLiteral(literal, position);
  }
  Result<Bound> BindNode(const Star&, Position position) {
    return At(ErrorCode::kInvalidQuery, "* stands for no value here", position);
  }
  Result<Bound> BindNode(const ColumnReference& reference, Position position) {
    TACIT_TRY(const ScopeColumn found, scope_.Find(reference, position));
    const bool bare = found.shared && reference.table.empty();
    // Whoever filled the scope: nothing below has a rule for it.
    const Type type = found.column.type.kind == TypeKind::kTime ? kOpaqueType : found.column.type;
    return MakeBound(BoundColumn{bare ? "" : found.table, found.column.name}, type, position);
  }
  Result<Bound> BindNode(const Parameter& parameter, Position position) {
    return At(ErrorCode::kInvalidQuery,
              "there is no value for $" + std::to_string(parameter.number), position);
  }
  Result<Bound> BindNode(const Operator& node, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll(node.arguments));
    if (arguments.size() == 1) {
      if (node.symbol == "-") return Apply("negate", std::move(arguments), position);
      if (node.symbol == "+" && arguments[0]->type.IsNumber()) return arguments[0];
      return At(ErrorCode::kInvalidQuery, "the operator " + node.symbol + " needs two operands",
                position);
    }
    return Apply(node.symbol, std::move(arguments), position);
  }
  Result<Bound> BindNode(const Logical& node, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll(node.arguments));
    const char* name = node.connective == Connective::kAnd  ? "and"
                       : node.connective == Connective::kOr ? "or"
                                                            : "not";
    return Apply(name, std::move(arguments), position);
  }
  Result<Bound> BindNode(const Call& call, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll(call.arguments));
    if (call.name == "date" && arguments.size() == 1) {
      return BindCast(arguments[0], Simple(TypeKind::kDate), position);
    }
    return Apply(call.name, std::move(arguments), position);
  }
  Result<Bound> BindNode(const Case& node, Position position);
  Result<Bound> BindNode(const Cast& node, Position position) {
    TACIT_TRY(const Bound operand, Bind(node.operand));
    return BindCast(operand, node.type, position);
  }
  Result<Bound> BindNode(const InList& node, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll(node.list));
    TACIT_TRY(Bound operand, Bind(node.operand));
    arguments.insert(arguments.begin(), std::move(operand));
    return Negatable("in", std::move(arguments), node.negated, position);
  }
  Result<Bound> BindNode(const Between& node, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll({node.operand, node.low, node.high}));
    return Negatable("between", std::move(arguments), node.negated, position);
  }
  Result<Bound> BindNode(const IsNull& node, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll({node.operand}));
    return Negatable("is null", std::move(arguments), node.negated, position);
  }
  Result<Bound> BindNode(const IsTruth& node, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll({node.operand}));
    return Negatable(node.truth ? "is true" : "is false", std::move(arguments), node.negated,
                     position);
  }
  Result<Bound> BindNode(const IsDistinct& node, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll({node.left, node.right}));
    return Negatable("is distinct from", std::move(arguments), node.negated, position);
  }
  Result<Bound> BindNode(const Like& node, Position position) {
    TACIT_TRY(std::vector<Bound> arguments, BindAll({node.operand, node.pattern}));
    return Negatable(node.case_insensitive ? "ilike" : "like", std::move(arguments), node.negated,
                     position);
  }
  Result<Bound> BindNode(const AggregateCall& node, Position position);
  Result<Bound> BindNode(const WindowCall& node, Position position);
  Result<Bound> BindNode(const Exists& node, Position position) {
    return MakeBound(BoundQuery{.kind = BoundQuery::Kind::kExists,
                                .operand = {},
                                .negated = false,
                                .query = node.query},
                     kBooleanType, position);
  }
  Result<Bound> BindNode(const InQuery& node, Position position) {
    TACIT_TRY(Bound operand, Bind(node.operand));
    TACIT_TRY(const Type column, SubqueryType(node.query, position));
    const std::optional<Type> common = CommonType(operand->type, column);
    if (!common) {
      return At(ErrorCode::kInvalidQuery,
                "IN compares " + ToString(operand->type) + " with " + ToString(column), position);
    }
    if (operand->type.kind == TypeKind::kUnknown) {
      TACIT_TRY(operand, ConvertTo(operand, *common));
    }
    if (!context_.zone.empty() && common->kind == TypeKind::kTimestampTz &&
        operand->type.kind != column.kind) {
      return At(ErrorCode::kUnsupported, "IN compares times with and without a zone here",
                position);
    }
    return MakeBound(BoundQuery{.kind = BoundQuery::Kind::kIn,
                                .operand = std::move(operand),
                                .negated = node.negated,
                                .query = node.query},
                     kBooleanType, position);
  }
  Result<Bound> BindNode(const ScalarQuery& node, Position position) {
    TACIT_TRY(const Type type, SubqueryType(node.query, position));
    return MakeBound(BoundQuery{.kind = BoundQuery::Kind::kScalar,
                                .operand = {},
                                .negated = false,
                                .query = node.query},
                     type, position);
  }

  Result<Type> SubqueryType(const Query& query, Position position) {
    if (!context_.scalar_type) {
      return At(ErrorCode::kUnsupported, "a subquery is not supported here", position);
    }
    return context_.scalar_type(query, scope_);
  }

  Result<Bound> Negatable(const std::string& name, std::vector<Bound> arguments, bool negated,
                          Position position) {
    TACIT_TRY(Bound bound, Apply(name, std::move(arguments), position));
    if (!negated) return bound;
    return Apply("not", {std::move(bound)}, position);
  }

  Result<Bound> BindCast(const Bound& operand, const Type& to, Position position) {
    if (!CanCast(operand->type, to)) {
      return At(ErrorCode::kInvalidQuery,
                "cannot cast " + ToString(operand->type) + " to " + ToString(to), position);
    }
    return ConvertTo(operand, to);
  }

  Result<std::vector<BoundOrder>> BindOrder(const std::vector<OrderItem>& items) {
    std::vector<BoundOrder> bound;
    for (const OrderItem& item : items) {
      TACIT_TRY(Bound expression, Bind(item.expression));
      bound.push_back({std::move(expression), item.descending, item.nulls_first});
    }
    return bound;
  }

  Result<BoundAggregate> BindAggregateParts(const AggregateCall& node);
  Result<BoundWindow> BindWindow(const Window& window, Position position);

  bool inner_ = false;  // a part of another expression is being bound
  const Scope& scope_;
  const BindContext& context_;
};

Result<Bound> Binder::Apply(const std::string& name, std::vector<Bound> arguments,
                            Position position) {
  const Function* function = FindFunction(name);
  if (function == nullptr) return UnknownFunction(name, position);
  const int count = static_cast<int>(arguments.size());
  std::vector<Type> types;
  for (const Bound& argument : arguments) types.push_back(argument->type);
  std::optional<Signature> signature;
  if (count >= function->arguments_min &&
      (function->arguments_max < 0 || count <= function->arguments_max)) {
    signature = function->sign(types);
  }
  if (!signature) {
    const bool number = name == "to_char" && !types.empty() && types[0].IsNumber();
    return At(ErrorCode::kInvalidQuery, name + " does not take (" + TypeList(types) + ")", position,
              number ? "it writes dates and times; a number is a text as it is: x::text" : "");
  }
  std::vector<Argument> described;
  for (size_t i = 0; i < arguments.size(); ++i) {
    TACIT_TRY(arguments[i], ConvertTo(arguments[i], signature->arguments[i]));
    described.push_back({arguments[i]->type, As<Literal>(arguments[i]), {}});
    const auto* made_by = As<BoundApply>(arguments[i]);
    if (made_by == nullptr) continue;
    const bool lies_between =
        made_by->function->name == "-" && IsInstant(made_by->arguments[1]->type);
    described.back().is_age = lies_between || made_by->function->name == "age";
    described.back().is_repeated = made_by->function->name == "*";
    described.back().is_whole = IsWhole(*made_by);
  }
  if (function->complain != nullptr) {
    if (const std::string complaint = function->complain(described); !complaint.empty()) {
      return At(ErrorCode::kUnsupported, name + ": " + complaint, position);
    }
  }
  Type result = signature->result;
  if (function->refine != nullptr) result = function->refine(described, result);
  return MakeBound(BoundApply{function, std::move(arguments)}, result, position);
}

Result<Bound> Binder::BindNode(const Case& node, Position position) {
  BoundCase bound;
  std::vector<Type> types;
  Bound operand;  // bound once and shared: binding it per branch would double the work per level
  if (node.operand) {
    TACIT_TRY(operand, Bind(node.operand));
  }
  for (const CaseBranch& branch : node.branches) {
    TACIT_TRY(Bound when, Bind(branch.when));
    if (operand) {
      TACIT_TRY(when, Apply("=", {operand, std::move(when)}, branch.when->position));
    }
    TACIT_TRY(when, ConvertTo(when, kBooleanType));
    TACIT_TRY(Bound then, Bind(branch.then));
    types.push_back(then->type);
    bound.branches.push_back({std::move(when), std::move(then)});
  }
  const Expression null = MakeExpression(Literal{}, position);
  TACIT_TRY(bound.otherwise, Bind(node.otherwise ? node.otherwise : null));
  types.push_back(bound.otherwise->type);
  const std::optional<Type> common = CommonType(types);
  if (!common) {
    return At(ErrorCode::kInvalidQuery, "CASE mixes the types " + TypeList(types), position);
  }
  for (BoundBranch& branch : bound.branches) {
    TACIT_TRY(branch.then, ConvertTo(branch.then, *common));
  }
  TACIT_TRY(bound.otherwise, ConvertTo(bound.otherwise, *common));
  return MakeBound(std::move(bound), *common, position);
}

Result<BoundAggregate> Binder::BindAggregateParts(const AggregateCall& node) {
  BoundAggregate bound{.name = node.name,
                       .star = node.star,
                       .distinct = node.distinct,
                       .within_group = node.within_group,
                       .arguments = {},
                       .order_by = {},
                       .filter = {},
                       .window = std::nullopt};
  TACIT_TRY(bound.arguments, BindAll(node.arguments));
  for (Bound& argument : bound.arguments) {
    if (argument->type.kind == TypeKind::kUnknown) {
      TACIT_TRY(argument, ConvertTo(argument, Simple(TypeKind::kText)));
    }
  }
  TACIT_TRY(bound.order_by, BindOrder(node.order_by));
  if (node.filter) {
    TACIT_TRY(const Bound filter, Bind(node.filter));
    TACIT_TRY(bound.filter, ConvertTo(filter, kBooleanType));
  }
  return bound;
}

Result<Bound> Binder::BindNode(const AggregateCall& node, Position position) {
  TACIT_TRY(BoundAggregate bound, BindAggregateParts(node));
  std::vector<Type> types;
  for (const Bound& argument : bound.arguments) types.push_back(argument->type);
  if (node.within_group) {
    const bool fraction = node.name == "percentile_cont" || node.name == "percentile_disc";
    if (bound.order_by.size() != 1 || bound.arguments.size() != (fraction ? 1u : 0u)) {
      return At(ErrorCode::kInvalidQuery, node.name + " takes one ORDER BY expression", position);
    }
    if (fraction) {
      const auto* literal = As<Literal>(bound.arguments[0]);
      const Range value = literal != nullptr ? LiteralRange(*literal) : Range{};
      if (!value.IsBounded() || *value.low < 0 || *value.high > 1) {
        return At(ErrorCode::kUnsupported,
                  node.name + ": the fraction must be a literal between 0 and 1", position);
      }
    }
    types.push_back(bound.order_by[0].expression->type);
  } else if (node.name == "percentile_cont" || node.name == "percentile_disc" ||
             node.name == "mode") {
    return At(ErrorCode::kInvalidQuery, node.name + " needs WITHIN GROUP (ORDER BY ...)", position);
  }
  TACIT_TRY(const Type type, AggregateType(node, types, position));
  return MakeBound(std::move(bound), type, position);
}

Result<BoundWindow> Binder::BindWindow(const Window& window, Position position) {
  BoundWindow bound;
  if (!window.base.empty()) {
    const NamedWindow* base = nullptr;
    if (context_.windows != nullptr) {
      for (const NamedWindow& named : *context_.windows) {
        if (named.name == window.base) base = &named;
      }
    }
    // A named window that is built on another one is looked up once, never in a circle.
    if (base == nullptr || !base->window.base.empty()) {
      return At(ErrorCode::kInvalidQuery, "there is no window \"" + window.base + "\"", position);
    }
    TACIT_TRY(bound, BindWindow(base->window, position));
  }
  TACIT_TRY(const std::vector<Bound> partition, BindAll(window.partition_by));
  bound.partition_by.insert(bound.partition_by.end(), partition.begin(), partition.end());
  TACIT_TRY(const std::vector<BoundOrder> order, BindOrder(window.order_by));
  if (!order.empty()) bound.order_by = order;
  if (window.frame) {
    for (const Expression& offset : {window.frame->start_offset, window.frame->end_offset}) {
      const auto* literal = As<Literal>(offset);
      if (offset && (literal == nullptr || literal->text.starts_with('-') ||
                     literal->kind != LiteralKind::kInteger)) {
        return At(ErrorCode::kUnsupported, "a frame offset must be a literal that is not negative",
                  offset->position);
      }
    }
    bound.frame = window.frame;
  }
  return bound;
}

Result<Bound> Binder::BindNode(const WindowCall& node, Position position) {
  TACIT_TRY(BoundAggregate bound, BindAggregateParts(node.function));
  std::vector<Type> types;
  for (const Bound& argument : bound.arguments) types.push_back(argument->type);
  // ntile(0), lag(x, huge): only literals, so that no row decides about an error.
  const bool counts = node.function.name == "ntile";
  for (size_t i = counts ? 0 : 1; i < bound.arguments.size(); ++i) {
    const auto* literal = As<Literal>(bound.arguments[i]);
    const bool offset = node.function.name == "lag" || node.function.name == "lead" ||
                        node.function.name == "nth_value" || counts;
    const bool good = literal != nullptr && literal->kind == LiteralKind::kInteger &&
                      literal->text.size() < 9 && literal->text != "0" &&
                      !literal->text.starts_with('-');
    if (offset && i == (counts ? 0u : 1u) && !good) {
      return At(ErrorCode::kUnsupported,
                node.function.name + ": the number must be a positive literal", position);
    }
  }
  TACIT_TRY(const Type type, AggregateType(node.function, types, position));
  TACIT_TRY(bound.window, BindWindow(node.window, position));
  return MakeBound(std::move(bound), type, position);
}

}  // namespace

namespace {

Result<Bound> BindInZone(const Expression& expression, const Scope& scope,
                         const BindContext& context) {
  const auto type_of = [&](const Expression& operand) -> std::optional<Type> {
    const Result<Bound> bound = Binder(scope, context).Bind(operand);
    return bound.ok() ? std::optional((*bound)->type) : std::nullopt;
  };
  const Expression in_zone = ReadInZone(expression, type_of, context.zone);
  TACIT_TRY(Bound bound, Binder(scope, context).Bind(in_zone));
  TACIT_CHECK(CheckZone(bound, context.zone));
  return bound;
}

}  // namespace

Result<Bound> Bind(const Expression& expression, const Scope& scope, const BindContext& context) {
  if (!context.zone.empty()) return BindInZone(expression, scope, context);
  return Binder(scope, context).Bind(expression);
}

Result<Bound> BindAs(const Expression& expression, const Type& type, const Scope& scope,
                     const BindContext& context) {
  TACIT_TRY(const Bound bound, Bind(expression, scope, context));
  return ConvertTo(bound, type);
}

Result<Type> TypeOf(const Expression& expression, const Scope& scope) {
  TACIT_TRY(const Bound bound, Bind(expression, scope));
  return bound->type.kind == TypeKind::kUnknown ? Simple(TypeKind::kText) : bound->type;
}

Result<Bound> ConvertTo(const Bound& bound, const Type& wanted) {
  const Type& from = bound->type;
  if (from == wanted) return bound;
  Type to = wanted;
  if (to.kind == TypeKind::kNumeric && to.precision == 0) to = PlainNumericOf(from);
  if (from == to) return bound;
  if (const auto* literal = As<Literal>(bound);
      literal != nullptr && from.kind == TypeKind::kUnknown) {
    return BindLiteralAs(*literal, to, bound->position);
  }
  if (const auto written = LiteralAs(bound, to)) return *written;
  if (!CanCast(from, to)) {
    return At(ErrorCode::kInvalidQuery,
              "this is " + ToString(from) + ", where " + ToString(to) + " is needed",
              bound->position);
  }
  return MakeBound(BoundCast{bound}, to, bound->position);
}

}  // namespace tacit::sql
