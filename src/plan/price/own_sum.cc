#include "plan/price/own_sum.h"

#include <algorithm>

#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

// What the policy declares for the column that is summed as it is, in steps of its grid.
std::optional<Integer> DeclaredSum(const analysis::ExactMeasure& measure,
                                   const analysis::Block& block) {
  if (measure.kind != analysis::MeasureKind::kSum || measure.centre != 0) return std::nullopt;
  const auto* column = sql::As<sql::ColumnReference>(measure.argument);
  if (column == nullptr || column->table == analysis::kConstantTable) return std::nullopt;
  const std::optional<Rational>& declared = block.ColumnOf(*column).sum_per_unit;
  if (!declared) return std::nullopt;
  const Integer steps = FloorOf(Rational(*declared / measure.grid.step));
  return steps < 1 ? Integer(1) : steps;
}

// Whether `a` needs less noise than `b`.
bool IsLess(const Sensitivity& a, const Sensitivity& b, policy::Accounting accounting) {
  return accounting == policy::Accounting::kPure ? a.l1 < b.l1 : a.l2_squared < b.l2_squared;
}

}  // namespace

// proof: plan/price/own_sum.md#choice
void LimitOwnSums(analysis::Block& block, const policy::Privacy& privacy) {
  // Public rows that no person matches have no unit, nor has a row that is a person.
  if (!block.rows.unit || block.rows.public_preserved) return;
  const bool declares =
      std::any_of(block.columns.begin(), block.columns.end(),
                  [](const auto& column) { return column.second.sum_per_unit.has_value(); });
  if (!declares) return;
  // Totals are of what is counted in their groups: the choice is the groups'.
  analysis::Block groups = block;
  groups.totals.reset();
  for (analysis::ExactMeasure& measure : block.measures) {
    analysis::ExactMeasure limited = measure;
    limited.own_sum = DeclaredSum(measure, block);
    if (!limited.own_sum) continue;
    limited.cap = std::nullopt;
    if (IsLess(SensitivityOf(limited, groups, privacy), SensitivityOf(measure, groups, privacy),
               privacy.accounting)) {
      measure = std::move(limited);
    }
  }
}

}  // namespace tacit::plan
