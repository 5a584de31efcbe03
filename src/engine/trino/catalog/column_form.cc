#include "engine/trino/catalog/catalog.h"
#include "engine/trino/values.h"

namespace tacit::engine::trino {
namespace {

std::string As(const std::string& name, const char* type) {
  return "CAST(" + name + " AS " + type + ")";
}

// Behind the sixth digit there is nothing that a question could see.
bool HasSixDigits(const std::string& type) {
  const size_t open = type.find('(');
  return open != std::string::npos && type[open + 1] >= '0' && type[open + 1] <= '6' &&
         type[open + 2] == ')';
}

ColumnForm OpaqueForm(const std::string& type, const std::string& read) {
  return {.type = kOpaqueType, .without_rule = type, .read = read};
}

std::optional<ColumnForm> InstantForm(const std::string& type, const std::string& name) {
  if (!HasSixDigits(type)) return OpaqueForm(type, As(name, "varchar"));
  if (type.starts_with("time(")) {
    if (type.find(' ') != std::string::npos) return OpaqueForm(type, As(name, "varchar"));
    return ColumnForm{
        .type = {.kind = TypeKind::kTime}, .read = As(name, "time(6)"), .stored = Stored::kTime};
  }
  if (type.ends_with(" with time zone")) {
    return ColumnForm{
        .type = {.kind = TypeKind::kTimestampTz},
        .read = As("(" + name + " AT TIME ZONE 'UTC')", "timestamp(6) with time zone"),
        .stored = Stored::kTimestampTz};
  }
  return ColumnForm{
      .type = kTimestampType, .read = As(name, "timestamp(6)"), .stored = Stored::kTimestamp};
}

std::optional<Stored> StoredOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBoolean:
      return Stored::kBoolean;
    case TypeKind::kInteger:
      return Stored::kInteger;
    case TypeKind::kBigint:
      return Stored::kBigint;
    case TypeKind::kNumeric:
      return Stored::kNumeric;
    case TypeKind::kReal:
      return Stored::kReal;
    case TypeKind::kDouble:
      return Stored::kDouble;
    case TypeKind::kDate:
      return Stored::kDate;
    case TypeKind::kUuid:
      return Stored::kUuid;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<ColumnForm> FormOf(const std::string& type, const std::string& name) {
  if (type.starts_with("varchar"))
    return ColumnForm{.type = kTextType, .read = As(name, "varchar")};
  if (type.starts_with("time(") || type.starts_with("timestamp(")) return InstantForm(type, name);
  if (type == "tinyint" || type == "smallint") {
    return ColumnForm{
        .type = kSmallintType, .read = As(name, "smallint"), .stored = Stored::kSmallint};
  }
  if (const auto named = TypeOfName(type)) {
    if (const auto stored = StoredOf(named->kind)) {
      return ColumnForm{.type = *named, .read = name, .stored = *stored};
    }
  }
  // Compares without the blanks behind it, as no text here does.
  if (type.starts_with("char(")) return OpaqueForm(type, "rtrim(" + As(name, "varchar") + ")");
  if (type == "varbinary") return OpaqueForm(type, "to_hex(" + name + ")");
  if (type == "json") return OpaqueForm(type, "json_format(" + name + ")");
  if (type == "ipaddress") return OpaqueForm(type, As(name, "varchar"));
  for (const char* nested : {"array(", "map(", "row("}) {
    if (type.starts_with(nested)) return OpaqueForm(type, "json_format(" + As(name, "json") + ")");
  }
  return std::nullopt;
}

}  // namespace tacit::engine::trino
