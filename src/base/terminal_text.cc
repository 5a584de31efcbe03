#include "base/terminal_text.h"

#include <algorithm>

namespace tacit {

std::string Printable(std::string text) {
  const auto moves = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::replace_if(text.begin(), text.end(), moves, '?');
  return text;
}

size_t ColumnsOf(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string Padded(std::string_view text, size_t columns, Align align) {
  const size_t taken = ColumnsOf(text);
  const std::string blanks(columns > taken ? columns - taken : 0, ' ');
  std::string padded(text);
  return align == Align::kLeft ? padded + blanks : blanks + padded;
}

}  // namespace tacit
