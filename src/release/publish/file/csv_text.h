#pragma once

#include <string>

namespace tacit::release {

// A text as a field of a CSV file. An empty one is "", so that it is not taken for NULL.
inline std::string CsvText(const std::string& text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace tacit::release
