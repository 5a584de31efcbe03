#include <algorithm>
#include <optional>

#include "sql/constants/fold_parts.h"

// What tools leave of a filter that nobody has set: 1 = 1 AND x, ('All' = 'All' OR x),
// ($1 IS NULL OR x), CASE 'month' WHEN 'day' THEN ... END.
namespace tacit::sql::constants {
namespace {

std::optional<bool> TruthOf(const Expression& expression) {
  const auto* literal = As<Literal>(expression);
  if (literal == nullptr || literal->kind != LiteralKind::kBoolean) return std::nullopt;
  return literal->text == "true";
}

Expression TruthLiteral(bool truth, Position position) {
  return MakeExpression(Written(LiteralKind::kBoolean, truth ? "true" : "false"), position);
}

Expression FoldLogical(const Expression& node, const Logical& logical) {
  if (logical.connective == Connective::kNot) {
    const std::optional<bool> truth = TruthOf(logical.arguments.front());
    return truth ? TruthLiteral(!*truth, node->position) : node;
  }
  const bool deciding = logical.connective == Connective::kOr;  // TRUE decides an OR
  std::vector<Expression> kept;
  for (const Expression& argument : logical.arguments) {
    const std::optional<bool> truth = TruthOf(argument);
    if (truth == deciding) return TruthLiteral(deciding, node->position);
    if (!truth) kept.push_back(argument);
  }
  if (kept.size() == logical.arguments.size()) return node;
  if (kept.empty()) return logical.arguments.front();
  if (kept.size() == 1) return kept.front();
  return MakeExpression(Logical{logical.connective, std::move(kept)}, node->position);
}

Expression FoldIsNull(const Expression& node, const IsNull& test) {
  const auto* cast = As<Cast>(test.operand);
  const auto* literal = As<Literal>(cast != nullptr ? cast->operand : test.operand);
  if (literal == nullptr) return node;
  const bool null = literal->kind == LiteralKind::kNull;
  // A cast of a text may fail, and is then NULL.
  if (!null && cast != nullptr) return node;
  return TruthLiteral(null != test.negated, node->position);
}

const Literal* TextIn(const Expression& expression) {
  const auto* literal = As<Literal>(expression);
  return literal != nullptr && literal->kind == LiteralKind::kString ? literal : nullptr;
}

// 'All' IN ('a', 'b')
Expression FoldTextIn(const Expression& node, const InList& in) {
  const Literal* operand = TextIn(in.operand);
  if (operand == nullptr) return node;
  bool found = false;
  for (const Expression& element : in.list) {
    const Literal* text = TextIn(element);
    if (text == nullptr) return node;
    found = found || text->text == operand->text;
  }
  return TruthLiteral(found != in.negated, node->position);
}

bool IsNullLiteral(const Expression& expression) {
  const auto* literal = As<Literal>(expression);
  return literal != nullptr && literal->kind == LiteralKind::kNull;
}

// Whether two results are of one type, whatever that is: then one of them can stand for both.
bool AreOfOneType(const Expression& a, const Expression& b) {
  if (a == b) return true;
  if (const auto* literal = As<Literal>(a)) {
    const auto* other = As<Literal>(b);
    if (other == nullptr || other->kind != literal->kind) return false;
    // How many digits a number has is part of its type.
    constexpr size_t kShort = 9;
    return literal->kind != LiteralKind::kNumeric &&
           (literal->kind != LiteralKind::kInteger ||
            (literal->text.size() <= kShort && other->text.size() <= kShort));
  }
  if (const auto* cast = As<Cast>(a)) {
    const auto* other = As<Cast>(b);
    return other != nullptr && other->type == cast->type && cast->type.kind != TypeKind::kNumeric;
  }
  const auto* call = As<Call>(a);
  const auto* other = As<Call>(b);
  if (call == nullptr || other == nullptr || call->name != other->name) return false;
  const bool by_word = call->name == "date_trunc" || call->name == "to_char";
  const auto same = [](const Expression& left, const Expression& right) {
    return left == right || (TextIn(left) != nullptr && TextIn(right) != nullptr);
  };
  return by_word && std::equal(call->arguments.begin(), call->arguments.end(),
                               other->arguments.begin(), other->arguments.end(), same);
}

// The branches that literals leave. What is left out must not have decided about the type.
Expression FoldCase(const Expression& node, const Case& choice) {
  const Literal* operand = TextIn(choice.operand);
  if (choice.operand && operand == nullptr) return node;
  std::optional<Expression> chosen;
  for (const CaseBranch& branch : choice.branches) {
    const Literal* wanted = TextIn(branch.when);
    const std::optional<bool> truth = operand == nullptr ? TruthOf(branch.when)
                                      : wanted != nullptr
                                          ? std::optional(wanted->text == operand->text)
                                          : std::nullopt;
    if (!truth) return node;
    if (*truth && !chosen) chosen = branch.then;
    if (!AreOfOneType(branch.then, choice.branches.front().then)) return node;
  }
  const bool other = choice.otherwise && !IsNullLiteral(choice.otherwise);
  if (other && !AreOfOneType(choice.otherwise, choice.branches.front().then)) return node;
  if (!chosen && !other) return node;
  return chosen ? *chosen : choice.otherwise;
}

}  // namespace

Expression FoldDecided(const Expression& node) {
  if (const auto* logical = As<Logical>(node)) return FoldLogical(node, *logical);
  if (const auto* test = As<IsNull>(node)) return FoldIsNull(node, *test);
  if (const auto* in = As<InList>(node)) return FoldTextIn(node, *in);
  if (const auto* choice = As<Case>(node)) return FoldCase(node, *choice);
  return node;
}

}  // namespace tacit::sql::constants
