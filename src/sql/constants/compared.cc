#include "sql/constants/compared.h"

#include <charconv>

#include "base/numbers/rational.h"
#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/constants/zone.h"
#include "sql/walk.h"

namespace tacit::sql {
namespace {

std::optional<std::string> WholeNumber(std::string text) {
  if (const size_t point = text.find('.'); point != std::string::npos) {
    if (text.find_first_not_of('0', point + 1) != std::string::npos) return std::nullopt;
    text.erase(point);
  }
  int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return std::to_string(value);
}

// Below 2^53: what compares with it as doubles compares with it as whole numbers.
bool IsShort(const std::string& number) { return number.size() <= 15; }

// 2e0 is 2 and 25e-1 is 2.5; nothing where that would be long.
std::optional<std::string> WithoutExponent(const std::string& text) {
  if (text.find_first_of("eE") == std::string::npos) return text;
  const Result<Rational> value = ParseRational(text);
  if (!value.ok()) return std::nullopt;
  const std::string plain = tacit::ToString(*value);
  return IsShort(plain) ? std::optional(plain) : std::nullopt;
}

// 1.50 is 1.5.
std::optional<std::string> ShortNumber(const std::string& text) {
  const size_t point = text.find('.');
  if (text.find_first_not_of("-0123456789.") != std::string::npos || point == 0 ||
      point == std::string::npos || text.back() == '.') {
    return std::nullopt;
  }
  const size_t last = text.find_last_not_of('0');
  return text.substr(0, last == point ? point : last + 1);
}

// '-12.50', as text.
bool IsPlainNumber(const std::string& text) {
  const bool characters =
      text.find_first_not_of("0123456789.", text.starts_with('-') ? 1 : 0) == std::string::npos;
  return characters && IsShort(text) && ParseRational(text).ok();
}

std::optional<Literal> Number(LiteralKind kind, const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return Literal{.kind = kind, .text = *text, .interval = {}};
}

// The literal beside an operand of this type; nothing where it stays as it is written.
std::optional<Literal> BesideType(const Literal& literal, const Type& type) {
  const bool text = literal.kind == LiteralKind::kString;
  const bool number =
      literal.kind == LiteralKind::kInteger || literal.kind == LiteralKind::kNumeric;
  const std::string written =
      number ? WithoutExponent(literal.text).value_or(literal.text) : literal.text;
  if (type.IsInteger() && (text || number)) {
    return Number(LiteralKind::kInteger, WholeNumber(written));
  }
  // A text there is read as a number: num > '50.5'.
  if ((type.kind == TypeKind::kNumeric || type.kind == TypeKind::kDouble) &&
      (number || (text && IsPlainNumber(literal.text)))) {
    if (auto whole = WholeNumber(written)) return Number(LiteralKind::kInteger, whole);
    return Number(LiteralKind::kNumeric, ShortNumber(written));
  }
  const std::optional<int64_t> instant = ShownOf(literal);
  // A day begins at midnight: with another clock, a date is compared as a timestamp.
  if (type.kind == TypeKind::kDate && instant && *instant % kDayMicroseconds != 0) {
    if (literal.zone == nullptr || literal.kind != LiteralKind::kTimestampTz) return std::nullopt;
    return InstantLiteral(LiteralKind::kTimestamp, *instant);
  }
  const bool dates = type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp ||
                     type.kind == TypeKind::kTimestampTz;
  if ((dates && (text || instant)) || (type.kind == TypeKind::kBoolean && text)) {
    return constants::FoldCast(literal, type);
  }
  return std::nullopt;
}

// A cast to numeric, or to numeric(10,2), that leaves 50.5 what it is.
bool FitsNumeric(const std::string& text, const Type& type) {
  if (type.precision == 0) return true;
  const size_t point = std::min(text.find('.'), text.size());
  const size_t decimals = point == text.size() ? 0 : text.size() - point - 1;
  const size_t whole = point - (text.starts_with('-') ? 1 : 0);
  return text.find_first_of("eE") == std::string::npos &&
         decimals <= static_cast<size_t>(type.scale) &&
         whole + static_cast<size_t>(type.scale) <= static_cast<size_t>(type.precision);
}

// Why six digits: a real holds them all.
bool IsShortWhole(const Literal& literal) {
  return literal.kind == LiteralKind::kInteger && literal.text.size() <= 6;
}

// 7::bigint beside a whole number, 0.5::float8 beside a double: casts that change nothing there.
const Literal* LiteralIn(const Expression& value, const Type& type) {
  const auto* cast = As<Cast>(value);
  if (cast == nullptr) return As<Literal>(value);
  const auto* literal = As<Literal>(cast->operand);
  if (literal == nullptr) return nullptr;
  const bool whole = literal->kind == LiteralKind::kInteger && cast->type.IsInteger();
  const bool same =
      cast->type == type && type.kind == TypeKind::kDouble &&
      (literal->kind == LiteralKind::kInteger || literal->kind == LiteralKind::kNumeric);
  const bool number =
      literal->kind == LiteralKind::kInteger || literal->kind == LiteralKind::kNumeric;
  const bool plain_numeric =
      cast->type.kind == TypeKind::kNumeric && FitsNumeric(literal->text, cast->type);
  const std::optional<std::string> plain = WithoutExponent(literal->text);
  const bool double_beside_whole =
      (cast->type.kind == TypeKind::kDouble && type.IsInteger() && plain && IsShort(*plain)) ||
      (cast->type.kind == TypeKind::kReal && type.IsInteger() && IsShortWhole(*literal));
  if (number && type.IsNumber() && (plain_numeric || double_beside_whole)) return literal;
  const bool fits = whole && (cast->type.kind == TypeKind::kBigint || literal->text.size() < 5);
  return (fits && (type.IsInteger() || type.kind == TypeKind::kDouble)) || same ? literal : nullptr;
}

bool IsConstant(const Expression& expression) {
  if (const auto* cast = As<Cast>(expression)) return As<Literal>(cast->operand) != nullptr;
  return As<Literal>(expression) != nullptr;
}

class Comparisons {
 public:
  explicit Comparisons(const OperandType& type_of) : type_of_(type_of) {}

  Expression Change(const Expression& node) const {
    if (const auto* cast = As<Cast>(node)) return WithoutIdle(node, *cast);
    if (const auto* operation = As<Operator>(node)) {
      const std::string& symbol = operation->symbol;
      const bool compares =
          operation->arguments.size() == 2 && (symbol == "=" || symbol == "<>" || symbol == "<" ||
                                               symbol == "<=" || symbol == ">" || symbol == ">=");
      if (!compares) return node;
      Operator changed = *operation;
      const bool settled = Settle(changed.arguments);
      if (const auto truth = WithoutTruth(changed)) return *truth;
      return settled ? MakeExpression(std::move(changed), node->position) : node;
    }
    if (const auto* between = As<Between>(node)) {
      std::vector<Expression> parts = {between->operand, between->low, between->high};
      if (!Settle(parts)) return node;
      return MakeExpression(Between{parts[0], parts[1], parts[2], between->negated},
                            node->position);
    }
    if (const auto* in = As<InList>(node)) {
      std::vector<Expression> parts = in->list;
      parts.insert(parts.begin(), in->operand);
      if (!Settle(parts)) return node;
      return MakeExpression(InList{parts[0], {parts.begin() + 1, parts.end()}, in->negated},
                            node->position);
    }
    if (const auto* distinct = As<IsDistinct>(node)) {
      std::vector<Expression> parts = {distinct->left, distinct->right};
      if (!Settle(parts)) return node;
      return MakeExpression(IsDistinct{parts[0], parts[1], distinct->negated}, node->position);
    }
    return node;
  }

 private:
  // A column cast to the type that it has: town::text.
  Expression WithoutIdle(const Expression& node, const Cast& cast) const {
    if (As<ColumnReference>(cast.operand) == nullptr) return node;
    return type_of_(cast.operand) == cast.type ? cast.operand : node;
  }

  // flag = true is flag, and flag <> true is NOT flag: of NULL all of them are NULL.
  std::optional<Expression> WithoutTruth(const Operator& comparison) const {
    if (comparison.symbol != "=" && comparison.symbol != "<>") return std::nullopt;
    for (const size_t place : {size_t{0}, size_t{1}}) {
      const Expression& other = comparison.arguments[1 - place];
      const auto* literal = As<Literal>(comparison.arguments[place]);
      if (literal == nullptr || literal->kind != LiteralKind::kBoolean || IsConstant(other))
        continue;
      const std::optional<Type> type = type_of_(other);
      if (!type || type->kind != TypeKind::kBoolean) continue;
      if ((literal->text == "true") == (comparison.symbol == "=")) return other;
      return MakeExpression(Logical{Connective::kNot, {other}}, other->position);
    }
    return std::nullopt;
  }

  // Where one part is computed and the others are constants. All of them change or none: types of
  // constants that stay decide how all are compared.
  bool Settle(std::vector<Expression>& parts) const {
    const Expression* computed = nullptr;
    for (const Expression& part : parts) {
      if (IsConstant(part)) continue;
      if (computed != nullptr) return false;
      computed = &part;
    }
    if (computed == nullptr) return false;
    const std::optional<Type> type = type_of_(*computed);
    if (!type) return false;
    std::vector<Expression> settled = parts;
    bool changed = false;
    for (Expression& part : settled) {
      if (!IsConstant(part)) continue;
      const Literal* literal = LiteralIn(part, *type);
      if (literal == nullptr) return false;
      if (literal->kind == LiteralKind::kNull) continue;
      std::optional<Literal> beside = BesideType(*literal, *type);
      const bool plain = As<Literal>(part) != nullptr;
      if (!beside && !(plain && type->kind == TypeKind::kText)) {
        if (!plain || !type->IsNumber()) return false;
        continue;
      }
      if (!beside || (plain && *beside == *literal)) continue;
      part = MakeExpression(std::move(*beside), part->position);
      changed = true;
    }
    if (changed) parts = std::move(settled);
    return changed;
  }

  const OperandType& type_of_;
};

}  // namespace

Expression WithComparedConstants(const Expression& expression, const OperandType& type_of) {
  const Comparisons comparisons(type_of);
  return Transform(expression, [&](const Expression& node) { return comparisons.Change(node); });
}

}  // namespace tacit::sql
