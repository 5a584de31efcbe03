#include "catalog/types.h"

#include <map>
#include <unordered_map>

#include "catalog/identifier.h"
#include "policy/schema.h"

namespace tacit::catalog {
namespace {

Oid OidIn(const Cell& cell) { return static_cast<Oid>(std::stoul(cell.value_or("0"))); }

std::unordered_map<Oid, TypeFacts> ReadTypes() {
  std::unordered_map<Oid, TypeFacts> types;
  for (const Row& row : SystemRows("pg_type")) {
    TypeFacts type{.oid = OidIn(row[0]),
                   .schema = *row[2] == "11" ? "pg_catalog" : "information_schema",
                   .name = *row[1],
                   .length = static_cast<int16_t>(std::stoi(*row[4])),
                   .by_value = *row[5] == "t",
                   .category = (*row[7])[0],
                   .relation = OidIn(row[11]),
                   .element = OidIn(row[13]),
                   .array = OidIn(row[14]),
                   .alignment = (*row[22])[0],
                   .storage = (*row[23])[0],
                   .collation = OidIn(row[28])};
    types.emplace(type.oid, std::move(type));
  }
  return types;
}

const std::unordered_map<Oid, TypeFacts>& Types() {
  static const std::unordered_map<Oid, TypeFacts> types = ReadTypes();
  return types;
}

// What SQL calls them.
const std::map<Oid, std::string>& SqlNames() {
  static const std::map<Oid, std::string> names = {
      {oid::kBool, "boolean"},
      {oid::kBpchar, "character"},
      {oid::kChar, "\"char\""},
      {oid::kFloat4, "real"},
      {oid::kFloat8, "double precision"},
      {oid::kInt2, "smallint"},
      {oid::kInt4, "integer"},
      {oid::kInt8, "bigint"},
      {oid::kInterval, "interval"},
      {oid::kNumeric, "numeric"},
      {oid::kTime, "time without time zone"},
      {oid::kTimeTz, "time with time zone"},
      {oid::kTimestamp, "timestamp without time zone"},
      {oid::kTimestampTz, "timestamp with time zone"},
      {oid::kVarchar, "character varying"},
      {oid::kBit, "bit"},
      {oid::kVarbit, "bit varying"},
  };
  return names;
}

std::string WithModifier(Oid type, int64_t modifier) {
  const std::string length = "(" + std::to_string(modifier - 4) + ")";
  switch (type) {
    case oid::kBpchar:
      return "character" + length;
    case oid::kVarchar:
      return "character varying" + length;
    case oid::kNumeric:
      return "numeric(" + std::to_string((modifier - 4) >> 16) + "," +
             std::to_string((modifier - 4) & 0x7ff) + ")";
    case oid::kTime:
      return "time(" + std::to_string(modifier) + ") without time zone";
    case oid::kTimestamp:
      return "timestamp(" + std::to_string(modifier) + ") without time zone";
    case oid::kTimestampTz:
      return "timestamp(" + std::to_string(modifier) + ") with time zone";
    default:
      return FormatType(type, -2);
  }
}

}  // namespace

const TypeFacts* FindType(Oid type) {
  const auto found = Types().find(type);
  return found == Types().end() ? nullptr : &found->second;
}

const TypeFacts* FindTypeNamed(std::string_view name) {
  static const std::map<std::string, const TypeFacts*, std::less<>> by_name = [] {
    std::map<std::string, const TypeFacts*, std::less<>> names;
    for (const auto& [number, type] : Types()) names.emplace(type.name, &type);
    return names;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

std::string FormatType(Oid type, int64_t modifier) {
  if (type == 0) return "-";
  const TypeFacts* facts = FindType(type);
  if (facts == nullptr) return "???";
  const bool array = facts->element != 0 && facts->length == -1 && facts->category == 'A' &&
                     FindType(facts->element) != nullptr;
  if (array) return FormatType(facts->element, modifier) + "[]";
  if (modifier >= 0) return WithModifier(type, modifier);
  // A length of -1 was given, not left out: then these two would mean one character.
  if (modifier == -1 && type == oid::kBpchar) return "bpchar";
  if (modifier == -1 && type == oid::kBit) return "\"bit\"";
  if (const auto known = SqlNames().find(type); known != SqlNames().end()) return known->second;
  return facts->schema == "pg_catalog" ? facts->name : facts->schema + "." + facts->name;
}

namespace {

// "int8", "pg_catalog"."int8", pg_catalog."varchar": the catalog's own name, not SQL's.
Oid QuotedTypeName(std::string_view text) {
  const std::optional<std::vector<std::string>> parts = ParseIdentifier(text);
  if (!parts || parts->empty() || parts->size() > 2) return 0;
  const bool known_schema = parts->size() == 1 || parts->front() == "pg_catalog" ||
                            parts->front() == "information_schema";
  const TypeFacts* facts = known_schema ? FindTypeNamed(parts->back()) : nullptr;
  return facts == nullptr ? 0 : facts->oid;
}

}  // namespace

Oid ParseTypeName(std::string_view text) {
  if (text.ends_with("[]")) {
    const Oid element = ParseTypeName(text.substr(0, text.size() - 2));
    return element == 0 ? 0 : ArrayOf(element);
  }
  if (text == "\"char\"") return oid::kChar;
  if (text.find('"') != std::string_view::npos) return QuotedTypeName(text);
  std::string folded = policy::FoldedName(text);
  if (const size_t dot = folded.find('.'); dot != std::string::npos) {
    const std::string schema = folded.substr(0, dot);
    if (schema != "pg_catalog" && schema != "information_schema") return 0;
    folded = folded.substr(dot + 1);
  }
  if (const size_t length = folded.find('('); length != std::string::npos) {
    const size_t close = folded.find(')', length);
    if (close == std::string::npos) return 0;
    folded.erase(length, close - length + 1);
  }
  for (const auto& [type, name] : SqlNames()) {
    if (name == folded) return type;
  }
  static const std::map<std::string, Oid> spellings = {
      {"int", oid::kInt4},     {"decimal", oid::kNumeric},     {"char", oid::kBpchar},
      {"float", oid::kFloat8}, {"timestamp", oid::kTimestamp}, {"time", oid::kTime},
  };
  if (const auto known = spellings.find(folded); known != spellings.end()) return known->second;
  const TypeFacts* facts = FindTypeNamed(folded);
  return facts == nullptr ? 0 : facts->oid;
}

bool IsVector(Oid type) { return type == oid::kInt2Vector || type == oid::kOidVector; }

bool IsArray(Oid type) {
  if (IsVector(type) || type == oid::kAnyArray) return true;
  const TypeFacts* facts = FindType(type);
  return facts != nullptr && facts->category == 'A' && facts->element != 0;
}

Oid ElementOf(Oid type) {
  if (type == oid::kAnyArray) return oid::kText;
  const TypeFacts* facts = FindType(type);
  return facts == nullptr || facts->element == 0 ? oid::kText : facts->element;
}

Oid ArrayOf(Oid element) {
  if (element == oid::kUnknown) return oid::kTextArray;
  const TypeFacts* facts = FindType(element);
  return facts == nullptr || facts->array == 0 ? oid::kTextArray : facts->array;
}

bool IsRegistry(Oid type) {
  switch (type) {
    case oid::kRegproc:
    case oid::kRegprocedure:
    case oid::kRegoper:
    case oid::kRegoperator:
    case oid::kRegclass:
    case oid::kRegtype:
    case oid::kRegconfig:
    case oid::kRegdictionary:
    case oid::kRegnamespace:
    case oid::kRegrole:
    case oid::kRegcollation:
      return true;
    default:
      return false;
  }
}

bool IsWhole(Oid type) {
  return type == oid::kInt2 || type == oid::kInt4 || type == oid::kInt8 || type == oid::kOid ||
         type == oid::kXid || type == oid::kCid || IsRegistry(type);
}

bool IsNumber(Oid type) {
  return IsWhole(type) || type == oid::kFloat4 || type == oid::kFloat8 || type == oid::kNumeric;
}

bool IsText(Oid type) { return StoredAs(type) == "VARCHAR"; }

std::string StoredAs(Oid type) {
  switch (type) {
    case oid::kBool:
      return "BOOLEAN";
    case oid::kInt2:
      return "SMALLINT";
    case oid::kInt4:
      return "INTEGER";
    case oid::kInt8:
    case oid::kOid:
    case oid::kXid:
    case oid::kCid:
      return "BIGINT";
    case oid::kFloat4:
      return "FLOAT";
    case oid::kFloat8:
      return "DOUBLE";
    case oid::kNumeric:
      return "DECIMAL(38, 10)";
    case oid::kDate:
      return "DATE";
    case oid::kTime:
      return "TIME";
    case oid::kTimestamp:
    case oid::kTimestampTz:
      return "TIMESTAMP";
    case oid::kInterval:
      return "INTERVAL";
    case oid::kRecord:
      return "STRUCT(x SMALLINT, n INTEGER)";
    default:
      if (IsRegistry(type)) return "BIGINT";
      if (IsArray(type)) return StoredAs(ElementOf(type)) + "[]";
      return "VARCHAR";
  }
}

TypeAndModifier TypeOf(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return {.type = oid::kBool};
    case TypeKind::kSmallint:
      return {.type = oid::kInt2};
    case TypeKind::kInteger:
      return {.type = oid::kInt4};
    case TypeKind::kBigint:
      return {.type = oid::kInt8};
    case TypeKind::kNumeric:
      if (type.precision == 0) return {.type = oid::kNumeric};
      return {.type = oid::kNumeric, .modifier = ((type.precision << 16) | type.scale) + 4};
    case TypeKind::kReal:
      return {.type = oid::kFloat4};
    case TypeKind::kDouble:
      return {.type = oid::kFloat8};
    case TypeKind::kText:
      return {.type = oid::kText};
    case TypeKind::kDate:
      return {.type = oid::kDate};
    case TypeKind::kTime:
      return {.type = oid::kTime};
    case TypeKind::kTimestamp:
      return {.type = oid::kTimestamp};
    case TypeKind::kTimestampTz:
      return {.type = oid::kTimestampTz};
    case TypeKind::kInterval:
      return {.type = oid::kInterval};
    case TypeKind::kUuid:
      return {.type = oid::kUuid};
    case TypeKind::kUnknown:
    case TypeKind::kOpaque:
      return {.type = oid::kUnknown};
  }
  return {.type = oid::kUnknown};
}

}  // namespace tacit::catalog
