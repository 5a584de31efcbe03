#include "engine/exact_tables.h"

namespace tacit::engine {

std::string Arrange(const plan::Release& release, ExactGroups& groups) {
  groups.Sort();
  if (!std::holds_alternative<plan::AllGroups>(release.selection)) return "";
  if (release.keys.empty() && groups.size() != 1) return "not one row";
  for (size_t i = 1; i < groups.size(); ++i) {
    // Noise would be drawn for it twice, and paid for once.
    if (groups.HaveSameKeys(i - 1, i)) return "a key came twice";
  }
  return "";
}

}  // namespace tacit::engine
