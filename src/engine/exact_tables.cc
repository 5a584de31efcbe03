#include "engine/exact_tables.h"

namespace tacit::engine {

std::string Arrange(const plan::Release& release, ExactGroups groups, ExactRelease* exact) {
  groups.Sort();
  if (!std::holds_alternative<plan::AllGroups>(release.selection)) {
    *exact = PrivateTable{Sensitive<ExactGroups>(std::move(groups))};
    return "";
  }
  if (release.keys.empty() && groups.size() != 1) return "not one row";
  ExactTable table;
  for (size_t i = 0; i < groups.size(); ++i) {
    // Noise would be drawn for it twice, and paid for once.
    if (i > 0 && groups.HaveSameKeys(i - 1, i)) return "a key came twice";
    ExactGroup group = groups.At(i);
    ExactRow row{.keys = std::move(group.keys), .measures = {}};
    for (ExactNumber& number : group.measures) row.measures.emplace_back(std::move(number));
    table.rows.push_back(std::move(row));
  }
  *exact = std::move(table);
  return "";
}

}  // namespace tacit::engine
