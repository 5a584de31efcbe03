#include <algorithm>
#include <cstdio>
#include <string_view>

#include "tacit/commands.h"

namespace tacit::app {
namespace {

bool StartsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// "LINE 2: FROM people" with a caret below the place, as psql shows it. Long lines are cut around
// the place; control bytes are shown as blanks.
std::string Excerpt(std::string_view text, size_t position) {
  // Why 76: with "LINE 1: " before it, a terminal of 84 columns holds it.
  constexpr size_t kWidthMax = 76;
  position = std::min(position, text.size());
  const size_t start = text.substr(0, position).rfind('\n') + 1;  // npos + 1 is the first byte
  const size_t end = std::min(text.find('\n', position), text.size());
  const auto number =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), '\n') + 1;
  std::string_view line = text.substr(start, end - start);
  size_t place = position - start;
  bool cut = false;
  if (line.size() > kWidthMax && place > kWidthMax / 2) {
    size_t first = place - kWidthMax / 2;
    while (first < place && !StartsCharacter(line[first])) ++first;
    line.remove_prefix(first);
    place -= first;
    cut = true;
  }
  size_t size = std::min(line.size(), kWidthMax);
  while (size > place && size < line.size() && !StartsCharacter(line[size])) --size;
  const std::string lead = "LINE " + std::to_string(number) + ": " + (cut ? "..." : "");
  std::string shown(line.substr(0, size));
  std::replace_if(
      shown.begin(), shown.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  const auto columns = static_cast<size_t>(std::count_if(
      shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(std::min(place, shown.size())),
      StartsCharacter));
  return lead + shown + (size < line.size() ? "..." : "") + "\n" +
         std::string(lead.size() + columns, ' ') + "^\n";
}

// Continuation lines stand below the first word, so that a hint reads as one block.
void PrintMessage(const char* kind, std::string_view text) {
  constexpr size_t kWidthMax = 110;
  const std::string indent(std::string_view(kind).size() + 3, ' ');
  std::string out = std::string(kind) + ":  ";
  size_t column = out.size();
  while (!text.empty()) {
    const size_t end = std::min(
        text.find(' ') == std::string_view::npos ? text.size() : text.find(' ') + 1, text.size());
    if (column + end > kWidthMax && column > indent.size()) {
      out.erase(out.find_last_not_of(' ') + 1);
      out += "\n" + indent;
      column = indent.size();
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(end);
  }
  std::fprintf(stderr, "%s\n", out.c_str());
}

int ExitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return kExitWrongFlags;
    case ErrorCode::kRefused:
    case ErrorCode::kUnsupported:
    case ErrorCode::kInvalidQuery:
      return kExitNotAccepted;
    case ErrorCode::kBudgetExhausted:
      return kExitBudgetExhausted;
    case ErrorCode::kUnavailable:
      return kExitUnavailable;
    case ErrorCode::kInternal:
      return kExitFailed;
  }
  return kExitFailed;
}

}  // namespace

int Report(const Error& error, std::string_view query) {
  PrintMessage("ERROR", error.public_message);
  if (error.position && *error.position >= 0 && !query.empty()) {
    std::fputs(Excerpt(query, static_cast<size_t>(*error.position)).c_str(), stderr);
  }
  if (!error.hint.empty()) PrintMessage("HINT", error.hint);
  return ExitCodeOf(error.code);
}

Result<Rational> ReadNumber(const std::string& flag, const std::string& text) {
  Result<Rational> value = ParseRational(text);
  if (value.ok()) return value;
  Error error = std::move(value).error();
  error.public_message = flag + ": " + error.public_message;
  return error;
}

}  // namespace tacit::app
