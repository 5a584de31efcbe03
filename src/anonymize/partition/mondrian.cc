#include "anonymize/partition/mondrian.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "anonymize/table/measure_text.h"

namespace tacit::anonymize {
namespace {

// Rows are copied together with their codes and moved as they are cut: every pass then reads memory
// in order, which is what makes a million rows quick.
class Cutter {
 public:
  Cutter(std::span<const Domain> domains, std::span<const uint32_t> rows,
         const Requirement& requirement, SensitiveColumn* sensitive)
      : domains_(domains),
        columns_(domains.size()),
        stride_(columns_ + 2),
        requirement_(requirement),
        sensitive_(requirement.LooksAtSensitive() ? sensitive : nullptr),
        records_(rows.size() * stride_),
        spare_(rows.size() * stride_),
        bounds_(columns_),
        whole_(columns_) {
    for (size_t j = 0; j < columns_; ++j) {
      for (size_t i = 0; i < rows.size(); ++i) {
        records_[i * stride_ + j] = domains[j].codes[rows[i]];
      }
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      records_[i * stride_ + columns_] = sensitive_ ? sensitive_->CodeOf(rows[i]) : 0;
      records_[i * stride_ + columns_ + 1] = rows[i];
    }
  }

  Classes Run() {
    Classes classes;
    classes.columns = columns_;
    classes.rows.reserve(records_.size() / stride_);
    std::vector<Part> open = {{0, records_.size() / stride_}};
    FindBounds(open[0]);
    whole_ = bounds_;
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      FindBounds(part);
      if (!Cut(part)) {
        Emit(part, classes);
        continue;
      }
      // Last in, first out: the first part comes next, so classes come in the order of the cuts.
      open.insert(open.end(), parts_.rbegin(), parts_.rend());
    }
    return classes;
  }

 private:
  struct Part {
    size_t begin, end;
    size_t size() const { return end - begin; }
  };

  uint32_t* Record(size_t i) { return records_.data() + i * stride_; }

  void FindBounds(Part part) {
    const uint32_t* record = Record(part.begin);
    low_.assign(record, record + columns_);
    high_ = low_;
    uint32_t* const low = low_.data();
    uint32_t* const high = high_.data();
    for (size_t i = part.begin + 1; i < part.end; ++i) {
      record += stride_;
      for (size_t j = 0; j < columns_; ++j) {
        low[j] = std::min(low[j], record[j]);
        high[j] = std::max(high[j], record[j]);
      }
    }
    for (size_t j = 0; j < columns_; ++j) bounds_[j] = {low[j], high[j]};
  }

  double Extent(size_t j, Bounds bounds) const {
    const Domain& domain = domains_[j];
    if (domain.kind == Kind::kNumber) {
      const double range = domain.numbers[bounds.high] - domain.numbers[bounds.low];
      // Only a missing cell and the smallest number are that near; they can be told apart too.
      return range > 0 ? range : 1e-9;
    }
    if (domain.kind == Kind::kCategory) return bounds.high - bounds.low;
    const Hierarchy& tree = *domain.hierarchy;
    const Hierarchy::Node& node = tree.nodes[tree.LowestOver(bounds.low, bounds.high)];
    return node.end - node.first;
  }

  // Of the part whose bounds are in bounds_; leaves the pieces in parts_.
  bool Cut(Part part) {
    if (part.size() < 2 * size_t{requirement_.k}) return false;
    widths_.clear();
    for (size_t j = 0; j < columns_; ++j) {
      if (bounds_[j].low == bounds_[j].high) continue;
      widths_.emplace_back(Extent(j, bounds_[j]) / Extent(j, whole_[j]), j);
    }
    // Of equally wide ones the first named is cut first.
    std::stable_sort(widths_.begin(), widths_.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    return std::any_of(widths_.begin(), widths_.end(), [&](const auto& width) {
      const size_t j = width.second;
      return domains_[j].kind == Kind::kHierarchy ? CutByGroups(part, j) : CutAtMedian(part, j);
    });
  }

  // The codes below which to cut, best balanced first; 0 for none.
  std::pair<uint32_t, uint32_t> MedianCuts(Part part, size_t j) {
    const uint32_t low = bounds_[j].low;
    const size_t span = size_t{bounds_[j].high} - low + 1;
    const size_t half = (part.size() + 1) / 2;
    uint32_t median = 0;
    size_t below = 0, at = 0;
    // Why twice the rows: counting clears `span` numbers, selection moves `size` several times.
    if (span <= 2 * part.size() + 64) {
      tally_.assign(span, 0);
      for (size_t i = part.begin; i < part.end; ++i) ++tally_[Record(i)[j] - low];
      while (below + tally_[median] < half) below += tally_[median++];
      at = tally_[median];
      median += low;
    } else {
      tally_.clear();
      for (size_t i = part.begin; i < part.end; ++i) tally_.push_back(Record(i)[j]);
      const auto middle = tally_.begin() + static_cast<std::ptrdiff_t>(half - 1);
      std::nth_element(tally_.begin(), middle, tally_.end());
      median = *middle;
      for (const uint32_t code : tally_) {
        below += code < median;
        at += code == median;
      }
    }
    // Left of the cut: `below` rows (cut before the median) or `below + at` (after it).
    const auto fits = [&](size_t left) {
      return left >= requirement_.k && part.size() - left >= requirement_.k;
    };
    const uint32_t before = fits(below) ? median : 0;
    const uint32_t after = fits(below + at) ? median + 1 : 0;
    const size_t left_after = below + at;
    const bool after_is_better = left_after - half <= half - below;
    if (before == 0 || after == 0) return {before + after, 0};
    return after_is_better ? std::pair(after, before) : std::pair(before, after);
  }

  bool CutAtMedian(Part part, size_t j) {
    const auto [first, second] = MedianCuts(part, j);
    for (const uint32_t cut : {first, second}) {
      if (cut == 0 || !DiverseOnBothSides(part, j, cut)) continue;
      uint32_t* left = Record(part.begin);
      uint32_t* right = spare_.data();
      for (size_t i = part.begin; i < part.end; ++i) {
        const uint32_t* record = Record(i);
        uint32_t*& target = record[j] < cut ? left : right;
        if (target != record) std::copy_n(record, stride_, target);
        target += stride_;
      }
      std::copy(spare_.data(), right, left);
      const size_t middle = static_cast<size_t>(left - records_.data()) / stride_;
      parts_ = {{part.begin, middle}, {middle, part.end}};
      return true;
    }
    return false;
  }

  bool DiverseOnBothSides(Part part, size_t j, uint32_t cut) {
    if (sensitive_ == nullptr) return true;
    for (const bool left : {true, false}) {
      side_.clear();
      for (size_t i = part.begin; i < part.end; ++i) {
        if ((Record(i)[j] < cut) == left) side_.push_back(Record(i)[columns_]);
      }
      if (!sensitive_->Fulfils(requirement_, side_)) return false;
    }
    return true;
  }

  // Into the groups below the lowest one that holds all of the part.
  bool CutByGroups(Part part, size_t j) {
    const Hierarchy& tree = *domains_[j].hierarchy;
    const auto& groups = tree.nodes[tree.LowestOver(bounds_[j].low, bounds_[j].high)].children;
    const auto group_of = [&](uint32_t code) {
      return static_cast<size_t>(std::upper_bound(groups.begin(), groups.end(), code,
                                                  [&](uint32_t leaf, uint32_t node) {
                                                    return leaf < tree.nodes[node].end;
                                                  }) -
                                 groups.begin());
    };
    std::vector<std::vector<uint32_t>> sensitive(groups.size());
    std::vector<size_t> sizes(groups.size());
    for (size_t i = part.begin; i < part.end; ++i) {
      const size_t group = group_of(Record(i)[j]);
      ++sizes[group];
      if (sensitive_ != nullptr) sensitive[group].push_back(Record(i)[columns_]);
    }
    for (size_t group = 0; group < groups.size(); ++group) {
      if (sizes[group] == 0) continue;
      if (sizes[group] < requirement_.k) return false;
      if (sensitive_ != nullptr && !sensitive_->Fulfils(requirement_, sensitive[group])) {
        return false;
      }
    }
    parts_.clear();
    std::vector<size_t> next(groups.size());
    size_t at = part.begin;
    for (size_t group = 0; group < groups.size(); ++group) {
      next[group] = at - part.begin;
      if (sizes[group] > 0) parts_.push_back({at, at + sizes[group]});
      at += sizes[group];
    }
    for (size_t i = part.begin; i < part.end; ++i) {
      const size_t group = group_of(Record(i)[j]);
      std::copy_n(Record(i), stride_, spare_.data() + next[group]++ * stride_);
    }
    std::copy_n(spare_.data(), part.size() * stride_, Record(part.begin));
    return true;
  }

  void Emit(Part part, Classes& classes) {
    for (size_t i = part.begin; i < part.end; ++i) {
      classes.rows.push_back(Record(i)[columns_ + 1]);
    }
    classes.begins.push_back(static_cast<uint32_t>(classes.rows.size()));
    classes.bounds.insert(classes.bounds.end(), bounds_.begin(), bounds_.end());
  }

  std::span<const Domain> domains_;
  size_t columns_;
  size_t stride_;  // the codes, the sensitive code, the row
  const Requirement& requirement_;
  SensitiveColumn* sensitive_;
  std::vector<uint32_t> records_;
  std::vector<uint32_t> spare_;
  std::vector<Bounds> bounds_;
  std::vector<Bounds> whole_;
  std::vector<uint32_t> low_, high_;
  std::vector<std::pair<double, size_t>> widths_;
  std::vector<uint32_t> tally_;
  std::vector<uint32_t> side_;
  std::vector<Part> parts_;
};

}  // namespace

Result<Done> CheckFeasible(std::span<const uint32_t> rows, const Requirement& requirement,
                           SensitiveColumn* sensitive) {
  if (rows.size() < requirement.k) {
    return InvalidArgument("k is " + std::to_string(requirement.k) + ", but the table has only " +
                               std::to_string(rows.size()) + " rows",
                           "no class can be larger than the table: choose a smaller k");
  }
  if (!requirement.LooksAtSensitive()) return Done{};
  TACIT_ASSERT(sensitive != nullptr);
  std::vector<uint32_t> codes;
  for (const uint32_t row : rows) codes.push_back(sensitive->CodeOf(row));
  if (sensitive->Fulfils(requirement, codes)) return Done{};
  const Diversity whole = sensitive->Measure(codes);
  const bool distinct = requirement.l_kind == LKind::kDistinct;
  return InvalidArgument("l is " + MeasureText(requirement.l) + ", but the whole table has only " +
                             (distinct ? std::to_string(whole.distinct) + " sensitive values"
                                       : "an entropy of " + MeasureText(std::exp(whole.entropy)) +
                                             " sensitive values"),
                         "no class can be more diverse than the table: choose a smaller l");
}

Result<Classes> Mondrian(std::span<const Domain> domains, std::span<const uint32_t> rows,
                         const Requirement& requirement, SensitiveColumn* sensitive) {
  TACIT_ASSERT(requirement.k >= 1);
  TACIT_CHECK(CheckFeasible(rows, requirement, sensitive));
  if (rows.empty()) return Classes{};
  return Cutter(domains, rows, requirement, sensitive).Run();
}

}  // namespace tacit::anonymize
