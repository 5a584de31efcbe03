#include "plan/above/levels.h"

#include <algorithm>
#include <set>

#include "plan/above/finish.h"

namespace tacit::plan {
namespace {

std::string KeyColumnName(size_t key) { return "k" + std::to_string(key + 1); }
std::string MeasureColumnName(size_t measure) { return "m" + std::to_string(measure + 1); }

std::string AddedTo(const std::string& list, const std::string& next) {
  return list.empty() ? next : list + ", " + next;
}

// The block with the columns that add up, and nothing else.
analysis::Block Summed(const analysis::Block& block) {
  analysis::Block summed = block;
  std::erase_if(summed.released, [&](const analysis::ReleasedColumn& column) {
    return !analysis::AddsUp(block, column);
  });
  return summed;
}

// The groups, moved so that they add up to totals: what is missing in a total is shared out among
// its groups in whole numbers, as evenly as they allow. The i-th of n has d / n, and one more as
// often as keeps the first i within one of their share: of neighbours in this order that make up a
// finer total, it has its share too.
// proof: plan/price/levels.md#moved-groups
std::string MovedTo(const std::vector<size_t>& totals, const std::string& totals_from,
                    const std::string& from, const std::vector<size_t>& order,
                    const std::set<size_t>& measures) {
  std::string on;
  std::string within;
  for (const size_t key : totals) {
    const std::string name = KeyColumnName(key);
    on += (on.empty() ? "" : " AND ") + ("g." + name) + " IS NOT DISTINCT FROM t." + name;
    within = AddedTo(within, "g." + name);
  }
  if (!within.empty()) within = "PARTITION BY " + within;
  std::string keys;
  std::string places;
  for (const size_t key : order) {
    keys = AddedTo(keys, "g." + KeyColumnName(key));
    places = AddedTo(places, KeyColumnName(key));
  }
  std::string found = keys + ", CAST(count(*) OVER (" + within + ") AS HUGEINT) AS n, " +
                      "CAST(row_number() OVER (" + within + " ORDER BY " + keys +
                      ") AS HUGEINT) AS i";
  std::string parted = places + ", n, i";
  std::string moved = places;
  size_t number = 0;
  for (const size_t measure : measures) {
    const std::string name = MeasureColumnName(measure);
    const std::string missing = "d" + name;
    const std::string rest = "((" + missing + " % n + n) % n)";
    found += ", CAST(g." + name + " AS HUGEINT) AS " + name + ", CAST(t." +
             MeasureColumnName(number++) + " - sum(g." + name + ") OVER (" + within +
             ") AS HUGEINT) AS " + missing;
    parted += ", " + name + ", " + missing + ", " + rest + " AS r" + name;
    moved += ", " + name + " + (" + missing + " - r" + name + ") // n + (i * r" + name +
             ") // n - ((i - 1) * r" + name + ") // n AS " + name;
  }
  return "(SELECT " + moved + " FROM (SELECT " + parted + " FROM (SELECT " + found + " FROM " +
         from + " AS g JOIN " + totals_from + " AS t ON " + (on.empty() ? "true" : on) +
         ") AS found) AS parted)";
}

// From the finest totals to the coarsest: each leaves the shares of those before within one.
std::string Moved(const analysis::LevelTable& levels, const std::vector<analysis::Block>& blocks,
                  const std::set<size_t>& measures, const ReleasedFrom& from) {
  std::vector<size_t> own = levels.own;
  std::sort(own.begin(), own.end(), [&](size_t a, size_t b) {
    return blocks[a].totals->keys.size() < blocks[b].totals->keys.size();
  });
  // Groups of a coarser total stand together, and in them those of a finer one.
  std::vector<size_t> order;
  const auto add = [&](size_t key) {
    if (std::find(order.begin(), order.end(), key) == order.end()) order.push_back(key);
  };
  for (const size_t index : own) {
    for (const size_t key : blocks[index].totals->keys) add(key);
  }
  for (const size_t key : blocks[levels.block].ShownKeys()) add(key);
  std::string moved = from(levels.block);
  std::reverse(own.begin(), own.end());
  for (const size_t index : own) {
    moved = MovedTo(blocks[index].totals->keys, from(index), moved, order, measures);
  }
  return moved;
}

std::string OneLevel(const analysis::Block& block, const std::vector<size_t>& set, size_t number,
                     const std::set<size_t>& measures, const std::string& from) {
  std::string items;
  std::string groups;
  for (size_t i = 0; i < block.keys.size(); ++i) {
    const std::string key = KeyColumnName(i);
    const bool grouped = std::find(set.begin(), set.end(), i) != set.end();
    items += grouped ? key + ", " : "NULL AS " + key + ", ";
    if (grouped) groups += (groups.empty() ? " GROUP BY " : ", ") + key;
  }
  for (const size_t measure : measures) {
    const std::string name = MeasureColumnName(measure);
    items += "CAST(coalesce(sum(" + name + "), 0) AS HUGEINT) AS " + name + ", ";
  }
  items += std::to_string(number) + " AS " + analysis::kLevelColumn;
  // A total of nothing is still one row.
  if (measures.empty() && groups.empty()) return "SELECT " + items;
  return "SELECT " + items + " FROM " + from + groups;
}

}  // namespace

std::string LevelsSql(const analysis::LevelTable& levels,
                      const std::vector<analysis::Block>& blocks, const analysis::Block& block,
                      const std::vector<Measure>& measures, const ReleasedFrom& from) {
  const analysis::Block summed = Summed(block);
  std::set<size_t> used;
  for (const analysis::ReleasedColumn& column : summed.released) {
    analysis::ForEachMeasure(column, [&](const size_t& index) { used.insert(index); });
  }
  const std::string moved = Moved(levels, blocks, used, from);
  std::string all;
  for (size_t i = 0; i < levels.sets.size(); ++i) {
    all += (all.empty() ? "" : " UNION ALL ") + OneLevel(block, levels.sets[i], i, used, moved);
  }
  // The engine reads the parts of a UNION ALL in any order, and asked again an answer is the same.
  all += std::string(" ORDER BY ") + analysis::kLevelColumn;
  for (size_t i = 0; i < block.keys.size(); ++i) all += ", " + KeyColumnName(i);
  return FinishSql(summed, measures, "(" + all + ")", {analysis::kLevelColumn});
}

}  // namespace tacit::plan
