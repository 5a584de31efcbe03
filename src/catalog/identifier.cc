#include "catalog/identifier.h"

#include <algorithm>

#include "policy/schema.h"

namespace tacit::catalog {

std::optional<std::vector<std::string>> ParseIdentifier(std::string_view text) {
  std::vector<std::string> parts;
  size_t i = 0;
  while (true) {
    std::string part;
    if (i < text.size() && text[i] == '"') {
      for (++i;; ++i) {
        if (i >= text.size()) return std::nullopt;
        if (text[i] == '"') {
          if (i + 1 < text.size() && text[i + 1] == '"') {
            ++i;
          } else {
            break;
          }
        }
        part += text[i];
      }
      ++i;
    } else {
      const size_t end = std::min(text.find_first_of(".\"", i), text.size());
      part = policy::FoldedName(text.substr(i, end - i));
      i = end;
    }
    if (part.empty()) return std::nullopt;
    parts.push_back(std::move(part));
    if (i == text.size()) return parts;
    if (text[i] != '.') return std::nullopt;
    ++i;
  }
}

}  // namespace tacit::catalog
