#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Regular expressions, which run by RE2: in time linear in the text, whatever the pattern. Only
// what PostgreSQL and RE2 read alike is taken; internal to src/sql.
namespace tacit::sql {

// What is wrong with a pattern; empty when nothing is.
std::string ComplainRegex(std::string_view pattern);

// Whether a pattern has a group that is kept: (a), not (?:a).
bool HasGroup(std::string_view pattern);

// SIMILAR TO's pattern, escaped by a backslash, as a regular expression of the whole text.
std::optional<std::string> RegexOfSimilar(std::string_view pattern);

// to_char's pattern of a date or time as parts: what strftime writes, or one field beside it.
struct TimePart {
  enum class Kind { kFormat, kUpper, kLower, kPadded, kUpperPadded, kLowerPadded, kQuarter };
  Kind kind = Kind::kFormat;
  std::string format;  // of strftime; of kQuarter none
};
std::optional<std::vector<TimePart>> TimePartsOf(std::string_view pattern);

}  // namespace tacit::sql
