#pragma once

#include <string>
#include <vector>

namespace tacit::plan {

// The parts between the separators, empty ones too; none of an empty text.
inline std::vector<std::string> PartsOf(const std::string& text, char separator) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  size_t from = 0;
  for (size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, from)) {
    parts.push_back(text.substr(from, at - from));
    from = at + 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

}  // namespace tacit::plan
