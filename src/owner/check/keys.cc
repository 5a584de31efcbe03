#include "owner/check/rules.h"
#include "policy/keys/fit.h"

namespace tacit::owner {
namespace {

using policy::KeyValue;

bool LooksLikeDate(const std::string& text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return false;
  for (const size_t i : {0, 1, 2, 3, 5, 6, 8, 9}) {
    if (text[i] < '0' || text[i] > '9') return false;
  }
  return true;
}

// What is wrong with this key for a column of this type, or nothing.
std::string Misfit(const KeyValue& key, const ValueType& type) {
  if (key.kind == KeyValue::Kind::kNull) return "";
  if (type.IsNumber()) {
    if (key.kind == KeyValue::Kind::kBoolean) return "is no number";
    // "75001" in a column of numbers: the text of a number serves.
    const Result<Rational> number = ParseRational(key.text);
    if (!number.ok()) return "is no number";
    if (type.IsWhole() && number->get_den() != 1) return "is no whole number";
    return "";
  }
  switch (type.kind) {
    case TypeKind::kText:
    case TypeKind::kUuid:
      return key.kind == KeyValue::Kind::kText ? "" : "is not quoted, and the column is text";
    case TypeKind::kBoolean:
      return key.text == "true" || key.text == "false" ? "" : "is neither true nor false";
    case TypeKind::kDate:
      if (key.text.size() > 10) return "is an hour";
      [[fallthrough]];
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      return LooksLikeDate(key.text) ? "" : "is no date like 2024-02-29";
    default:
      return "cannot be a key: groups of this type have no rule";
  }
}

}  // namespace

void CheckKeys(const policy::Table& table, const policy::Column& column, const ValueType& type,
               const policy::Policy& policy, const policy::Schema& schema, Findings& findings) {
  const std::string name = table.name + "." + column.name;
  if (const auto* source = std::get_if<policy::KeysOfTable>(&*column.keys)) {
    const policy::SchemaTable* stored = schema.Find(source->table);
    if (stored == nullptr || policy.Find(source->table) == nullptr) return;
    const policy::SchemaColumn* keys = stored->Find(source->column);
    if (keys == nullptr) {
      Add(findings, Severity::kError, column.place,
          "the keys of " + name + " come from " + source->table + "." + source->column +
              ", which is not in the database",
          "name a column of " + source->table);
    } else if (keys->type.kind != type.kind && !(keys->type.IsNumber() && type.IsNumber())) {
      Add(findings, Severity::kError, column.place,
          "the keys of " + name + " (" + PostgresName(type) + ") come from a column of " +
              PostgresName(keys->type),
          "store both with one type");
    }
    return;
  }
  if (const auto* calendar = std::get_if<policy::KeyCalendar>(&*column.keys);
      calendar != nullptr && !policy::KeysFit(*column.keys, type)) {
    const bool hours = type.kind == TypeKind::kDate;
    Add(findings, Severity::kError, column.place,
        "the keys of " + name + " are " + std::string(policy::WordOf(calendar->step)) +
            "s of a calendar, but the column is " + PostgresName(type),
        hours ? "take a step of a day or more"
        : type.kind == TypeKind::kTimestampTz
            ? "where a day begins depends on the zone: store the column as timestamp without time "
              "zone, in the zone you mean, or remove the keys: its groups are then private"
            : "a calendar is for dates and for timestamps without time zone: remove the keys");
    return;
  }
  for (const KeyValue& key : policy::ExpandKeys(policy::KeysAs(*column.keys, type))) {
    const std::string misfit = Misfit(key, type);
    if (misfit.empty()) continue;
    Add(findings, Severity::kError, column.place,
        "the key '" + key.text.substr(0, 60) + "' of " + name + " " + misfit + " (the column is " +
            PostgresName(type) + ")",
        "write keys of the column's type");
    return;  // one is enough to find the others
  }
}

}  // namespace tacit::owner
