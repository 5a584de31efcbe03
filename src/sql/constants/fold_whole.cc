#include <optional>

#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/constants/zone.h"

namespace tacit::sql::constants {
namespace {

constexpr Type kPlainNumeric{.kind = TypeKind::kNumeric, .precision = 0, .scale = 0};

bool IsPlain(const Type& type) { return type == kPlainNumeric || type == kDoubleType; }

// A whole number, as it is written or as a numeric or a double.
struct Whole {
  const Literal* literal = nullptr;
  Type type;
};

std::optional<Whole> WholeIn(const Expression& expression) {
  const auto* cast = As<Cast>(expression);
  const auto* literal = As<Literal>(cast != nullptr ? cast->operand : expression);
  if (literal == nullptr || literal->kind != LiteralKind::kInteger) return std::nullopt;
  if (cast == nullptr) return Whole{literal, kIntegerType};
  return IsPlain(cast->type) ? std::optional(Whole{literal, cast->type}) : std::nullopt;
}

Expression WholeOf(const Literal& whole, const Type& type, Position position) {
  return MakeExpression(Cast{MakeExpression(whole, position), type}, position);
}

// extract(year FROM DATE '2024-05-02') is 2024, as a numeric; date_part gives a double.
Expression FieldOfLiteral(const Expression& node, const Call& call) {
  const bool numeric = call.name == "extract";
  if ((!numeric && call.name != "date_part") || call.arguments.size() != 2) return node;
  const auto* field = As<Literal>(call.arguments[0]);
  const auto* time = As<Literal>(call.arguments[1]);
  if (field == nullptr || time == nullptr) return node;
  const std::optional<int64_t> shown = ShownOf(*time);
  const std::optional<int64_t> value = shown ? FieldOf(field->text, *shown) : std::nullopt;
  if (!value) return node;
  return WholeOf(Written(LiteralKind::kInteger, std::to_string(*value)),
                 numeric ? kPlainNumeric : kDoubleType, node->position);
}

}  // namespace

Expression FoldWhole(const Expression& node) {
  if (const auto* call = As<Call>(node)) return FieldOfLiteral(node, *call);
  if (const auto* cast = As<Cast>(node)) {
    const std::optional<Whole> whole = WholeIn(cast->operand);
    if (!whole || whole->type == kIntegerType) return node;
    if (IsPlain(cast->type)) return WholeOf(*whole->literal, cast->type, node->position);
    const std::optional<Literal> integer = FoldCast(*whole->literal, cast->type);
    return integer ? MakeExpression(*integer, node->position) : node;
  }
  const auto* operation = As<Operator>(node);
  if (operation == nullptr || operation->arguments.size() != 2) return node;
  const std::string& symbol = operation->symbol;
  if (symbol != "+" && symbol != "-" && symbol != "*") return node;
  const std::optional<Whole> left = WholeIn(operation->arguments[0]);
  const std::optional<Whole> right = WholeIn(operation->arguments[1]);
  if (!left || !right || (left->type == kIntegerType && right->type == kIntegerType)) return node;
  const std::optional<Literal> value = FoldOperator(symbol, *left->literal, *right->literal);
  if (!value) return node;
  const bool is_double = left->type == kDoubleType || right->type == kDoubleType;
  return WholeOf(*value, is_double ? kDoubleType : kPlainNumeric, node->position);
}

}  // namespace tacit::sql::constants
