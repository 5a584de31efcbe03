#include <array>
#include <vector>

#include "sql/functions/patterns/pattern.h"

namespace tacit::sql {
namespace {

using Kind = TimePart::Kind;

struct Word {
  std::string_view written;  // as PostgreSQL names it: case tells Mon from MON
  std::string_view format;   // strftime's
  Kind kind = Kind::kFormat;
  std::string_view bare = {};  // the same without leading zeros or blanks: FM before it
};

// Longer ones first.
constexpr std::array<Word, 32> kWords = {
    {{"HH24", "%H", Kind::kFormat, "%-H"},      {"HH12", "%I", Kind::kFormat, "%-I"},
     {"month", "%B", Kind::kLowerPadded, "%B"}, {"day", "%A", Kind::kLowerPadded, "%A"},
     {"mon", "%b", Kind::kLower, "%b"},         {"dy", "%a", Kind::kLower, "%a"},
     {"am", "%p", Kind::kLower, "%p"},          {"pm", "%p", Kind::kLower, "%p"},
     {"YYYY", "%Y", Kind::kFormat, "%Y"},       {"IYYY", "%G", Kind::kFormat, "%G"},
     {"Month", "%B", Kind::kPadded, "%B"},      {"MONTH", "%B", Kind::kUpperPadded, "%B"},
     {"Mon", "%b", Kind::kFormat, "%b"},        {"MON", "%b", Kind::kUpper, "%b"},
     {"Day", "%A", Kind::kPadded, "%A"},        {"DAY", "%A", Kind::kUpperPadded, "%A"},
     {"DDD", "%j", Kind::kFormat, "%-j"},       {"Dy", "%a", Kind::kFormat, "%a"},
     {"DY", "%a", Kind::kUpper, "%a"},          {"DD", "%d", Kind::kFormat, "%-d"},
     {"MM", "%m", Kind::kFormat, "%-m"},        {"MI", "%M", Kind::kFormat, "%-M"},
     {"MS", "%g", Kind::kFormat, "%g"},         {"SS", "%S", Kind::kFormat, "%-S"},
     {"US", "%f", Kind::kFormat, "%f"},         {"HH", "%I", Kind::kFormat, "%-I"},
     {"IW", "%V", Kind::kFormat, "%V"},         {"ID", "%u", Kind::kFormat, "%u"},
     {"YY", "%y", Kind::kFormat, "%y"},         {"AM", "%p", Kind::kFormat, "%p"},
     {"PM", "%p", Kind::kFormat, "%p"},         {"Q", "", Kind::kQuarter, ""}}};

void AddText(std::vector<TimePart>& parts, std::string_view text) {
  if (parts.empty() || parts.back().kind != Kind::kFormat) parts.emplace_back();
  for (const char c : text) parts.back().format += c == '%' ? std::string("%%") : std::string(1, c);
}

// SSSS, the second of the day, and IDDD, the day of an ISO year, are no SS and no ID.
bool IsLongerWord(std::string_view pattern) {
  std::string upper(pattern.substr(0, 4));
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return upper == "SSSS" || upper == "IDDD";
}

const Word* WordAt(std::string_view pattern) {
  if (IsLongerWord(pattern)) return nullptr;
  for (const Word& word : kWords) {
    if (pattern.starts_with(word.written)) return &word;
  }
  // Fields of digits are written in either case: yyyy-mm-dd.
  std::string upper(pattern.substr(0, 4));
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  for (const Word& word : kWords) {
    const bool digits = word.kind == Kind::kQuarter ||
                        (word.kind == Kind::kFormat && word.written != "Mon" &&
                         word.written != "Dy" && word.written != "AM" && word.written != "PM");
    if (digits && std::string_view(upper).starts_with(word.written)) return &word;
  }
  return nullptr;
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::optional<std::vector<TimePart>> TimePartsOf(std::string_view pattern) {
  if (pattern.empty() || pattern.size() > 100) return std::nullopt;
  std::vector<TimePart> parts;
  while (!pattern.empty()) {
    if (pattern.front() == '"') {
      const size_t end = pattern.find('"', 1);
      if (end == std::string_view::npos) return std::nullopt;
      AddText(parts, pattern.substr(1, end - 1));
      pattern.remove_prefix(end + 1);
      continue;
    }
    // TM: in the words of the session's language, which is English, without blanks.
    const bool bare = pattern.starts_with("FM") || pattern.starts_with("TM");
    const Word* word = WordAt(pattern.substr(bare ? 2 : 0));
    if (word == nullptr) {
      if (bare || IsLetter(pattern.front()) || static_cast<unsigned char>(pattern.front()) < 0x20) {
        return std::nullopt;
      }
      AddText(parts, pattern.substr(0, 1));
      pattern.remove_prefix(1);
      continue;
    }
    pattern.remove_prefix(word->written.size() + (bare ? 2 : 0));
    Kind kind = word->kind;
    if (bare && kind == Kind::kPadded) kind = Kind::kFormat;
    if (bare && kind == Kind::kUpperPadded) kind = Kind::kUpper;
    if (bare && kind == Kind::kLowerPadded) kind = Kind::kLower;
    const std::string format(bare ? word->bare : word->format);
    if (kind == Kind::kFormat && !parts.empty() && parts.back().kind == Kind::kFormat) {
      parts.back().format += format;
    } else {
      parts.push_back({.kind = kind, .format = format});
    }
  }
  return parts;
}

}  // namespace tacit::sql
