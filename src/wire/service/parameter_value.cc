#include "wire/service/parameter_value.h"

#include <algorithm>

#include "catalog/types.h"
#include "sql/parse/literal.h"
#include "wire/pg/types/codec.h"

namespace tacit::wire {
namespace {

using sql::LiteralKind;
using sql::TypeKind;

sql::Expression Literal(LiteralKind kind, std::string text) {
  return sql::MakeExpression(sql::Literal{.kind = kind, .text = std::move(text), .interval = {}});
}

sql::Expression CastTo(sql::Expression value, TypeKind kind) {
  return sql::MakeExpression(
      sql::Cast{std::move(value), sql::Type{.kind = kind, .precision = 0, .scale = 0}});
}

std::string InWords(size_t number) { return "parameter $" + std::to_string(number); }

// "12", "-0.5", "1e9": what the query's own grammar takes as a number.
bool IsNumber(const std::string& text) {
  size_t i = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const size_t start = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - start;
  };
  size_t count = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    count += digits();
  }
  if (count == 0 || count > 400) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

// Nothing for a text that is no value of the type. The binary codec knows every type's range; its
// text comes back without blanks or a plus.
std::optional<sql::Expression> IntegerValue(uint32_t type, const std::string& text) {
  const Result<std::string> binary = pg::BinaryOf(type, text);
  if (!binary.ok()) return std::nullopt;
  Result<std::string> digits = pg::TextOf(type, *binary);
  if (!digits.ok()) return std::nullopt;
  return Literal(LiteralKind::kInteger, std::move(digits).value());
}

std::optional<sql::Expression> NumberValue(uint32_t type, const std::string& text) {
  if (!IsNumber(text)) return std::nullopt;
  sql::Expression number = Literal(LiteralKind::kNumeric, text);
  if (type == oid::kNumeric) return number;
  return CastTo(std::move(number), type == oid::kFloat8 ? TypeKind::kDouble : TypeKind::kReal);
}

std::optional<sql::Expression> BooleanValue(const std::string& text) {
  const Result<std::string> binary = pg::BinaryOf(oid::kBool, text);
  if (!binary.ok()) return std::nullopt;
  return Literal(LiteralKind::kBoolean, (*binary)[0] != 0 ? "true" : "false");
}

// As a text that is cast, so that the one reader of dates decides what is one.
sql::Expression TypedText(const std::string& text, TypeKind kind) {
  return CastTo(Literal(LiteralKind::kString, text), kind);
}

std::optional<sql::Expression> TypedTextIf(bool is_one, const std::string& text, TypeKind kind) {
  return is_one ? std::optional(TypedText(text, kind)) : std::nullopt;
}

bool IsTaken(uint32_t type) {
  constexpr uint32_t kTaken[] = {
      0,          oid::kUnknown,   oid::kText,        oid::kVarchar,  oid::kBpchar,
      oid::kName, oid::kChar,      oid::kInt2,        oid::kInt4,     oid::kInt8,
      oid::kOid,  oid::kFloat4,    oid::kFloat8,      oid::kNumeric,  oid::kBool,
      oid::kDate, oid::kTimestamp, oid::kTimestampTz, oid::kInterval, oid::kUuid};
  // Of x = ANY ($1): as the text of an array, which is read where it is used.
  const bool array = catalog::IsArray(type) && !catalog::IsVector(type) && type != oid::kAnyArray;
  const uint32_t one = array ? catalog::ElementOf(type) : type;
  return std::find(std::begin(kTaken), std::end(kTaken), one) != std::end(kTaken);
}

// Of a type that is taken.
std::optional<sql::Expression> ValueOf(uint32_t type, const std::string& text) {
  switch (type) {
    case oid::kInt2:
    case oid::kInt4:
    case oid::kInt8:
    case oid::kOid:
      return IntegerValue(type, text);
    case oid::kFloat4:
    case oid::kFloat8:
    case oid::kNumeric:
      return NumberValue(type, text);
    case oid::kBool:
      return BooleanValue(text);
    case oid::kDate:
      return TypedTextIf(sql::CanonicalDate(text).has_value(), text, TypeKind::kDate);
    case oid::kTimestamp:
      return TypedTextIf(sql::CanonicalTimestamp(text).has_value(), text, TypeKind::kTimestamp);
    case oid::kInterval:
      return TypedTextIf(sql::ParseInterval(text).has_value(), text, TypeKind::kInterval);
    case oid::kTimestampTz:
      return TypedText(text, TypeKind::kTimestampTz);
    case oid::kUuid:
      return TypedText(text, TypeKind::kUuid);
    default:
      return Literal(LiteralKind::kString, text);
  }
}

}  // namespace

Error ParameterIsNotA(size_t number, uint32_t type) {
  Error error =
      InvalidArgument(InWords(number) + " is not a value of type " + catalog::FormatType(type, -1));
  error.rule = "invalid_text_representation";
  return error;
}

Error ParameterIsNotTaken(size_t number, uint32_t type) {
  const bool known = catalog::FindType(type) != nullptr;
  return Error{
      .code = ErrorCode::kUnsupported,
      .public_message = InWords(number) + " is of type " +
                        (known ? catalog::FormatType(type, -1) : "number " + std::to_string(type)) +
                        ", which is not taken here",
      .hint = "pass it as text",
      .position = std::nullopt,
      .private_detail = ""};
}

Error ParameterIsAList(size_t number, uint32_t type) {
  const std::string place = "$" + std::to_string(number);
  return InvalidArgument(InWords(number) + " is of type " + catalog::FormatType(type, -1) +
                             ", and one value stands there",
                         "where any of its values will do, write = ANY (" + place + ")");
}

Result<sql::Expression> ParameterValue(size_t number, uint32_t type,
                                       const std::optional<std::string>& text) {
  if (!text) return Literal(LiteralKind::kNull, "");
  if (!IsTaken(type)) return ParameterIsNotTaken(number, type);
  std::optional<sql::Expression> value = ValueOf(type, *text);
  if (!value) return ParameterIsNotA(number, type);
  return std::move(*value);
}

sql::Expression AnyValueOf(uint32_t type) {
  switch (type) {
    case oid::kInt2:
    case oid::kInt4:
    case oid::kInt8:
    case oid::kOid:
      return Literal(LiteralKind::kInteger, "1");
    case oid::kNumeric:
      return Literal(LiteralKind::kNumeric, "1.5");
    case oid::kFloat4:
    case oid::kFloat8:
      return CastTo(Literal(LiteralKind::kNumeric, "1.5"), TypeKind::kDouble);
    case oid::kBool:
      return Literal(LiteralKind::kBoolean, "true");
    case oid::kDate:
      return TypedText("2000-01-01", TypeKind::kDate);
    case oid::kTimestamp:
      return TypedText("2000-01-01", TypeKind::kTimestamp);
    case oid::kInterval:
      return TypedText("1 day", TypeKind::kInterval);
    case 0:
    case oid::kUnknown:
    case oid::kText:
    case oid::kVarchar:
    case oid::kBpchar:
      return Literal(LiteralKind::kString, "");
    default:
      return Literal(LiteralKind::kNull, "");
  }
}

uint32_t TypeNumber(const sql::Type& type) {
  const Oid number = catalog::TypeOf(type).type;
  return number == oid::kUnknown ? oid::kText : number;
}

}  // namespace tacit::wire
