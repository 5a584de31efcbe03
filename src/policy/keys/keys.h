#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/numbers/rational.h"

namespace tacit::policy {

// One public group key as the owner wrote it. Whether "75001" is a text or a number is decided by
// the column's type, so the text is always kept; `number` is exact.
struct KeyValue {
  enum class Kind { kText, kNumber, kBoolean };  // a quoted scalar is a text
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

struct Month {
  int year = 0;
  int month = 0;  // 1 to 12
  bool operator==(const Month&) const = default;
};

// The first day of every month, both ends included.
struct KeyMonths {
  Month first;
  Month last;
};

// The values of a column of a public table.
struct KeysOfTable {
  std::string table;
  std::string column;
};

using KeyList = std::variant<ListedKeys, KeyRange, KeyMonths, KeysOfTable>;

// Why a million: every key is a row of every answer that groups by it, zeros included.
inline constexpr int64_t kKeysMax = 1'000'000;

// How many keys the policy itself names; of KeysOfTable only the database knows.
std::optional<int64_t> CountOf(const KeyList& keys);

// The keys of a range or a calendar, written out; ListedKeys as they are. Months are texts
// "2020-01-01". KeysOfTable gives nothing: the engine reads it.
std::vector<KeyValue> ExpandKeys(const KeyList& keys);

}  // namespace tacit::policy
