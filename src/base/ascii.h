#pragma once

#include <string>
#include <string_view>

namespace tacit {

inline constexpr char LowerLetter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The letters A to Z as small ones, whatever the locale; all other bytes as they are.
inline std::string InSmallLetters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = LowerLetter(c);
  return small;
}

}  // namespace tacit
