#include "plan/price/selection.h"

#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

// A measure whose value in a group is its number of units.
bool CountsUnits(const analysis::ExactMeasure& measure, const analysis::Block& block) {
  if (measure.filter) return false;
  if (measure.kind == analysis::MeasureKind::kUnits) return true;
  return measure.kind == analysis::MeasureKind::kRows && block.rows.rows_per_unit == 1;
}

}  // namespace

SelectionChoice ChooseSelection(analysis::Block& block, const policy::Privacy& privacy) {
  if (!block.HasPrivateKeys()) return {};
  for (size_t i = 0; i < block.measures.size(); ++i) {
    if (CountsUnits(block.measures[i], block)) return {SelectionKind::kByMeasure, i};
  }
  // The geometric rule is the best there is for one unit added or removed at a pure price; for
  // several units at once, and for rho, a threshold on noise has the simpler proof.
  const bool plain = privacy.accounting == policy::Accounting::kPure &&
                     privacy.neighbours == policy::Neighbours::kAddRemove && privacy.protects == 1;
  if (plain) return {SelectionKind::kByGeometric, 0};
  analysis::ExactMeasure units;
  units.kind = analysis::MeasureKind::kUnits;
  units.cap = block.group_cap;
  block.measures.push_back(std::move(units));
  return {SelectionKind::kByUnits, block.measures.size() - 1};
}

Result<GroupSelection> MakeSelection(const SelectionChoice& choice, const analysis::Block& block,
                                     const policy::Privacy& privacy,
                                     const std::vector<Measure>& measures,
                                     const SelectionParameters& parameters) {
  if (choice.kind == SelectionKind::kAll) return GroupSelection(AllGroups{});
  if (choice.kind == SelectionKind::kByGeometric) {
    const Integer groups = GroupsPerUnit(block, block.group_cap);
    TACIT_ASSERT(groups.fits_ulong_p());
    TACIT_TRY(noise::TruncatedGeometric mechanism,
              noise::TruncatedGeometric::Make({.epsilon = parameters.epsilon,
                                               .delta = parameters.delta,
                                               .groups_per_unit = groups.get_ui()}));
    return GroupSelection(UnitsChoice{
        .mechanism = std::move(mechanism),
        .cost = {.epsilon = parameters.epsilon.value, .delta = parameters.delta.value, .rho = 0}});
  }
  const Integer people = privacy.protects;
  const noise::NoisyThreshold::Parameters threshold{
      .units_moved = people,
      .groups = people * GroupsPerUnit(block, block.group_cap),
      .delta = parameters.delta};
  TACIT_TRY(noise::NoisyThreshold mechanism,
            noise::NoisyThreshold::Over(*measures[choice.measure].mechanism, threshold));
  return GroupSelection(NoisyThreshold{choice.measure, std::move(mechanism)});
}

std::string NoticeOf(const GroupSelection& selection) {
  std::string people;
  if (const auto* noisy = std::get_if<NoisyThreshold>(&selection)) {
    people = ToString(noisy->mechanism.threshold());
  } else if (const auto* units = std::get_if<UnitsChoice>(&selection)) {
    people = std::to_string(units->mechanism.ShownAtLeastHalf());
  } else {
    return "";
  }
  return "groups of fewer than about " + people + " people are withheld";
}

}  // namespace tacit::plan
