#include "plan/workload/least_squares.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"
#include "plan/workload/range_precisions.h"

namespace tacit::plan::workload {
namespace {

bool IsWithin(AttributeSet part, AttributeSet whole) { return (part & ~whole) == 0; }

// Adds up over one attribute of `set`, or (with `spread`) gives every cell the mean over it.
Cells OverOne(const CellCounts& counts, AttributeSet set, size_t attribute, const Cells& cells,
              bool spread) {
  size_t inner = 1;
  for (const size_t i : MembersOf(set)) {
    if (i > attribute) inner *= counts[i];
  }
  const size_t own = counts[attribute];
  const size_t outer = cells.size() / (inner * own);
  Cells result(spread ? cells.size() : outer * inner, 0);
  for (size_t o = 0; o < outer; ++o) {
    for (size_t k = 0; k < inner; ++k) {
      double sum = 0;
      for (size_t v = 0; v < own; ++v) sum += cells[(o * own + v) * inner + k];
      if (!spread) {
        result[o * inner + k] = sum;
        continue;
      }
      for (size_t v = 0; v < own; ++v) {
        result[(o * own + v) * inner + k] = sum / static_cast<double>(own);
      }
    }
  }
  return result;
}

// The table by `part` alone.
Cells AddedUp(const CellCounts& counts, AttributeSet set, AttributeSet part, Cells cells) {
  for (const size_t i : MembersOf(set & ~part)) {
    cells = OverOne(counts, set, i, cells, false);
    set &= ~(AttributeSet{1} << i);
  }
  return cells;
}

// What the table says beyond its own totals.
Cells Residual(const CellCounts& counts, AttributeSet set, Cells cells) {
  for (const size_t i : MembersOf(set)) {
    const Cells means = OverOne(counts, set, i, cells, true);
    for (size_t c = 0; c < cells.size(); ++c) cells[c] -= means[c];
  }
  return cells;
}

// Adds a table by `part` to one by `set`, evenly over what it does not know.
void AddSpread(const CellCounts& counts, AttributeSet set, AttributeSet part, const Cells& cells,
               Cells& into) {
  const std::vector<size_t> members = MembersOf(set);
  const double share = CellsIn(counts, part) / CellsIn(counts, set);
  for (size_t c = 0; c < into.size(); ++c) {
    size_t left = c;
    size_t place = 0;
    size_t stride = 1;
    for (size_t m = members.size(); m-- > 0;) {
      const size_t code = left % counts[members[m]];
      left /= counts[members[m]];
      if ((part >> members[m] & 1) == 0) continue;
      place += code * stride;
      stride *= counts[members[m]];
    }
    into[c] += cells[place] * share;
  }
}

}  // namespace

double CellsIn(const CellCounts& counts, AttributeSet set) {
  double cells = 1;
  for (const size_t i : MembersOf(set)) cells *= static_cast<double>(counts[i]);
  return cells;
}

double PrecisionOf(const CellCounts& counts, const Precisions& measured, AttributeSet set) {
  double precision = 0;
  for (const auto& [table, own] : measured) {
    if (IsWithin(set, table)) precision += own * CellsIn(counts, set) / CellsIn(counts, table);
  }
  return precision;
}

Precisions ChoosePrecisions(const CellCounts& counts, const Precisions& wished,
                            const std::vector<RangeWish>& ranges) {
  std::vector<AttributeSet> sets;
  for (const auto& [set, precision] : wished) sets.push_back(set);
  std::stable_sort(sets.begin(), sets.end(), [](AttributeSet a, AttributeSet b) {
    return std::popcount(a) > std::popcount(b);
  });
  Precisions chosen = PrecisionsOfRanges(counts, ranges);
  for (const AttributeSet set : sets) {
    const double missing = wished.at(set) - PrecisionOf(counts, chosen, set);
    // What is next to nothing is left to rounding.
    if (missing > wished.at(set) * 1e-9) chosen[set] += missing;
  }
  return chosen;
}

Cells Estimate(const CellCounts& counts, const Precisions& measured,
               const std::map<AttributeSet, Cells>& noisy, AttributeSet set) {
  Cells estimate(static_cast<size_t>(CellsIn(counts, set)), 0);
  // Every subset, the empty one last.
  for (AttributeSet part = set;; part = (part - 1) & set) {
    Cells mean(static_cast<size_t>(CellsIn(counts, part)), 0);
    double all = 0;
    for (const auto& [table, precision] : measured) {
      if (!IsWithin(part, table)) continue;
      const double weight = precision * CellsIn(counts, part) / CellsIn(counts, table);
      const Cells added = AddedUp(counts, table, part, noisy.at(table));
      for (size_t c = 0; c < mean.size(); ++c) mean[c] += weight * added[c];
      all += weight;
    }
    TACIT_ASSERT(all > 0);
    for (double& cell : mean) cell /= all;
    AddSpread(counts, set, part, Residual(counts, part, std::move(mean)), estimate);
    if (part == 0) break;
  }
  return estimate;
}

}  // namespace tacit::plan::workload
