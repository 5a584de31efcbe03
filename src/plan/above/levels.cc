#include "plan/above/levels.h"

#include <algorithm>
#include <set>

#include "analysis/blocks/levels.h"
#include "plan/above/finish.h"

namespace tacit::plan {
namespace {

// The block with the columns that add up, and nothing else.
analysis::Block Summed(const analysis::Block& block) {
  analysis::Block summed = block;
  std::erase_if(summed.released, [&](const analysis::ReleasedColumn& column) {
    return !analysis::AddsUp(block, column);
  });
  return summed;
}

std::string OneLevel(const analysis::Block& block, const std::vector<size_t>& set, size_t number,
                     const std::set<size_t>& measures, const std::string& from) {
  std::string items;
  std::string groups;
  for (size_t i = 0; i < block.keys.size(); ++i) {
    const std::string key = "k" + std::to_string(i + 1);
    const bool grouped = std::find(set.begin(), set.end(), i) != set.end();
    items += grouped ? key + ", " : "NULL AS " + key + ", ";
    if (grouped) groups += (groups.empty() ? " GROUP BY " : ", ") + key;
  }
  for (const size_t measure : measures) {
    const std::string name = "m" + std::to_string(measure + 1);
    items += "CAST(coalesce(sum(" + name + "), 0) AS HUGEINT) AS " + name + ", ";
  }
  items += std::to_string(number) + " AS " + analysis::kLevelColumn;
  // A total of nothing is still one row.
  if (measures.empty() && groups.empty()) return "SELECT " + items;
  return "SELECT " + items + " FROM " + from + groups;
}

}  // namespace

std::string LevelsSql(const analysis::LevelTable& levels, const analysis::Block& block,
                      const std::vector<Measure>& measures, const std::string& from) {
  const analysis::Block summed = Summed(block);
  std::set<size_t> used;
  for (const analysis::ReleasedColumn& column : summed.released) {
    analysis::ForEachMeasure(column, [&](const size_t& index) { used.insert(index); });
  }
  std::string all;
  for (size_t i = 0; i < levels.sets.size(); ++i) {
    all += (all.empty() ? "" : " UNION ALL ") + OneLevel(block, levels.sets[i], i, used, from);
  }
  // The engine reads the parts of a UNION ALL in any order, and asked again an answer is the same.
  all += std::string(" ORDER BY ") + analysis::kLevelColumn;
  for (size_t i = 0; i < block.keys.size(); ++i) all += ", k" + std::to_string(i + 1);
  return FinishSql(summed, measures, "(" + all + ")", {analysis::kLevelColumn});
}

Integer SummedAtMost(const analysis::LevelTable& levels, const analysis::Block& block) {
  Integer most = 1;
  for (const std::vector<size_t>& set : levels.sets) {
    most = std::max(most, analysis::SummedFor(block, set));
  }
  return most;
}

}  // namespace tacit::plan
