#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/numbers/rational.h"
#include "policy/keys/calendar.h"

namespace tacit::policy {

// One public group key as the owner wrote it. Whether "75001" is a text or a number is decided by
// the column's type, so the text is always kept; `number` is exact.
struct KeyValue {
  enum class Kind { kText, kNumber, kBoolean, kNull };  // a quoted scalar is a text
  Kind kind = Kind::kText;
  std::string text;
  Rational number;     // of kNumber
  bool truth = false;  // of kBoolean
};

struct ListedKeys {
  std::vector<KeyValue> values;  // in the owner's order, distinct, not empty
};

// from, from + step, ..., to: the values themselves, both ends included.
struct KeyRange {
  Rational from;
  Rational to;
  Rational step;
};

// The values of a column of a public table.
struct KeysOfTable {
  std::string table;
  std::string column;
  int64_t rows_max = 0;  // the table's, as declared: no more values are taken; 0: not declared
};

using KeyList = std::variant<ListedKeys, KeyRange, KeyCalendar, KeysOfTable>;

// Why a million: every key is a row of every answer that groups by it, zeros included.
inline constexpr int64_t kKeysMax = 1'000'000;

// How many keys the policy itself names; of KeysOfTable only the database knows.
std::optional<int64_t> CountOf(const KeyList& keys);

// How many keys there can be at most, whatever is stored; nothing for a table without `rows_max`.
std::optional<int64_t> MostOf(const KeyList& keys);

// The keys of a range or a calendar, written out; ListedKeys as they are. A cell of a calendar is
// the text of its beginning, "2020-01-01". KeysOfTable gives nothing: the engine reads it.
std::vector<KeyValue> ExpandKeys(const KeyList& keys);

// Whether the owner listed NULL too: rows without a value are then a group.
bool ListsNull(const KeyList& keys);

}  // namespace tacit::policy
