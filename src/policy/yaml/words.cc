#include "policy/yaml/words.h"

#include <algorithm>
#include <limits>

#include "policy/schema.h"

namespace tacit::policy::yaml {
namespace {

// Shown values are cut: an error is a line, whatever the file holds.
std::string Quoted(std::string_view text) {
  std::string shown(text.substr(0, 60));
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  return "'" + shown + "'";
}

std::string Listed(const std::vector<std::string_view>& words) {
  std::string list;
  for (const std::string_view word : words) {
    if (!list.empty()) list += ", ";
    list += word;
  }
  return list;
}

std::string_view KindName(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "nothing";
    case Node::Kind::kScalar:
      return "a single value";
    case Node::Kind::kSequence:
      return "a list";
    case Node::Kind::kMapping:
      return "a mapping";
  }
  return "something else";
}

Error WrongKind(const Node& node, std::string_view file, std::string_view what,
                std::string_view wanted) {
  return ErrorAt(
      file, node.place,
      std::string(what) + " must be " + std::string(wanted) + ", not " +
          (node.kind == Node::Kind::kScalar ? Quoted(node.text) : std::string(KindName(node))));
}

// Letters to insert, delete, change or swap.
size_t TypingDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), row(b.size() + 1), two_before;
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    two_before = before;
    before = row;
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> NearestWord(std::string_view word,
                                       const std::vector<std::string_view>& known) {
  // Why 64: no known word is longer, and the distance is quadratic.
  if (word.size() > 64) return std::nullopt;
  std::optional<std::string> nearest;
  // A third of the letters may be wrong, never all of them.
  size_t smallest = std::min(word.size(), std::max<size_t>(1, word.size() / 3) + 1);
  for (const std::string_view candidate : known) {
    const size_t distance = TypingDistance(FoldedName(word), FoldedName(candidate));
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

Result<Words> Words::Of(const Node& node, std::string_view file, std::string what,
                        std::initializer_list<std::string_view> known_words) {
  const std::vector<std::string_view> known(known_words);
  if (node.kind != Node::Kind::kMapping) {
    Error error = WrongKind(node, file, what, "a mapping");
    error.hint = "its words are: " + Listed(known);
    return error;
  }
  for (const auto& [key, value] : node.entries) {
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    const std::optional<std::string> nearest = NearestWord(key.text, known);
    return ErrorAt(file, key.place, Quoted(key.text) + " is not a word of " + what,
                   nearest ? "did you mean " + *nearest + "?" : "its words are: " + Listed(known));
  }
  return Words(node, file, std::move(what));
}

Error Words::ErrorHere(std::string_view message, std::string hint) const {
  return ErrorAt(file_, node_->place, message, std::move(hint));
}

const Node* Words::Find(std::string_view word) const {
  for (const auto& [key, value] : node_->entries) {
    if (key.text == word) return &value;
  }
  return nullptr;
}

Result<const Node*> Words::Need(std::string_view word, std::string_view example) const {
  if (const Node* found = Find(word)) return found;
  return ErrorHere(what_ + " has no `" + std::string(word) + "`",
                   "write it, like " + std::string(example));
}

Result<std::string> Words::NeedText(std::string_view word, std::string_view example) const {
  TACIT_TRY(const Node* found, Need(word, example));
  return TextOf(*found, file_, word);
}

Result<Rational> Words::NeedNumber(std::string_view word, std::string_view example) const {
  TACIT_TRY(const Node* found, Need(word, example));
  return NumberOf(*found, file_, word);
}

Result<int64_t> Words::NeedWhole(std::string_view word, std::string_view example, int64_t low,
                                 int64_t high) const {
  TACIT_TRY(const Node* found, Need(word, example));
  return WholeOf(*found, file_, word, low, high);
}

Result<int64_t> Words::Whole(std::string_view word, int64_t low, int64_t high,
                             int64_t fallback) const {
  const Node* found = Find(word);
  if (found == nullptr) return fallback;
  return WholeOf(*found, file_, word, low, high);
}

Result<bool> Words::Truth(std::string_view word, bool fallback) const {
  const Node* found = Find(word);
  if (found == nullptr) return fallback;
  const bool plain = found->kind == Node::Kind::kScalar && !found->quoted;
  if (plain && found->text == "true") return true;
  if (plain && found->text == "false") return false;
  return WrongKind(*found, file_, word, "true or false");
}

Result<int> Words::NeedChoice(std::string_view word,
                              std::initializer_list<std::string_view> choice_words) const {
  const std::vector<std::string_view> choices(choice_words);
  TACIT_TRY(const Node* found, Need(word, std::string(word) + ": " + std::string(choices[0])));
  TACIT_TRY(const std::string text, TextOf(*found, file_, word));
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == text) return static_cast<int>(i);
  }
  const std::optional<std::string> nearest = NearestWord(text, choices);
  return ErrorAt(file_, found->place, std::string(word) + " cannot be " + Quoted(text),
                 nearest ? "did you mean " + *nearest + "?" : "it can be: " + Listed(choices));
}

Result<std::string> TextOf(const Node& node, std::string_view file, std::string_view what) {
  if (node.kind != Node::Kind::kScalar) return WrongKind(node, file, what, "a text");
  if (node.text.empty()) return ErrorAt(file, node.place, std::string(what) + " is empty");
  return node.text;
}

Result<Rational> NumberOf(const Node& node, std::string_view file, std::string_view what) {
  if (node.kind != Node::Kind::kScalar) return WrongKind(node, file, what, "a number");
  if (node.quoted) {
    return ErrorAt(file, node.place,
                   std::string(what) + " must be a number, not the text " + Quoted(node.text),
                   "write it without quotes");
  }
  Result<Rational> number = ParseRational(node.text);
  if (number.ok()) return number;
  const std::string folded = FoldedName(node.text);
  if (folded.find("nan") != std::string::npos || folded.find("inf") != std::string::npos) {
    return ErrorAt(file, node.place,
                   std::string(what) + " must be a finite number, not " + Quoted(node.text),
                   "every bound and price of a policy is finite");
  }
  Error error = std::move(number).error();
  return ErrorAt(file, node.place, std::string(what) + ": " + error.public_message, error.hint);
}

Result<int64_t> WholeOf(const Node& node, std::string_view file, std::string_view what, int64_t low,
                        int64_t high) {
  TACIT_TRY(const Rational number, NumberOf(node, file, what));
  if (number.get_den() == 1 && number >= MakeRational(low) && number <= MakeRational(high)) {
    return static_cast<int64_t>(SaturateToInt128(number.get_num()));
  }
  std::string range = "a whole number of at least " + std::to_string(low);
  if (high != std::numeric_limits<int64_t>::max()) range += " and at most " + std::to_string(high);
  return WrongKind(node, file, what, range);
}

}  // namespace tacit::policy::yaml
