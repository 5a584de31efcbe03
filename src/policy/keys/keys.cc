#include "policy/keys/keys.h"

#include <cstdio>

namespace tacit::policy {
namespace {

int64_t MonthNumber(const Month& month) { return int64_t{month.year} * 12 + (month.month - 1); }

std::vector<KeyValue> Expand(const ListedKeys& keys) { return keys.values; }
std::vector<KeyValue> Expand(const KeysOfTable&) { return {}; }

std::vector<KeyValue> Expand(const KeyRange& range) {
  std::vector<KeyValue> values;
  for (Rational value = range.from; value <= range.to; value += range.step) {
    values.push_back(KeyValue{
        .kind = KeyValue::Kind::kNumber, .text = ToString(value), .number = value, .truth = false});
  }
  return values;
}

std::vector<KeyValue> Expand(const KeyMonths& months) {
  std::vector<KeyValue> values;
  for (int64_t n = MonthNumber(months.first); n <= MonthNumber(months.last); ++n) {
    char text[16];
    std::snprintf(text, sizeof text, "%04d-%02d-01", static_cast<int>(n / 12),
                  static_cast<int>(n % 12) + 1);
    values.push_back(
        KeyValue{.kind = KeyValue::Kind::kText, .text = text, .number = 0, .truth = false});
  }
  return values;
}

std::optional<int64_t> Count(const ListedKeys& keys) {
  return static_cast<int64_t>(keys.values.size());
}
std::optional<int64_t> Count(const KeysOfTable&) { return std::nullopt; }
std::optional<int64_t> Count(const KeyRange& range) {
  const Integer steps = FloorOf(Rational((range.to - range.from) / range.step));
  if (steps >= kKeysMax) return kKeysMax + 1;
  return static_cast<int64_t>(steps.get_si()) + 1;
}
std::optional<int64_t> Count(const KeyMonths& months) {
  return MonthNumber(months.last) - MonthNumber(months.first) + 1;
}

}  // namespace

std::optional<int64_t> CountOf(const KeyList& keys) {
  return std::visit([](const auto& list) { return Count(list); }, keys);
}

std::vector<KeyValue> ExpandKeys(const KeyList& keys) {
  return std::visit([](const auto& list) { return Expand(list); }, keys);
}

}  // namespace tacit::policy
