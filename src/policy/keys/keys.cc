#include "policy/keys/keys.h"

#include <algorithm>

namespace tacit::policy {
namespace {

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

std::vector<KeyValue> Expand(const KeyCalendar& calendar) {
  std::vector<KeyValue> values;
  for (int64_t at = calendar.first; at <= calendar.last; at = NextCell(calendar.step, at)) {
    values.push_back(KeyValue{
        .kind = KeyValue::Kind::kText, .text = InstantText(at), .number = 0, .truth = false});
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
std::optional<int64_t> Count(const KeyCalendar& calendar) { return calendar.Count(); }

}  // namespace

std::optional<int64_t> CountOf(const KeyList& keys) {
  return std::visit([](const auto& list) { return Count(list); }, keys);
}

std::optional<int64_t> MostOf(const KeyList& keys) {
  const auto* table = std::get_if<KeysOfTable>(&keys);
  if (table == nullptr) return CountOf(keys);
  return table->rows_max > 0 ? std::optional(table->rows_max) : std::nullopt;
}

std::vector<KeyValue> ExpandKeys(const KeyList& keys) {
  return std::visit([](const auto& list) { return Expand(list); }, keys);
}

bool ListsNull(const KeyList& keys) {
  const auto* listed = std::get_if<ListedKeys>(&keys);
  return listed != nullptr &&
         std::any_of(listed->values.begin(), listed->values.end(),
                     [](const KeyValue& value) { return value.kind == KeyValue::Kind::kNull; });
}

}  // namespace tacit::policy
