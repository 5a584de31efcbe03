#include "sql/bind/parameters.h"

#include <algorithm>
#include <optional>

#include "sql/walk.h"

namespace tacit::sql {
namespace {

using Change = std::function<Expression(const Expression&)>;

// Rebuilds a query with every expression changed, in subqueries, WITH and FROM too.
class QueryChange {
 public:
  explicit QueryChange(const Change& change) : change_(change) {}

  Query Apply(const Query& query) {
    QueryNode node = *query;
    for (CommonTable& table : node.with) table.query = Apply(table.query);
    if (auto* select = std::get_if<Select>(&node.body)) ApplyTo(*select);
    if (auto* operation = std::get_if<SetOperation>(&node.body)) {
      operation->left = Apply(operation->left);
      operation->right = Apply(operation->right);
    }
    if (auto* values = std::get_if<Values>(&node.body)) {
      for (std::vector<Expression>& row : values->rows) ApplyTo(row);
    }
    ApplyTo(node.order_by);
    ApplyTo(node.limit);
    ApplyTo(node.offset);
    return Query(std::move(node));
  }

 private:
  void ApplyTo(Expression& expression) {
    if (!expression) return;
    expression = Transform(expression, [this](const Expression& node) {
      ExpressionNode copy = *node;
      if (auto* exists = std::get_if<Exists>(&copy.kind)) {
        exists->query = Apply(exists->query);
      } else if (auto* in = std::get_if<InQuery>(&copy.kind)) {
        in->query = Apply(in->query);
      } else if (auto* scalar = std::get_if<ScalarQuery>(&copy.kind)) {
        scalar->query = Apply(scalar->query);
      } else {
        return change_(node);
      }
      return change_(Expression(std::move(copy)));
    });
  }
  void ApplyTo(std::vector<Expression>& list) {
    for (Expression& expression : list) ApplyTo(expression);
  }
  void ApplyTo(std::vector<OrderItem>& order) {
    for (OrderItem& item : order) ApplyToItem(item.expression);
  }
  // GROUP BY $1 is a constant, not the number of a column as GROUP BY 1 is.
  void ApplyToItem(Expression& expression) {
    const bool parameter = As<Parameter>(expression) != nullptr;
    ApplyTo(expression);
    const auto* literal = As<Literal>(expression);
    if (!parameter || literal == nullptr) return;
    const TypeKind kind =
        literal->kind == LiteralKind::kInteger ? TypeKind::kBigint : TypeKind::kText;
    const Position position = expression->position;
    expression =
        MakeExpression(Cast{expression, Type{.kind = kind, .precision = 0, .scale = 0}}, position);
  }
  void ApplyTo(Select& select) {
    ApplyTo(select.distinct_on);
    for (SelectItem& item : select.items) ApplyTo(item.expression);
    for (Relation& relation : select.from) relation = Apply(relation);
    ApplyTo(select.where);
    for (Expression& item : select.group_by) ApplyToItem(item);
    ApplyTo(select.having);
    for (NamedWindow& named : select.windows) {
      ApplyTo(named.window.partition_by);
      ApplyTo(named.window.order_by);
    }
  }
  Relation Apply(const Relation& relation) {
    RelationNode node = *relation;
    if (auto* derived = std::get_if<DerivedTable>(&node.kind)) {
      derived->query = Apply(derived->query);
    } else if (auto* join = std::get_if<Join>(&node.kind)) {
      join->left = Apply(join->left);
      join->right = Apply(join->right);
      ApplyTo(join->on);
    } else {
      return relation;
    }
    return Relation(std::move(node));
  }

  const Change& change_;
};

// Looks at every expression of a query without changing it.
void ForEach(const Query& query, const std::function<void(const Expression&)>& look) {
  const Change keep = [&](const Expression& node) {
    look(node);
    return node;
  };
  (void)QueryChange(keep).Apply(query);
}

Type Plain(TypeKind kind) { return Type{.kind = kind, .precision = 0, .scale = 0}; }

class Inference {
 public:
  Inference(size_t count, const ColumnTypes& column_type)
      : types_(count), column_type_(column_type) {}

  // The first place that says something decides, as in PostgreSQL.
  void Settle(const Expression& expression, const Type& type) {
    const auto* parameter = As<Parameter>(expression);
    if (parameter == nullptr || type.kind == TypeKind::kUnknown) return;
    const int number = parameter->number;
    if (number < 1 || static_cast<size_t>(number) > types_.size()) return;
    Type& known = types_[static_cast<size_t>(number) - 1];
    if (known.kind == TypeKind::kUnknown) known = type;
  }

  // Of what needs no scope.
  Type TypeOf(const Expression& expression) const {
    if (const auto* column = As<ColumnReference>(expression)) return column_type_(*column);
    if (const auto* cast = As<Cast>(expression)) return cast->type;
    if (const auto* literal = As<Literal>(expression)) {
      if (literal->kind == LiteralKind::kInteger) return Plain(TypeKind::kInteger);
      if (literal->kind == LiteralKind::kNumeric) return Plain(TypeKind::kNumeric);
      if (literal->kind == LiteralKind::kDate) return Plain(TypeKind::kDate);
      if (literal->kind == LiteralKind::kTimestamp) return Plain(TypeKind::kTimestamp);
    }
    if (const auto* call = As<AggregateCall>(expression)) {
      if (call->name == "count") return Plain(TypeKind::kBigint);
      if (call->name == "avg") return Plain(TypeKind::kDouble);
      if (!call->arguments.empty()) return TypeOf(call->arguments[0]);
    }
    if (const auto* node = As<Operator>(expression)) {
      for (const Expression& argument : node->arguments) {
        if (const Type type = TypeOf(argument); type.kind != TypeKind::kUnknown) return type;
      }
    }
    if (const auto* call = As<Call>(expression)) {
      const bool of_argument = call->name == "least" || call->name == "greatest" ||
                               call->name == "coalesce" || call->name == "abs";
      for (const Expression& argument : call->arguments) {
        if (!of_argument) break;
        if (const Type type = TypeOf(argument); type.kind != TypeKind::kUnknown) return type;
      }
      if (call->name == "lower" || call->name == "upper") return Plain(TypeKind::kText);
    }
    return Plain(TypeKind::kUnknown);
  }

  void SettleTogether(const std::vector<Expression>& expressions) {
    Type type;
    for (const Expression& expression : expressions) {
      if (type.kind == TypeKind::kUnknown) type = TypeOf(expression);
    }
    for (const Expression& expression : expressions) Settle(expression, type);
  }

  void Look(const Expression& node) {
    if (const auto* cast = As<Cast>(node)) Settle(cast->operand, cast->type);
    if (const auto* call = As<Operator>(node)) SettleTogether(call->arguments);
    if (const auto* in = As<InList>(node)) {
      std::vector<Expression> all = in->list;
      all.insert(all.begin(), in->operand);
      SettleTogether(all);
    }
    if (const auto* between = As<Between>(node)) {
      SettleTogether({between->operand, between->low, between->high});
    }
    if (const auto* distinct = As<IsDistinct>(node)) {
      SettleTogether({distinct->left, distinct->right});
    }
    if (const auto* like = As<Like>(node)) {
      Settle(like->operand, Plain(TypeKind::kText));
      Settle(like->pattern, Plain(TypeKind::kText));
    }
    if (const auto* logical = As<Logical>(node)) {
      for (const Expression& argument : logical->arguments) {
        Settle(argument, Plain(TypeKind::kBoolean));
      }
    }
    if (const auto* call = As<Call>(node)) {
      if (call->name == "least" || call->name == "greatest" || call->name == "coalesce" ||
          call->name == "nullif") {
        SettleTogether(call->arguments);
      }
    }
  }

  std::vector<Type> Take() { return std::move(types_); }

 private:
  std::vector<Type> types_;
  const ColumnTypes& column_type_;
};

}  // namespace

int ParameterCount(const Query& query) {
  int count = 0;
  ForEach(query, [&](const Expression& node) {
    if (const auto* parameter = As<Parameter>(node)) count = std::max(count, parameter->number);
  });
  return count;
}

Result<Query> BindParameters(const Query& query, const std::vector<Expression>& values) {
  std::optional<Error> missing;
  const Change replace = [&](const Expression& node) {
    const auto* parameter = As<Parameter>(node);
    if (parameter == nullptr) return node;
    const int number = parameter->number;
    if (number < 1 || static_cast<size_t>(number) > values.size()) {
      missing = Error{.code = ErrorCode::kInvalidQuery,
                      .public_message = "there is no parameter $" + std::to_string(number),
                      .hint = "",
                      .position = node->position.offset,
                      .private_detail = "",
                      .rule = "undefined_parameter"};
      return node;
    }
    ExpressionNode value = *values[static_cast<size_t>(number) - 1];
    value.position = node->position;
    return Expression(std::move(value));
  };
  Query bound = QueryChange(replace).Apply(query);
  if (missing) return *missing;
  return bound;
}

std::vector<Type> InferParameterTypes(const Query& query, const ColumnTypes& column_type) {
  Inference inference(static_cast<size_t>(ParameterCount(query)), column_type);
  ForEach(query, [&](const Expression& node) { inference.Look(node); });
  inference.Settle(query->limit, Plain(TypeKind::kBigint));
  inference.Settle(query->offset, Plain(TypeKind::kBigint));
  return inference.Take();
}

}  // namespace tacit::sql
