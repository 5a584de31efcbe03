#include "engine/postgres/catalog/column_type.h"

namespace tacit::engine::postgres {
namespace {

// Numbers in pg_type, which PostgreSQL never changes.
enum : int64_t {
  kOidBool = 16,
  kOidName = 19,
  kOidInt8 = 20,
  kOidInt2 = 21,
  kOidInt4 = 23,
  kOidText = 25,
  kOidFloat4 = 700,
  kOidFloat8 = 701,
  kOidBpchar = 1042,
  kOidVarchar = 1043,
  kOidDate = 1082,
  kOidTime = 1083,
  kOidTimestamp = 1114,
  kOidTimestampTz = 1184,
  kOidInterval = 1186,
  kOidNumeric = 1700,
  kOidUuid = 2950
};

std::string TextIn(const std::string& name) { return "CAST(" + name + " AS text) COLLATE \"C\""; }

// NaN is larger than all numbers, and stands here as the largest of its type: DuckDB's decimals
// know none, and NULL would be missing where the database keeps a column NOT NULL.
std::optional<ColumnForm> NumericForm(const AttributeType& type, const std::string& name) {
  const int64_t packed = type.modifier - 4;
  const int precision = static_cast<int>((packed >> 16) & 0xffff);
  const int scale = static_cast<int>(packed & 0x7ff);
  const bool has_rules =
      type.modifier >= 4 && precision <= kNumericPrecisionMax && scale <= precision;
  if (!has_rules) {
    return ColumnForm{.type = kOpaqueType, .without_rule = type.words, .read = TextIn(name)};
  }
  const std::string digits = std::string(static_cast<size_t>(precision - scale), '9') + "." +
                             std::string(static_cast<size_t>(scale), '9');
  const std::string most = scale == precision ? "0" + digits : digits;
  const std::string spelled = scale == 0 ? most.substr(0, most.size() - 1) : most;
  const std::string number = "CAST(" + name + " AS numeric(" + std::to_string(precision) + "," +
                             std::to_string(scale) + "))";
  return ColumnForm{
      .type = NumericType(precision, scale),
      .read = "CASE WHEN " + name + " = 'NaN' THEN " + spelled + " ELSE " + number + " END",
      .stored = Stored::kNumeric};
}

}  // namespace

std::optional<ColumnForm> FormOf(const AttributeType& type, const std::string& name) {
  const std::string plain = type.is_domain ? "CAST(" + name + " AS " + type.words + ")" : name;
  const auto form = [&](const ValueType& seen, Stored stored) {
    return ColumnForm{.type = seen, .read = plain, .stored = stored};
  };
  if (type.is_enum) return ColumnForm{.type = kTextType, .read = TextIn(name)};
  if (!type.is_built_in) return std::nullopt;
  switch (type.number) {
    case kOidBool:
      return form(kBooleanType, Stored::kBoolean);
    case kOidInt2:
      return form(kSmallintType, Stored::kSmallint);
    case kOidInt4:
      return form(kIntegerType, Stored::kInteger);
    case kOidInt8:
      return form(kBigintType, Stored::kBigint);
    case kOidFloat4:
      return form(kRealType, Stored::kReal);
    case kOidFloat8:
      return form(kDoubleType, Stored::kDouble);
    case kOidNumeric:
      return NumericForm(type, name);
    case kOidText:
    case kOidVarchar:
    case kOidName:
      return ColumnForm{.type = kTextType, .read = TextIn(name)};
    case kOidDate:
      return form(kDateType, Stored::kDate);
    case kOidTime:
      return form({.kind = TypeKind::kTime}, Stored::kTime);
    case kOidTimestamp:
      return form(kTimestampType, Stored::kTimestamp);
    case kOidTimestampTz:
      return form({.kind = TypeKind::kTimestampTz}, Stored::kTimestampTz);
    case kOidInterval:
      return form(kIntervalType, Stored::kInterval);
    case kOidUuid:
      return form({.kind = TypeKind::kUuid}, Stored::kUuid);
    case kOidBpchar:  // compares without the blanks behind it, as no text here does
      return ColumnForm{.type = kOpaqueType, .without_rule = type.words, .read = TextIn(name)};
    default:
      return ColumnForm{.type = kOpaqueType, .read = TextIn(name)};
  }
}

bool IsReadApart(const ColumnForm& form) {
  switch (form.stored) {
    case Stored::kBoolean:
    case Stored::kSmallint:
    case Stored::kInteger:
    case Stored::kBigint:
    case Stored::kDate:
    case Stored::kUuid:
      return true;
    case Stored::kText:
      return form.type.kind == TypeKind::kText;
    default:
      return false;
  }
}

}  // namespace tacit::engine::postgres
