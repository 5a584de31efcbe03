#include "plan/price/group_cap.h"

#include <algorithm>

#include "analysis/blocks/block_map.h"
#include "plan/price/keys_per_unit.h"
#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

using analysis::GroupCap;

Integer LessOf(const Integer& a, const Integer& b) { return a < b ? a : b; }

// What the owner declared for the tables, through joins and unions as rows go through them.
GroupCap DeclaredCap(const analysis::RowSource& source) {
  if (const auto* scan = analysis::As<analysis::TableScan>(source)) {
    if (scan->is_public) return {.groups = 1, .rows = 1};
    return {.groups = scan->groups_per_unit, .rows = scan->rows_per_group};
  }
  if (const auto* query = analysis::As<analysis::UnitQuery>(source)) {
    return DeclaredCap(query->inner.source);
  }
  if (const auto* united = analysis::As<analysis::RowUnion>(source)) {
    GroupCap sum{.groups = 0, .rows = 0};
    for (const analysis::UnitQuery& part : united->parts) {
      const GroupCap cap = DeclaredCap(part.inner.source);
      sum.groups += cap.groups;
      sum.rows += cap.rows;
    }
    return sum;
  }
  if (const auto* literals = analysis::As<analysis::LiteralRows>(source)) {
    // Each written row may be a group of its own, or all of them one.
    const Integer written(static_cast<unsigned long>(literals->rows.size()));
    return {.groups = written, .rows = written};
  }
  const auto& join = *analysis::As<analysis::RowJoin>(source);
  const GroupCap left = DeclaredCap(join.left);
  const GroupCap right = DeclaredCap(join.right);
  return {.groups = left.groups * right.groups, .rows = left.rows * right.rows};
}

// The share that is lost when everybody may have 1, 2, ..., `most`, each as likely, and `kept`
// count: the sum of what is above `kept`, over the sum of all.
Rational ShareCut(const Integer& most, const Integer& kept) {
  if (most <= kept) return 0;
  const Integer above = most - kept;
  Rational share(above * (above + 1), most * (most + 1));
  share.canonicalize();
  return share;
}

// How many are in a group: the most that the policy says, or what is assumed.
Rational InGroup(const analysis::Block& block) {
  Integer most = 0;
  bool known = true;
  analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
    if (scan.is_public) return;
    known = known && scan.rows_max > 0;
    most = std::max(most, scan.rows_max);
  });
  if (!known) return kAssumedInGroup;
  const std::optional<Integer> groups = LengthOfList(block);
  if (!groups) return Rational(std::min(most, Integer(kAssumedInGroup)));
  return Rational(Rational(most) / Rational(*groups));
}

bool IsNumberOfPeople(const analysis::ExactMeasure& measure) {
  return measure.kind == analysis::MeasureKind::kUnits && !measure.filter;
}

// Compares caps by the margin of their noise at the policy's own price, in rows or people of one
// group, and by what they may cut off there.
// proof: plan/price/group_cap.md#choice
class Reckoning {
 public:
  Reckoning(const analysis::Block& block, const policy::Privacy& privacy)
      : block_(block), privacy_(privacy), in_group_(InGroup(block)) {}

  // The better one; of equals the one that was there.
  void Try(const GroupCap& cap, bool counts_people, MaybeCap& best) const {
    if (Total(cap, counts_people) < Total(best, counts_people)) best = cap;
  }

 private:
  Rational Total(const MaybeCap& cap, bool counts_people) const {
    Rational total = counts_people ? NoiseOfPeople(cap) : NoiseOfRows(cap);
    if (!cap) return total;
    const Rational groups_cut = ShareCut(GroupsPerUnit(block_, std::nullopt), cap->groups);
    const Rational rows_cut = ShareCut(block_.rows.rows_per_unit, cap->rows);
    const Rational kept = Rational((1 - groups_cut) * (1 - rows_cut));
    return Rational(total + (1 - kept) * in_group_);
  }
  Rational NoiseOfPeople(const MaybeCap& cap) const {
    const Integer groups = GroupsPerUnit(block_, cap);
    return Margin(groups, groups);
  }
  Rational NoiseOfRows(const MaybeCap& cap) const {
    const RowsPerUnit rows = RowsPerUnitOf(block_, cap);
    return Margin(rows.all, rows.squares_by_group);
  }
  // Why 3 and 2: 95 % of Laplace noise is within 3.0 scales, of Gaussian noise within 1.96.
  Rational Margin(const Integer& l1, const Integer& l2_squared) const {
    const Rational steps = privacy_.accounting == policy::Accounting::kPure
                               ? Rational(3 * Rational(l1))
                               : Rational(2 * SquareRootUp(Rational(l2_squared)));
    return Rational(steps * Rational(UnitsMoved(privacy_)) / privacy_.query.epsilon.value);
  }

  const analysis::Block& block_;
  const policy::Privacy& privacy_;
  const Rational in_group_;
};

}  // namespace

// proof: plan/price/group_cap.md#claim
void ChooseGroupCaps(analysis::Block& block, const policy::Privacy& privacy) {
  // Public rows that no person matches have no unit to cap.
  if (block.keys.empty() || !block.rows.unit || block.rows.public_preserved) return;
  const Integer& rows = block.rows.rows_per_unit;
  const GroupCap declared = DeclaredCap(block.rows.source);
  const Integer groups = LessOf(declared.groups, rows);
  const Integer in_each = LessOf(declared.rows, rows);
  const GroupCap of_groups{.groups = groups, .rows = rows};
  const bool cuts_groups = groups < GroupsPerUnit(block, std::nullopt);
  if (block.HasPrivateKeys() && cuts_groups) block.group_cap = of_groups;

  const Reckoning reckoning(block, privacy);
  MaybeCap people;
  if (cuts_groups) reckoning.Try(of_groups, true, people);
  MaybeCap others;
  const Integer unlimited = GroupsPerUnit(block, std::nullopt);
  if (in_each < rows) {
    reckoning.Try({.groups = unlimited, .rows = in_each}, false, others);
  }
  if (cuts_groups) reckoning.Try({.groups = groups, .rows = in_each}, false, others);
  for (analysis::ExactMeasure& measure : block.measures) {
    measure.cap = measure.kind == analysis::MeasureKind::kUnits ? people : others;
    // A threshold may be on it, which counts the people that a private key is shown by.
    if (block.group_cap && IsNumberOfPeople(measure)) measure.cap = block.group_cap;
  }
}

}  // namespace tacit::plan
