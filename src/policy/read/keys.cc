#include <set>

#include "policy/read/sections.h"

namespace tacit::policy::read {
namespace {

using yaml::ErrorAt;
using yaml::Node;
using yaml::Words;

Result<KeyValue> ReadKey(const Node& node, std::string_view file, const std::string& what) {
  if (node.kind == Node::Kind::kNull) {
    return ErrorAt(file, node.place, "NULL cannot be among the keys of " + what,
                   "rows without a key are left out; group by coalesce(...) to keep them");
  }
  if (node.kind != Node::Kind::kScalar) {
    return ErrorAt(file, node.place, "a key of " + what + " must be a single value");
  }
  KeyValue key;
  key.text = node.text;
  if (node.quoted) return key;
  if (node.text == "true" || node.text == "false") {
    key.kind = KeyValue::Kind::kBoolean;
    key.truth = node.text == "true";
  } else if (Result<Rational> number = ParseRational(node.text);
             number.ok() && node.text.find('/') == std::string::npos) {
    key.kind = KeyValue::Kind::kNumber;
    key.number = *number;
  }
  return key;
}

Result<KeyList> ReadListed(const Node& node, std::string_view file, const std::string& what) {
  if (node.items.empty()) {
    return ErrorAt(file, node.place, "the key list of " + what + " is empty",
                   "name at least one key, or leave `keys` out: then groups are private");
  }
  if (node.items.size() > static_cast<size_t>(kKeysMax)) {
    return ErrorAt(file, node.place, what + " has more than " + std::to_string(kKeysMax) + " keys",
                   "put them in a public table: keys: {table: TABLE.COLUMN}");
  }
  ListedKeys keys;
  std::set<std::pair<KeyValue::Kind, std::string>> seen;
  for (const Node& item : node.items) {
    TACIT_TRY(KeyValue key, ReadKey(item, file, what));
    const std::string value = key.kind == KeyValue::Kind::kNumber ? key.number.get_str() : key.text;
    if (!seen.emplace(key.kind, value).second) {
      return ErrorAt(file, item.place,
                     "the key '" + key.text.substr(0, 60) + "' of " + what + " is here twice",
                     "keep one of the two");
    }
    keys.values.push_back(std::move(key));
  }
  return KeyList(std::move(keys));
}

Result<KeyList> ReadRange(const Node& node, std::string_view file, const std::string& what) {
  TACIT_TRY(const Words words,
            Words::Of(node, file, "the keys of " + what, {"from", "to", "step"}));
  KeyRange range;
  TACIT_TRY(range.from, words.NeedNumber("from", "from: 0"));
  TACIT_TRY(range.to, words.NeedNumber("to", "to: 100"));
  if (range.to < range.from) {
    return words.ErrorHere("the keys of " + what + " run from " + ToString(range.from) +
                               " down to " + ToString(range.to),
                           "write the smaller number first");
  }
  const bool whole = range.from.get_den() == 1 && range.to.get_den() == 1;
  if (words.Has("step") || !whole) {
    TACIT_TRY(range.step, words.NeedNumber("step", "step: 0.5"));
  } else {
    range.step = 1;
  }
  if (range.step <= 0) {
    return ErrorAt(file, words.Find("step")->place, "the step of " + what + " must be above 0");
  }
  if (Rational((range.to - range.from) / range.step).get_den() != 1) {
    return words.ErrorHere("steps of " + ToString(range.step) + " from " + ToString(range.from) +
                               " do not arrive at " + ToString(range.to),
                           "the keys are the values from, from + step, ..., to");
  }
  if (CountOf(KeyList(range)).value() > kKeysMax) {
    return words.ErrorHere(what + " has more than " + std::to_string(kKeysMax) + " keys",
                           "take a larger step");
  }
  return KeyList(range);
}

Result<Month> ReadMonth(const Node& node, std::string_view file) {
  const std::string& text = node.text;
  const auto digits = [&text](size_t from, size_t count) {
    int value = 0;
    for (size_t i = from; i < from + count; ++i) {
      if (text[i] < '0' || text[i] > '9') return -1;
      value = value * 10 + (text[i] - '0');
    }
    return value;
  };
  if (node.kind == Node::Kind::kScalar && text.size() == 7 && text[4] == '-') {
    const Month month{.year = digits(0, 4), .month = digits(5, 2)};
    if (month.year >= 1 && month.month >= 1 && month.month <= 12) return month;
  }
  return ErrorAt(file, node.place, "a month is written like 2020-01");
}

Result<KeyList> ReadMonths(const Node& node, std::string_view file, const std::string& what) {
  if (node.kind != Node::Kind::kSequence || node.items.size() != 2) {
    return ErrorAt(file, node.place, "the months of " + what + " need a first and a last one",
                   "write months: [2020-01, 2025-12]");
  }
  KeyMonths months;
  TACIT_TRY(months.first, ReadMonth(node.items[0], file));
  TACIT_TRY(months.last, ReadMonth(node.items[1], file));
  if (CountOf(KeyList(months)).value() < 1) {
    return ErrorAt(file, node.place, "the months of " + what + " end before they begin",
                   "write the earlier month first");
  }
  return KeyList(months);
}

Result<KeyList> ReadTableColumn(const Node& node, std::string_view file, const std::string& what) {
  TACIT_TRY(const std::string text, yaml::TextOf(node, file, "the table of keys of " + what));
  const size_t dot = text.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == text.size()) {
    return ErrorAt(file, node.place, "'" + text.substr(0, 60) + "' does not name a column",
                   "write keys: {table: TABLE.COLUMN}");
  }
  return KeyList(KeysOfTable{.table = text.substr(0, dot), .column = text.substr(dot + 1)});
}

}  // namespace

Result<KeyList> ReadKeys(const Node& node, std::string_view file, const std::string& what) {
  if (node.kind == Node::Kind::kSequence) return ReadListed(node, file, what);
  if (node.kind != Node::Kind::kMapping) {
    return ErrorAt(file, node.place, "the keys of " + what + " must be a list or a rule",
                   "write keys: [A, B], {from: 0, to: 100, step: 10}, {months: [2020-01, 2025-12]} "
                   "or {table: TABLE.COLUMN}");
  }
  TACIT_TRY(const Words words, Words::Of(node, file, "the keys of " + what,
                                         {"from", "to", "step", "months", "table"}));
  if ((words.Has("months") || words.Has("table")) && node.entries.size() > 1) {
    return words.ErrorHere("the keys of " + what + " mix two rules", "keep one of them");
  }
  if (const Node* months = words.Find("months")) return ReadMonths(*months, file, what);
  if (const Node* table = words.Find("table")) return ReadTableColumn(*table, file, what);
  return ReadRange(node, file, what);
}

}  // namespace tacit::policy::read
