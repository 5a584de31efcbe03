#include "policy/keys/fit.h"

#include <algorithm>

namespace tacit::policy {
namespace {

using Kind = KeyValue::Kind;

void ReadAs(const ValueType& type, KeyValue& value) {
  if (value.kind != Kind::kText) return;
  if (type.IsNumber()) {
    const Result<Rational> number = ParseRational(value.text);
    if (!number.ok() || value.text.find('/') != std::string::npos) return;
    value.kind = Kind::kNumber;
    value.number = *number;
  } else if (type.kind == TypeKind::kBoolean && (value.text == "true" || value.text == "false")) {
    value.kind = Kind::kBoolean;
    value.truth = value.text == "true";
  }
}

bool AreSame(const KeyValue& a, const KeyValue& b) {
  if (a.kind != b.kind) return false;
  return a.kind == Kind::kNumber ? a.number == b.number : a.text == b.text;
}

bool FitsColumn(const KeyValue& value, const ValueType& type) {
  if (value.kind == Kind::kNull) return true;
  if (type.IsInteger()) return value.kind == Kind::kNumber && value.number.get_den() == 1;
  if (type.IsNumber()) return value.kind == Kind::kNumber;
  if (type.kind == TypeKind::kBoolean) return value.kind == Kind::kBoolean;
  return true;  // a text, or a date as the policy's loader has read it
}

}  // namespace

KeyList KeysAs(const KeyList& keys, const ValueType& type) {
  const auto* listed = std::get_if<ListedKeys>(&keys);
  const bool in_quotes =
      listed != nullptr && (type.IsNumber() || type.kind == TypeKind::kBoolean) &&
      std::any_of(listed->values.begin(), listed->values.end(),
                  [](const KeyValue& value) { return value.kind == Kind::kText; });
  if (!in_quotes) return keys;
  ListedKeys read;
  for (KeyValue value : listed->values) {
    ReadAs(type, value);
    const bool known = std::any_of(read.values.begin(), read.values.end(),
                                   [&](const KeyValue& other) { return AreSame(other, value); });
    if (!known) read.values.push_back(std::move(value));
  }
  return read;
}

bool KeysFit(const KeyList& keys, const ValueType& type) {
  if (const auto* calendar = std::get_if<KeyCalendar>(&keys)) {
    const bool of_days = calendar->step != CalendarStep::kHour;
    return type.kind == TypeKind::kTimestamp || (type.kind == TypeKind::kDate && of_days);
  }
  if (std::holds_alternative<KeyRange>(keys)) return type.IsNumber();
  if (const auto* listed = std::get_if<ListedKeys>(&keys)) {
    return std::all_of(listed->values.begin(), listed->values.end(),
                       [&](const KeyValue& value) { return FitsColumn(value, type); });
  }
  return true;
}

}  // namespace tacit::policy
