#include <algorithm>
#include <charconv>

#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/constants/zone.h"
#include "sql/parse/literal.h"

// What functions give of literals of one kind, whatever row they stand beside.
namespace tacit::sql::constants {
namespace {

using Given = std::vector<const Literal*>;

bool IsNull(const Literal* literal) { return literal->kind == LiteralKind::kNull; }

// Characters of UTF-8: bytes that continue none.
size_t CharactersIn(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::optional<int64_t> WholeOf(const Literal& literal) {
  if (literal.kind != LiteralKind::kInteger) return std::nullopt;
  int64_t value = 0;
  const char* end = literal.text.data() + literal.text.size();
  const auto read = std::from_chars(literal.text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
}

// -1, 0 or 1 for literals of one kind whose order is known here.
std::optional<int> OrderOf(const Literal& left, const Literal& right) {
  if (left.kind != right.kind) return std::nullopt;
  if (left.kind == LiteralKind::kString) return left.text.compare(right.text);
  const bool whole = left.kind == LiteralKind::kInteger;
  const std::optional<int64_t> a = whole ? WholeOf(left) : UtcOf(left);
  const std::optional<int64_t> b = whole ? WholeOf(right) : UtcOf(right);
  if (!a || !b) return std::nullopt;
  return *a < *b ? -1 : *a > *b ? 1 : 0;
}

// coalesce, greatest and least leave NULLs out; literals of several kinds have a type of their own.
std::optional<Literal> FoldChoice(const std::string& name, const Given& given) {
  const Literal* chosen = nullptr;
  for (const Literal* literal : given) {
    if (IsNull(literal)) continue;
    if (chosen == nullptr) chosen = literal;
    const std::optional<int> order = OrderOf(*literal, *chosen);
    if (!order) return std::nullopt;
    const bool better = (name == "greatest" && *order > 0) || (name == "least" && *order < 0);
    if (better) chosen = literal;
  }
  return chosen == nullptr ? std::nullopt : std::optional(*chosen);
}

// substring('kept', 2, 3) of ASCII, from a first character that is there.
std::optional<Literal> PartOf(const std::string& text, std::optional<int64_t> start,
                              std::optional<int64_t> count) {
  const bool known = CharactersIn(text) == text.size() && start && count && *start >= 1 &&
                     *count >= 0 && *start < INT32_MAX && *count < INT32_MAX;
  if (!known) return std::nullopt;
  const size_t first = std::min(static_cast<size_t>(*start - 1), text.size());
  return Written(LiteralKind::kString, text.substr(first, static_cast<size_t>(*count)));
}

std::optional<Literal> FoldText(const std::string& name, const Given& given) {
  const std::string& text = given[0]->text;
  if ((name == "length" || name == "char_length" || name == "character_length") &&
      given.size() == 1) {
    return Written(LiteralKind::kInteger, std::to_string(CharactersIn(text)));
  }
  if ((name == "substring" || name == "substr") && given.size() >= 2) {
    const std::optional<int64_t> all = static_cast<int64_t>(text.size());
    return PartOf(text, WholeOf(*given[1]), given.size() == 3 ? WholeOf(*given[2]) : all);
  }
  return std::nullopt;
}

// string_to_array('a,b', ','): the same as the text of an array.
std::optional<Literal> ArrayOf(const std::string& text, const std::string& separator) {
  std::string array;
  const auto add = [&array](std::string_view element) {
    array += array.empty() ? "\"" : ",\"";
    for (const char c : element) {
      if (c == '"' || c == '\\') array += '\\';
      array += c;
    }
    array += '"';
  };
  size_t begin = 0;
  while (!separator.empty()) {
    const size_t end = text.find(separator, begin);
    if (end == std::string::npos) break;
    add(std::string_view(text).substr(begin, end - begin));
    begin = end + separator.size();
  }
  if (!text.empty()) add(std::string_view(text).substr(begin));
  return Written(LiteralKind::kString, "{" + array + "}");
}

// make_timestamp(2024, 5, 2, 13, 30, 0.5)
std::optional<Literal> TimestampOf(const Given& given) {
  std::string text;
  constexpr const char* kBefore[] = {"", "-", "-", " ", ":", ":"};
  constexpr size_t kDigits[] = {4, 2, 2, 2, 2, 2};
  for (size_t i = 0; i < given.size(); ++i) {
    const bool seconds = i == 5 && given[i]->kind == LiteralKind::kNumeric;
    const std::string& written = given[i]->text;
    const size_t digits = std::min(written.find('.'), written.size());
    if ((given[i]->kind != LiteralKind::kInteger && !seconds) || written.starts_with('-') ||
        digits == 0 || digits > kDigits[i]) {
      return std::nullopt;
    }
    text += kBefore[i] + std::string(kDigits[i] - digits, '0') + written;
  }
  const std::optional<std::string> canonical = CanonicalTimestamp(text);
  return canonical ? std::optional(Written(LiteralKind::kTimestamp, *canonical)) : std::nullopt;
}

}  // namespace

std::optional<Literal> FoldPlain(const std::string& name, const Given& given) {
  if (given.empty()) return std::nullopt;
  if (name == "coalesce" || name == "greatest" || name == "least") return FoldChoice(name, given);
  if (name == "nullif" && given.size() == 2) {
    const std::optional<int> order = OrderOf(*given[0], *given[1]);
    if (!order) return std::nullopt;
    // NULL of another type than text would be one without a type.
    if (*order == 0 && given[0]->kind != LiteralKind::kString) return std::nullopt;
    return *order == 0 ? Literal{} : *given[0];
  }
  if (name == "abs" && given.size() == 1) {
    const std::optional<int64_t> value = WholeOf(*given[0]);
    if (!value || *value == INT64_MIN) return std::nullopt;
    return Written(LiteralKind::kInteger, std::to_string(*value < 0 ? -*value : *value));
  }
  if (name == "mod" && given.size() == 2) return FoldOperator("%", *given[0], *given[1]);
  if (name == "make_timestamp" && given.size() == 6) return TimestampOf(given);
  if (given[0]->kind != LiteralKind::kString) return std::nullopt;
  if (name == "string_to_array" && given.size() == 2 && given[1]->kind == LiteralKind::kString) {
    return ArrayOf(given[0]->text, given[1]->text);
  }
  return FoldText(name, given);
}

}  // namespace tacit::sql::constants
