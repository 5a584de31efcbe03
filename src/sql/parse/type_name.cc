#include <array>
#include <utility>

#include "sql/parse/grammar.h"
#include "sql/parse/literal.h"

namespace tacit::sql::grammar {
namespace {

constexpr std::array<std::pair<std::string_view, TypeKind>, 19> kTypeNames = {{
    {"bool", TypeKind::kBoolean},        {"boolean", TypeKind::kBoolean},
    {"int2", TypeKind::kSmallint},       {"int4", TypeKind::kInteger},
    {"int8", TypeKind::kBigint},         {"numeric", TypeKind::kNumeric},
    {"float4", TypeKind::kReal},         {"float8", TypeKind::kDouble},
    {"text", TypeKind::kText},           {"varchar", TypeKind::kText},
    {"string", TypeKind::kText},         {"date", TypeKind::kDate},
    {"timestamp", TypeKind::kTimestamp}, {"timestamptz", TypeKind::kTimestampTz},
    {"interval", TypeKind::kInterval},   {"uuid", TypeKind::kUuid},
    {"bigint", TypeKind::kBigint},       {"bpchar", TypeKind::kText},
    {"name", TypeKind::kText},
}};

Result<std::vector<int>> Modifiers(const PgQuery__TypeName& name) {
  std::vector<int> modifiers;
  for (size_t i = 0; i < name.n_typmods; ++i) {
    const Node* node = name.typmods[i];
    if (node->node_case != PG_QUERY__NODE__NODE_A_CONST ||
        node->a_const->val_case != PG_QUERY__A__CONST__VAL_IVAL) {
      return Unsupported("this type modifier", name.location);
    }
    modifiers.push_back(node->a_const->ival->ival);
  }
  return modifiers;
}

// The unit that INTERVAL '3' DAY names, by PostgreSQL's field mask; nothing for several fields.
const char* IntervalUnit(int fields) {
  switch (fields) {
    case 1 << 1:
      return "month";
    case 1 << 2:
      return "year";
    case 1 << 3:
      return "day";
    case 1 << 10:
      return "hour";
    case 1 << 11:
      return "minute";
    case 1 << 12:
      return "second";
    default:
      return nullptr;
  }
}

// DATE 'today' is what current_date says; nothing for a text that names no day.
Expression SpokenDay(const std::string& text, const Type& type, Position position) {
  std::string word = text;
  for (char& c : word) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const auto of = [&position](auto node) { return MakeExpression(std::move(node), position); };
  const bool now = word == "now";
  if (now && type.kind != TypeKind::kDate) return of(Cast{of(sql::Call{"now", {}}), type});
  if (!now && word != "today" && word != "yesterday" && word != "tomorrow") return {};
  Expression day = of(sql::Call{"current_date", {}});
  if (word == "yesterday" || word == "tomorrow") {
    const Literal one{LiteralKind::kInteger, "1", {}};
    day = of(Operator{word == "tomorrow" ? "+" : "-", {std::move(day), of(one)}});
  }
  return type.kind == TypeKind::kDate ? day : of(Cast{std::move(day), type});
}

}  // namespace

Result<NamedType> ConvertTypeName(const PgQuery__TypeName& name) {
  if (name.n_array_bounds != 0) return Unsupported("an array type", name.location);
  const std::vector<std::string> parts = NameParts(name.n_names, name.names);
  const bool known_schema = parts.size() == 1 || (parts.size() == 2 && parts[0] == "pg_catalog");
  NamedType converted;
  for (const auto& [word, kind] : kTypeNames) {
    if (known_schema && parts.back() == word) converted.type.kind = kind;
  }
  const TypeKind kind = converted.type.kind;
  if (kind == TypeKind::kUnknown) {
    const std::string word = parts.empty() ? "in this cast" : parts.back();
    const bool clock = word == "time" || word == "timetz";
    return Unsupported("the type " + word, name.location,
                       clock ? "of a time of day write extract(hour FROM x), or to_char(x, "
                               "'HH24:MI')"
                             : "");
  }
  converted.padded = parts.back() == "bpchar";
  TACIT_TRY(const std::vector<int> modifiers, Modifiers(name));
  if (modifiers.empty()) return converted;
  if (kind == TypeKind::kNumeric && modifiers.size() <= 2) {
    converted.type.precision = modifiers[0];
    converted.type.scale = modifiers.size() == 2 ? modifiers[1] : 0;
    if (converted.type.precision < 1 || converted.type.precision > kNumericPrecisionMax ||
        converted.type.scale < 0 || converted.type.scale > converted.type.precision) {
      return Unsupported("numeric of this precision or scale", name.location,
                         "at most numeric(38, s) with 0 <= s <= 38");
    }
    return converted;
  }
  if (kind == TypeKind::kText && modifiers.size() == 1) {
    converted.length = modifiers[0];
    return converted;
  }
  if (kind == TypeKind::kInterval && modifiers.size() == 1) {
    converted.interval_fields = modifiers[0];
    return converted;
  }
  if ((kind == TypeKind::kTimestamp || kind == TypeKind::kTimestampTz) && modifiers.size() == 1) {
    if (modifiers[0] == 6) return converted;  // the decimals that seconds have
    return Unsupported("a time of fewer than six decimals", name.location,
                       "leave the number of decimals out; date_trunc('second', x) cuts them off");
  }
  return Unsupported("this type modifier", name.location);
}

Result<Expression> ConvertTypedString(const std::string& text, const NamedType& type,
                                      int position) {
  Literal literal;
  const std::string quoted = "'" + text.substr(0, 60) + "'";
  if (type.type.kind == TypeKind::kInterval) {
    std::string spelled = text;
    if (type.interval_fields >= 0) {
      const char* unit = IntervalUnit(type.interval_fields);
      if (unit == nullptr) return Unsupported("this interval field", position);
      spelled += std::string(" ") + unit;
    }
    const std::optional<Interval> interval = ParseInterval(spelled);
    if (!interval) {
      return Invalid(quoted + " is not an interval", position,
                     "write it like '3 days', '1 month' or '02:30:00'");
    }
    literal.kind = LiteralKind::kInterval;
    literal.interval = *interval;
    return MakeExpression(std::move(literal), {position});
  }
  if (Expression day = SpokenDay(text, type.type, {position})) return day;
  const bool date = type.type.kind == TypeKind::kDate;
  const bool zoned = type.type.kind == TypeKind::kTimestampTz;
  const std::optional<std::string> canonical = date    ? CanonicalDate(text)
                                               : zoned ? CanonicalTimestampTz(text)
                                                       : CanonicalTimestamp(text);
  if (!canonical) {
    return Invalid(quoted + (date ? " is not a date" : " is not a timestamp"), position,
                   date ? "write it like '2024-01-31'" : "write it like '2024-01-31 10:20:30'");
  }
  // Which instant it is, the session's zone decides.
  if (zoned && !SaysItsOffset(text)) {
    const Literal local{LiteralKind::kString, text, {}};
    return MakeExpression(Cast{MakeExpression(local, {position}), type.type}, {position});
  }
  literal.kind = date    ? LiteralKind::kDate
                 : zoned ? LiteralKind::kTimestampTz
                         : LiteralKind::kTimestamp;
  literal.text = *canonical;
  return MakeExpression(std::move(literal), {position});
}

Result<Expression> Converter::ConvertCast(const PgQuery__TypeCast& cast) {
  const Position position{cast.location};
  TACIT_TRY(const NamedType type, ConvertTypeName(*cast.type_name));
  TACIT_TRY(Expression operand, ConvertExpression(cast.arg));
  const auto* literal = As<Literal>(operand);
  const TypeKind kind = type.type.kind;
  if (literal != nullptr && literal->kind == LiteralKind::kString &&
      (kind == TypeKind::kDate || kind == TypeKind::kTimestamp || kind == TypeKind::kTimestampTz ||
       kind == TypeKind::kInterval)) {
    return ConvertTypedString(literal->text, type, operand->position.offset);
  }
  if (type.interval_fields >= 0) return Unsupported("an interval field", cast.location);
  Expression converted = MakeExpression(Cast{std::move(operand), type.type}, position);
  // varchar(n) keeps the first n characters; of char(n) no blanks at the end.
  if (type.length >= 0) {
    const Expression length = MakeExpression(Literal{
        .kind = LiteralKind::kInteger, .text = std::to_string(type.length), .interval = {}});
    converted = MakeExpression(sql::Call{"left", {std::move(converted), length}}, position);
  }
  if (!type.padded) return converted;
  return MakeExpression(sql::Call{"rtrim", {std::move(converted)}}, position);
}

}  // namespace tacit::sql::grammar
