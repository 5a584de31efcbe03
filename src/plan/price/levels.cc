#include "plan/price/levels.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/blocks/keys/listed_groups.h"
#include "analysis/deep_walk.h"
#include "plan/price/draft.h"
#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

using analysis::Block;
using analysis::LevelTable;
using Set = std::vector<size_t>;  // of keys, rising

bool IsWithin(const Set& small, const Set& large) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

Set Common(const Set& a, const Set& b) {
  Set both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::set<size_t> MeasuresThatAddUp(const Block& block) {
  std::set<size_t> used;
  for (const analysis::ReleasedColumn& column : block.released) {
    if (!analysis::AddsUp(block, column)) continue;
    analysis::ForEachMeasure(column, [&](const size_t& index) { used.insert(index); });
  }
  return used;
}

// How far off each level is, for any choice of totals that are released by themselves.
class LevelErrors {
 public:
  LevelErrors(const LevelTable& levels, const Block& block, const policy::Privacy& privacy)
      : levels_(levels),
        groups_(block),
        all_(block.ShownKeys()),
        pure_(privacy.accounting == policy::Accounting::kPure) {
    const std::set<size_t> added = MeasuresThatAddUp(block);
    if (pure_ || added.empty()) return;
    const RowsPerUnit rows = RowsPerUnitOf(block, block.measures[*added.begin()].cap);
    own_variance_ = Integer(rows.all * rows.all).get_d() / rows.squares_by_group.get_d();
  }

  bool AreKnown() const { return groups_.By(all_).has_value(); }

  // In variances of one number of the release by all keys. `own` are totals of one another, the
  // coarsest first.
  // proof: plan/price/levels.md#the-error-of-a-level
  double VarianceOf(const Set& level, const std::vector<Set>& own) const {
    const double groups = GroupsBy(level);
    double sum = 0;
    double before = 0;
    for (const Set& released : own) {
      const double shared = GroupsBy(Common(level, released));
      sum += (shared - before) * GroupsBy(released) * own_variance_;
      before = shared;
    }
    sum += (groups - before) * GroupsBy(all_);
    return sum / (groups * groups);
  }

  double MeanError(const std::vector<Set>& own) const {
    double sum = 0;
    for (const Set& level : levels_.sets) sum += std::sqrt(VarianceOf(level, own));
    return sum / static_cast<double>(levels_.sets.size());
  }

  // How much more noise a number has where so many releases more share the price.
  double Dearer(size_t shares, size_t more) const {
    const double ratio = static_cast<double>(shares + more) / static_cast<double>(shares);
    return pure_ ? ratio : std::sqrt(ratio);
  }

 private:
  double GroupsBy(const Set& keys) const {
    return std::max(groups_.By(keys).value_or(Integer(1)).get_d(), 1.0);
  }

  const LevelTable& levels_;
  analysis::ListedGroups groups_;
  Set all_;
  bool pure_;
  double own_variance_ = 1;
};

// Whether it is a total of all that are chosen, or they of it, and is none of them.
bool FitsAmong(const Set& level, const std::vector<Set>& own, const Block& block) {
  if (level.size() == block.keys.size()) return false;
  return std::all_of(own.begin(), own.end(), [&](const Set& other) {
    return other != level && (IsWithin(level, other) || IsWithin(other, level));
  });
}

// One total after the other, as long as the mean error of all that is released becomes less by it.
// proof: plan/price/levels.md#the-choice
std::vector<Set> ChooseOwn(const LevelTable& levels, const Block& block, size_t shares,
                           const policy::Privacy& privacy) {
  const size_t added = MeasuresThatAddUp(block).size();
  const LevelErrors errors(levels, block, privacy);
  if (added == 0 || block.HasPrivateKeys() || !errors.AreKnown()) return {};
  const auto mean = [&](const std::vector<Set>& own) {
    const double others = static_cast<double>(shares - added);
    const double sum = static_cast<double>(added) * errors.MeanError(own) + others;
    return errors.Dearer(shares, added * own.size()) * sum / static_cast<double>(shares);
  };
  std::vector<Set> own;
  double least = mean(own);
  for (bool found = true; found;) {
    found = false;
    std::vector<Set> best = own;
    for (const Set& level : levels.sets) {
      if (!FitsAmong(level, own, block)) continue;
      std::vector<Set> tried = own;
      tried.push_back(level);
      std::sort(tried.begin(), tried.end(),
                [](const Set& a, const Set& b) { return a.size() < b.size(); });
      // A thousandth: what rounding could turn round is no reason.
      if (const double error = mean(tried); error < 0.999 * least) {
        least = error;
        best = std::move(tried);
        found = true;
      }
    }
    own = std::move(best);
  }
  return own;
}

Block TotalsOf(const Block& block, size_t index, const Set& keys) {
  Block totals = block;
  totals.name = block.name + " totals";
  for (const size_t key : keys) totals.name += " k" + std::to_string(key + 1);
  totals.totals = analysis::Totals{.of = index, .keys = keys};
  std::erase_if(totals.released, [&](const analysis::ReleasedColumn& column) {
    return !analysis::AddsUp(block, column);
  });
  const std::set<size_t> used = MeasuresThatAddUp(block);
  totals.measures.clear();
  for (const size_t measure : used) totals.measures.push_back(block.measures[measure]);
  for (analysis::ReleasedColumn& column : totals.released) {
    analysis::ForEachMeasure(column, [&](size_t& measure) {
      measure = static_cast<size_t>(std::distance(used.begin(), used.find(measure)));
    });
  }
  return totals;
}

// The block takes the place `at`; what stands there or behind it moves on by one.
void Insert(analysis::Facts& facts, Block block, size_t at) {
  const auto move = [&](size_t& index) { index += index >= at ? 1 : 0; };
  for (Block& other : facts.blocks) {
    for (size_t& index : other.made_from) move(index);
    if (other.totals) move(other.totals->of);
  }
  for (LevelTable& levels : facts.levels) {
    move(levels.block);
    for (size_t& own : levels.own) move(own);
  }
  for (analysis::PostColumn& column : facts.columns) {
    if (column.shows) move(column.shows->first);
  }
  facts.blocks.insert(facts.blocks.begin() + static_cast<ptrdiff_t>(at), std::move(block));
}

// Whoever reads the levels is made from their totals, too.
void AddOwn(analysis::Facts& facts, size_t table, size_t own) {
  facts.levels[table].own.push_back(own);
  for (Block& block : facts.blocks) {
    const bool reads = std::any_of(
        block.constants.begin(), block.constants.end(), [&](const analysis::Constant& constant) {
          return analysis::TableNamesIn(constant.query).contains(facts.levels[table].name);
        });
    if (!reads) continue;
    block.made_from.push_back(own);
    std::sort(block.made_from.begin(), block.made_from.end());
  }
}

}  // namespace

analysis::Facts WithOwnLevels(const analysis::Facts& facts, const policy::Privacy& privacy) {
  analysis::Facts wider = facts;
  for (size_t table = 0; table < wider.levels.size(); ++table) {
    const std::vector<Draft> drafts = MakeDrafts(wider, privacy);
    const Block& drafted = drafts[wider.levels[table].block].block;
    for (const Set& keys : ChooseOwn(wider.levels[table], drafted, SharesOf(drafts), privacy)) {
      const size_t base = wider.levels[table].block;
      Block totals = TotalsOf(wider.blocks[base], base, keys);
      size_t own = base + 1;
      const auto is_it = [&](const Block& block) { return block.name == totals.name; };
      const auto known = std::find_if(wider.blocks.begin(), wider.blocks.end(), is_it);
      if (known != wider.blocks.end()) {
        own = static_cast<size_t>(known - wider.blocks.begin());
      } else {
        Insert(wider, std::move(totals), own);
      }
      AddOwn(wider, table, own);
    }
  }
  return wider;
}

Integer LargestVariance(const LevelTable& levels, const std::vector<Block>& blocks,
                        const Block& block, const policy::Privacy& privacy) {
  const LevelErrors errors(levels, block, privacy);
  std::vector<Set> own;
  for (const size_t index : levels.own) own.push_back(blocks[index].totals->keys);
  std::sort(own.begin(), own.end(), [](const Set& a, const Set& b) { return a.size() < b.size(); });
  double largest = 1;
  for (const Set& level : levels.sets) largest = std::max(largest, errors.VarianceOf(level, own));
  return Integer(std::ceil(largest));
}

}  // namespace tacit::plan
