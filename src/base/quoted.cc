#include "base/quoted.h"

#include <algorithm>
#include <cstring>

namespace tacit {
namespace {

bool IsBareInShells(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::strchr("/._-+", c) != nullptr;
}

}  // namespace

std::string Doubled(std::string_view text, char mark) {
  std::string quoted(1, mark);
  for (const char c : text) {
    if (c == mark) quoted += mark;
    quoted += c;
  }
  return quoted + mark;
}

void AppendCsvCell(std::string_view cell, char delimiter, std::string& line) {
  const bool plain = cell.find(delimiter) == std::string_view::npos &&
                     cell.find_first_of("\"\r\n") == std::string_view::npos;
  if (plain) {
    line += cell;
  } else {
    line += Doubled(cell, '"');
  }
}

std::string CsvText(std::string_view text) {
  if (text.empty()) return "\"\"";
  std::string cell;
  AppendCsvCell(text, ',', cell);
  return cell;
}

std::string ShellQuoted(const std::string& text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), IsBareInShells)) return text;
  return InShellMarks(text);
}

std::string InShellMarks(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace tacit
