#include "anonymize/partition/redact.h"

#include <algorithm>
#include <map>

#include "anonymize/partition/group_rows.h"
#include "anonymize/partition/mondrian.h"

namespace tacit::anonymize {
namespace {

// Why 24: in the worst case (everything holds) all sets are tried.
constexpr size_t kRedactedColumnsMax = 24;

using Mask = uint32_t;

class Redactor {
 public:
  Redactor(std::span<const Domain> domains, std::span<const uint32_t> rows,
           const Requirement& requirement, SensitiveColumn* sensitive)
      : domains_(domains), rows_(rows), requirement_(requirement), sensitive_(sensitive) {
    for (const Domain& domain : domains) {
      std::vector<uint32_t>& codes = codes_.emplace_back();
      codes.reserve(rows.size());
      for (const uint32_t row : rows) codes.push_back(domain.codes[row]);
    }
  }

  Classes Run() {
    // The sets of one size that hold, with their number of classes.
    std::map<Mask, uint32_t> level = {{0, 1}};
    Mask best = 0;
    while (!level.empty()) {
      best = std::max_element(level.begin(), level.end(), [](const auto& a, const auto& b) {
               return a.second < b.second;
             })->first;
      std::map<Mask, uint32_t> next;
      for (const auto& [kept, classes] : level) Grow(kept, level, next);
      level = std::move(next);
    }
    return ClassesOf(best);
  }

 private:
  void Grow(Mask kept, const std::map<Mask, uint32_t>& level, std::map<Mask, uint32_t>& next) {
    for (size_t j = 0; j < domains_.size(); ++j) {
      const Mask larger = kept | Mask{1} << j;
      // Adding columns in rising order reaches every set once.
      if ((kept >> j) != 0 || !AllSmallerHold(larger, level)) continue;
      const Groups groups = Group(larger);
      if (Holds(groups)) next.emplace(larger, groups.count);
    }
  }

  static bool AllSmallerHold(Mask mask, const std::map<Mask, uint32_t>& level) {
    for (Mask rest = mask; rest != 0; rest &= rest - 1) {
      if (!level.contains(mask & ~(rest & (~rest + 1)))) return false;
    }
    return true;
  }

  Groups Group(Mask kept) const {
    Groups groups = OneGroup(rows_.size());
    for (size_t j = 0; j < domains_.size(); ++j) {
      if ((kept >> j & 1) != 0) groups = Refine(groups, codes_[j], domains_[j].size());
    }
    return groups;
  }

  bool Holds(const Groups& groups) {
    const std::vector<uint32_t> sizes = SizesOf(groups);
    if (*std::min_element(sizes.begin(), sizes.end()) < requirement_.k) return false;
    if (!requirement_.LooksAtSensitive()) return true;
    std::vector<std::vector<uint32_t>> sensitive(groups.count);
    for (size_t i = 0; i < rows_.size(); ++i) {
      sensitive[groups.of[i]].push_back(sensitive_->CodeOf(rows_[i]));
    }
    return std::all_of(sensitive.begin(), sensitive.end(),
                       [&](const auto& codes) { return sensitive_->Fulfils(requirement_, codes); });
  }

  Classes ClassesOf(Mask kept) const {
    const Groups groups = Group(kept);
    const std::vector<uint32_t> sizes = SizesOf(groups);
    Classes classes;
    classes.columns = domains_.size();
    for (const uint32_t size : sizes) classes.begins.push_back(classes.begins.back() + size);
    std::vector<uint32_t> next(classes.begins.begin(), classes.begins.end() - 1);
    classes.rows.resize(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) classes.rows[next[groups.of[i]]++] = rows_[i];
    for (size_t c = 0; c < classes.size(); ++c) {
      const uint32_t row = classes.RowsOf(c)[0];
      for (size_t j = 0; j < domains_.size(); ++j) {
        const uint32_t code = domains_[j].codes[row];
        classes.bounds.push_back((kept >> j & 1) != 0 ? Bounds{code, code} : Bounds::Suppressed());
      }
    }
    return classes;
  }

  std::span<const Domain> domains_;
  std::span<const uint32_t> rows_;
  const Requirement& requirement_;
  SensitiveColumn* sensitive_;
  std::vector<std::vector<uint32_t>> codes_;
};

}  // namespace

Result<Classes> RedactColumns(std::span<const Domain> domains, std::span<const uint32_t> rows,
                              const Requirement& requirement, SensitiveColumn* sensitive) {
  if (domains.size() > kRedactedColumnsMax) {
    return InvalidArgument("redaction chooses among at most 24 quasi-identifiers",
                           "coarsen them with --method mondrian");
  }
  TACIT_CHECK(CheckFeasible(rows, requirement, sensitive));
  if (rows.empty()) return Classes{};
  return Redactor(domains, rows, requirement, sensitive).Run();
}

}  // namespace tacit::anonymize
