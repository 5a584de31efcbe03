#include <algorithm>
#include <array>
#include <charconv>

#include "sql/constants/calendar.h"
#include "sql/parse/literal.h"

namespace tacit::sql {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

bool IsLetterOrDigit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct Fields {
  int year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0, microsecond = 0;
};

struct Part {
  std::string_view name;  // in lower case
  size_t digits;
  int Fields::*field;
};
// Longer names first: HH24 before HH, MONTH before MON.
constexpr std::array<Part, 9> kParts = {{{"yyyy", 4, &Fields::year},
                                         {"hh24", 2, &Fields::hour},
                                         {"mi", 2, &Fields::minute},
                                         {"mm", 2, &Fields::month},
                                         {"dd", 2, &Fields::day},
                                         {"ss", 2, &Fields::second},
                                         {"ms", 3, &Fields::microsecond},
                                         {"us", 6, &Fields::microsecond},
                                         {"hh", 2, &Fields::hour}}};

bool TakeDigits(std::string_view& text, const Part& part, Fields& fields) {
  size_t count = 0;
  while (count < text.size() && count < part.digits && text[count] >= '0' && text[count] <= '9') {
    ++count;
  }
  if (count == 0) return false;
  int value = 0;
  std::from_chars(text.data(), text.data() + count, value);
  if (part.field == &Fields::microsecond) {
    for (size_t i = count; i < 6; ++i) value *= 10;
  }
  fields.*part.field = value;
  text.remove_prefix(count);
  return true;
}

bool TakeMonth(std::string_view& text, bool whole, Fields& fields) {
  const std::string lower = Lower(text.substr(0, 9));
  for (size_t i = 0; i < kMonths.size(); ++i) {
    const std::string_view name = whole ? kMonths[i] : kMonths[i].substr(0, 3);
    if (!std::string_view(lower).starts_with(name)) continue;
    fields.month = static_cast<int>(i) + 1;
    text.remove_prefix(name.size());
    return true;
  }
  return false;
}

// One field, or one character, of the pattern against the text; false: they differ.
bool TakeOne(std::string_view& pattern, std::string_view& text, Fields& fields) {
  const std::string lower = Lower(pattern.substr(0, 5));
  const std::string_view ahead = lower;
  for (const std::string_view name : {"month", "mon"}) {
    if (!ahead.starts_with(name)) continue;
    pattern.remove_prefix(name.size());
    return TakeMonth(text, name.size() == 5, fields);
  }
  for (const Part& part : kParts) {
    if (!ahead.starts_with(part.name)) continue;
    pattern.remove_prefix(part.name.size());
    return TakeDigits(text, part, fields);
  }
  const char written = pattern.front();
  pattern.remove_prefix(1);
  if (written == '"') return true;  // "T": what it encloses stands for itself
  if (text.empty()) return false;
  const char found = text.front();
  text.remove_prefix(1);
  if (IsLetterOrDigit(written)) return found == written && (written == 'T' || written == 'Z');
  return !IsLetterOrDigit(found);
}

}  // namespace

std::optional<int64_t> ReadByPattern(std::string_view text, std::string_view pattern) {
  Fields fields;
  while (!pattern.empty()) {
    if (!TakeOne(pattern, text, fields)) return std::nullopt;
  }
  if (!text.empty() && text.front() != ' ') return std::nullopt;
  const auto padded = [](int number, size_t width) {
    const std::string digits = std::to_string(number);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
  };
  // The one reader of timestamps decides whether there is such a day.
  const std::optional<std::string> canonical = CanonicalTimestamp(
      padded(fields.year, 4) + "-" + padded(fields.month, 2) + "-" + padded(fields.day, 2) + " " +
      padded(fields.hour, 2) + ":" + padded(fields.minute, 2) + ":" + padded(fields.second, 2) +
      "." + padded(fields.microsecond, 6));
  if (!canonical) return std::nullopt;
  return InstantOf({.kind = LiteralKind::kTimestamp, .text = *canonical, .interval = {}});
}

}  // namespace tacit::sql
