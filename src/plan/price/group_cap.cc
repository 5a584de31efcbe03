#include "plan/price/group_cap.h"

#include <algorithm>

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

bool NeedsLessNoise(const analysis::Block& capped, const analysis::Block& block,
                    const policy::Privacy& privacy) {
  if (block.HasPrivateKeys() && GroupsPerUnit(capped) < GroupsPerUnit(block)) return true;
  return std::any_of(block.measures.begin(), block.measures.end(),
                     [&](const analysis::ExactMeasure& measure) {
                       const Sensitivity with = SensitivityOf(measure, capped, privacy);
                       const Sensitivity without = SensitivityOf(measure, block, privacy);
                       return privacy.accounting == policy::Accounting::kPure
                                  ? with.l1 < without.l1
                                  : with.l2_squared < without.l2_squared;
                     });
}

}  // namespace

// proof: plan/price/group_cap.md#claim
std::optional<GroupCap> ChooseGroupCap(const analysis::Block& block,
                                       const policy::Privacy& privacy) {
  // Public rows that no person matches have no unit to cap.
  if (block.keys.empty() || !block.rows.unit || block.rows.public_preserved) return std::nullopt;
  const Integer& rows = block.rows.rows_per_unit;
  GroupCap cap = DeclaredCap(block.rows.source);
  cap = {.groups = LessOf(cap.groups, rows), .rows = LessOf(cap.rows, rows)};
  analysis::Block capped = block;
  capped.group_cap = cap;
  if (!NeedsLessNoise(capped, block, privacy)) return std::nullopt;
  return cap;
}

}  // namespace tacit::plan
