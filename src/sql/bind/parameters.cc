#include "sql/bind/parameters.h"

#include <algorithm>
#include <optional>

#include "sql/change.h"
#include "sql/functions/own_functions.h"

namespace tacit::sql {
namespace {

using Change = std::function<Expression(const Expression&)>;

// Looks at every expression of a query without changing it.
void ForEach(const Query& query, const std::function<void(const Expression&)>& look) {
  const Change keep = [&](const Expression& node) {
    look(node);
    return node;
  };
  (void)ChangeExpressions(query, keep);
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
    ParameterType& known = types_[static_cast<size_t>(number) - 1];
    if (known.type.kind == TypeKind::kUnknown && !known.array) known.type = type;
  }

  // x = ANY ($1): of its type, or of texts.
  void SettleArray(const Expression& list, const Expression& operand) {
    const auto* elements = As<Call>(list);
    if (elements == nullptr || elements->name != kElementsFunction) return;
    const Type type = TypeOf(operand);
    Settle(elements->arguments[0], type.kind == TypeKind::kUnknown ? Plain(TypeKind::kText) : type);
    const auto* parameter = As<Parameter>(elements->arguments[0]);
    if (parameter == nullptr || parameter->number < 1) return;
    const auto place = static_cast<size_t>(parameter->number) - 1;
    if (place < types_.size()) types_[place].array = true;
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
      if (literal->kind == LiteralKind::kTimestampTz) return Plain(TypeKind::kTimestampTz);
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
    if (const auto* call = As<Operator>(node)) {
      SettleTogether(call->arguments);
      LookAtTimes(*call);
    }
    if (const auto* in = As<InList>(node)) {
      std::vector<Expression> all = in->list;
      all.insert(all.begin(), in->operand);
      SettleTogether(all);
      if (in->list.size() == 1) SettleArray(in->list[0], in->operand);
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
    const auto* aggregate = As<AggregateCall>(node);
    if (aggregate != nullptr && aggregate->within_group && !aggregate->arguments.empty()) {
      Settle(aggregate->arguments[0], Plain(TypeKind::kDouble));
    }
    if (const auto* call = As<Call>(node)) {
      LookAtCall(*call);
      if (call->name == "least" || call->name == "greatest" || call->name == "coalesce" ||
          call->name == "nullif") {
        SettleTogether(call->arguments);
      }
    }
  }

  // round(x, $1), date_trunc($1, x): what stands there is of one type.
  void LookAtCall(const Call& call) {
    const std::string& name = call.name;
    const std::vector<Expression>& given = call.arguments;
    const bool counts = name == "round" || name == "trunc" || name == "left" || name == "right";
    if (counts && given.size() == 2) Settle(given[1], Plain(TypeKind::kInteger));
    const bool named_first = name == "date_trunc" || name == "date_part" || name == "extract";
    if (named_first && !given.empty()) Settle(given[0], Plain(TypeKind::kText));
    if (name == "to_char" && given.size() == 2) Settle(given[1], Plain(TypeKind::kText));
    if (name == "timezone" && given.size() == 2) Settle(given[0], Plain(TypeKind::kText));
    if (name == "date_bin" && given.size() == 3) {
      Settle(given[0], Plain(TypeKind::kInterval));
      Settle(given[2], Plain(TypeKind::kTimestamp));
    }
    if (name == "width_bucket" && given.size() == 4) {
      Settle(given[1], Plain(TypeKind::kDouble));
      Settle(given[2], Plain(TypeKind::kDouble));
      Settle(given[3], Plain(TypeKind::kInteger));
    }
    if (name == "split_part" && given.size() == 3) Settle(given[2], Plain(TypeKind::kInteger));
    const bool part = (name == "substring" || name == "substr") && given.size() == 3;
    for (size_t i = 1; part && i < 3; ++i) Settle(given[i], Plain(TypeKind::kInteger));
  }

  // INTERVAL '1 day' * $1 is one taken so often.
  void LookAtTimes(const Operator& times) {
    if (times.symbol != "*" || times.arguments.size() != 2) return;
    for (const size_t place : {size_t{0}, size_t{1}}) {
      const auto* literal = As<Literal>(times.arguments[place]);
      if (literal == nullptr || literal->kind != LiteralKind::kInterval) continue;
      Settle(times.arguments[1 - place], Plain(TypeKind::kBigint));
    }
  }

  std::vector<ParameterType> Take() { return std::move(types_); }

 private:
  std::vector<ParameterType> types_;
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
  Query bound = ChangeExpressions(query, replace);
  if (missing) return *missing;
  return bound;
}

std::vector<ParameterType> InferParameterTypes(const Query& query, const ColumnTypes& column_type) {
  Inference inference(static_cast<size_t>(ParameterCount(query)), column_type);
  ForEach(query, [&](const Expression& node) { inference.Look(node); });
  inference.Settle(query->limit, Plain(TypeKind::kBigint));
  inference.Settle(query->offset, Plain(TypeKind::kBigint));
  return inference.Take();
}

}  // namespace tacit::sql
