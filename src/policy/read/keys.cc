#include <set>

#include "policy/read/sections.h"

namespace tacit::policy::read {
namespace {

using yaml::ErrorAt;
using yaml::Node;
using yaml::Words;

Result<KeyValue> ReadKey(const Node& node, std::string_view file, const std::string& what) {
  if (node.kind == Node::Kind::kNull) {
    KeyValue null;
    null.kind = KeyValue::Kind::kNull;
    null.text = "NULL";
    return null;
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

Result<KeyList> ReadMonths(const Node& node, std::string_view file, const std::string& what) {
  if (node.kind != Node::Kind::kSequence || node.items.size() != 2) {
    return ErrorAt(file, node.place, "the months of " + what + " need a first and a last one",
                   "write months: [2020-01, 2025-12]");
  }
  KeyCalendar months{.step = CalendarStep::kMonth};
  for (const bool last : {false, true}) {
    const Node& month = node.items[last ? 1 : 0];
    const std::optional<ReadInstant> read = InstantOf(month.text + "-01");
    if (month.kind != Node::Kind::kScalar || month.text.size() != 7 || !read) {
      return ErrorAt(file, month.place, "a month is written like 2020-01");
    }
    (last ? months.last : months.first) = read->hour;
  }
  if (months.last < months.first) {
    return ErrorAt(file, node.place, "the months of " + what + " end before they begin",
                   "write the earlier month first");
  }
  return KeyList(months);
}

Result<ReadInstant> ReadInstantAt(const Words& words, const char* word, std::string_view file) {
  TACIT_TRY(const Node* node, words.Need(word, std::string(word) + ": 2020-01-01"));
  const std::optional<ReadInstant> read =
      node->kind == Node::Kind::kScalar ? InstantOf(node->text) : std::nullopt;
  if (!read) {
    return ErrorAt(file, node->place, std::string(word) + " is no day and no whole hour",
                   "a day is written like 2020-01-31, an hour like 2020-01-31 13:00");
  }
  return *read;
}

// Cells of a calendar: from the one that begins at `from` to the one that `to` lies in.
Result<KeyList> ReadCalendar(const Node& node, std::string_view file, const std::string& what) {
  TACIT_TRY(const Words words,
            Words::Of(node, file, "the keys of " + what, {"from", "to", "step"}));
  KeyCalendar calendar{.step = CalendarStep::kDay};
  if (const Node* step = words.Find("step")) {
    const std::optional<CalendarStep> read = CalendarStepOf(step->text);
    if (!read) {
      return ErrorAt(file, step->place, "the step of " + what + " is no part of a calendar",
                     "write hour, day, week, month, quarter or year");
    }
    calendar.step = *read;
  }
  TACIT_TRY(const ReadInstant from, ReadInstantAt(words, "from", file));
  TACIT_TRY(const ReadInstant to, ReadInstantAt(words, "to", file));
  calendar.first = CellBegin(calendar.step, from.hour);
  if (calendar.first != from.hour) {
    return ErrorAt(
        file, words.Find("from")->place,
        "no " + std::string(WordOf(calendar.step)) + " begins on " + InstantText(from.hour),
        "write from: " + InstantText(calendar.first));
  }
  calendar.last = CellBegin(calendar.step, to.whole_day ? to.hour + 23 : to.hour);
  if (calendar.last < calendar.first) {
    return words.ErrorHere("the keys of " + what + " end before they begin",
                           "write the earlier day first");
  }
  if (calendar.Count() > kKeysMax) {
    return words.ErrorHere(what + " has more than " + std::to_string(kKeysMax) + " keys",
                           "take a larger step");
  }
  return KeyList(calendar);
}

Result<KeyList> ReadTableColumn(const Node& node, std::string_view file, const std::string& what) {
  TACIT_TRY(const std::string text, yaml::TextOf(node, file, "the table of keys of " + what));
  const size_t dot = text.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == text.size()) {
    return ErrorAt(file, node.place, "'" + text.substr(0, 60) + "' does not name a column",
                   "write keys: {table: TABLE.COLUMN}");
  }
  return KeyList(
      KeysOfTable{.table = text.substr(0, dot), .column = text.substr(dot + 1), .rows_max = 0});
}

}  // namespace

Result<KeyList> ReadKeys(const Node& node, std::string_view file, const std::string& what) {
  if (node.kind == Node::Kind::kSequence) return ReadListed(node, file, what);
  if (node.kind != Node::Kind::kMapping) {
    return ErrorAt(file, node.place, "the keys of " + what + " must be a list or a rule",
                   "write keys: [A, B], {from: 0, to: 100, step: 10}, {from: 2020-01-01, to: "
                   "2025-12-31, step: day}, {months: [2020-01, 2025-12]} or {table: TABLE.COLUMN}");
  }
  TACIT_TRY(const Words words, Words::Of(node, file, "the keys of " + what,
                                         {"from", "to", "step", "months", "table"}));
  if ((words.Has("months") || words.Has("table")) && node.entries.size() > 1) {
    return words.ErrorHere("the keys of " + what + " mix two rules", "keep one of them");
  }
  if (const Node* months = words.Find("months")) return ReadMonths(*months, file, what);
  if (const Node* table = words.Find("table")) return ReadTableColumn(*table, file, what);
  // A day has a minus inside; a negative number has it in front.
  const Node* from = words.Find("from");
  const bool calendar = (from != nullptr && from->text.find('-', 1) != std::string::npos &&
                         from->text.find_first_of("eE") == std::string::npos) ||
                        (words.Has("step") && CalendarStepOf(words.Find("step")->text));
  return calendar ? ReadCalendar(node, file, what) : ReadRange(node, file, what);
}

}  // namespace tacit::policy::read
