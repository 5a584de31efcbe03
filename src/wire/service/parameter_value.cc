#include "wire/service/parameter_value.h"

#include <algorithm>

#include "wire/pg/types/codec.h"

namespace tacit::wire {
namespace {

using namespace pg;  // the type numbers
using sql::LiteralKind;
using sql::TypeKind;

sql::Expression Literal(LiteralKind kind, std::string text) {
  return sql::MakeExpression(sql::Literal{.kind = kind, .text = std::move(text), .interval = {}});
}

sql::Expression CastTo(sql::Expression value, TypeKind kind) {
  return sql::MakeExpression(
      sql::Cast{std::move(value), sql::Type{.kind = kind, .precision = 0, .scale = 0}});
}

Error NotA(const char* what) {
  Error error = InvalidArgument(std::string("a parameter is not a value of type ") + what);
  error.rule = "invalid_text_representation";
  return error;
}

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

Result<sql::Expression> IntegerValue(uint32_t type, const std::string& text) {
  // The binary codec knows every type's range; its text comes back without blanks or a plus.
  const Result<std::string> binary = BinaryOf(type, text);
  if (!binary.ok()) return NotA("integer");
  TACIT_TRY(std::string digits, TextOf(type, *binary));
  return Literal(LiteralKind::kInteger, std::move(digits));
}

Result<sql::Expression> NumberValue(uint32_t type, const std::string& text) {
  if (!IsNumber(text)) return NotA(type == kNumeric ? "numeric" : "double precision");
  sql::Expression number = Literal(LiteralKind::kNumeric, text);
  if (type == kNumeric) return number;
  return CastTo(std::move(number), type == kFloat8 ? TypeKind::kDouble : TypeKind::kReal);
}

// As a text that is cast, so that the one reader of dates decides what is one.
sql::Expression TypedText(const std::string& text, TypeKind kind) {
  return CastTo(Literal(LiteralKind::kString, text), kind);
}

}  // namespace

Result<sql::Expression> ParameterValue(uint32_t type, const std::optional<std::string>& text) {
  if (!text) return Literal(LiteralKind::kNull, "");
  switch (type) {
    case kInt2:
    case kInt4:
    case kInt8:
    case kOid:
      return IntegerValue(type, *text);
    case kFloat4:
    case kFloat8:
    case kNumeric:
      return NumberValue(type, *text);
    case kBool: {
      const Result<std::string> binary = BinaryOf(kBool, *text);
      if (!binary.ok()) return NotA("boolean");
      return Literal(LiteralKind::kBoolean, (*binary)[0] != 0 ? "true" : "false");
    }
    case kDate:
      return TypedText(*text, TypeKind::kDate);
    case kTimestamp:
      return TypedText(*text, TypeKind::kTimestamp);
    case kTimestampTz:
      return TypedText(*text, TypeKind::kTimestampTz);
    case kInterval:
      return TypedText(*text, TypeKind::kInterval);
    case kUuid:
      return TypedText(*text, TypeKind::kUuid);
    case 0:
    case kUnknown:
    case kText:
    case kVarchar:
    case kBpchar:
    case kName:
    case kChar:
      return Literal(LiteralKind::kString, *text);
    default:
      return Error{.code = ErrorCode::kUnsupported,
                   .public_message = "parameters of the type with the number " +
                                     std::to_string(type) + " are not taken",
                   .hint = "pass it as text",
                   .position = std::nullopt,
                   .private_detail = ""};
  }
}

sql::Expression AnyValueOf(uint32_t type) {
  switch (type) {
    case kInt2:
    case kInt4:
    case kInt8:
    case kOid:
      return Literal(LiteralKind::kInteger, "1");
    case kNumeric:
      return Literal(LiteralKind::kNumeric, "1.5");
    case kFloat4:
    case kFloat8:
      return CastTo(Literal(LiteralKind::kNumeric, "1.5"), TypeKind::kDouble);
    case kBool:
      return Literal(LiteralKind::kBoolean, "true");
    case kDate:
      return TypedText("2000-01-01", TypeKind::kDate);
    case kTimestamp:
      return TypedText("2000-01-01", TypeKind::kTimestamp);
    case kInterval:
      return TypedText("1 day", TypeKind::kInterval);
    case 0:
    case kUnknown:
    case kText:
    case kVarchar:
    case kBpchar:
      return Literal(LiteralKind::kString, "");
    default:
      return Literal(LiteralKind::kNull, "");
  }
}

uint32_t TypeNumber(const sql::Type& type) {
  if (type.kind == TypeKind::kNumeric) return kNumeric;
  return TypeNamed(sql::ToString(type)).type;
}

}  // namespace tacit::wire
