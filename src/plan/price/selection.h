#pragma once

#include <optional>

#include "analysis/facts.h"
#include "plan/private_plan.h"
#include "policy/policy.h"

namespace tacit::plan {

// How a block with private keys shows its groups.
enum class SelectionKind {
  kAll,         // no private key
  kByMeasure,   // the threshold is on a measure that is released anyway
  kByUnits,     // a threshold on a noisy number of units, released for it
  kByGeometric  // TruncatedGeometric on the exact number of units
};
struct SelectionChoice {
  SelectionKind kind = SelectionKind::kAll;
  size_t measure = 0;  // of kByMeasure and kByUnits

  // Whether it is a release of its own beside the block's measures.
  bool NeedsShare() const { return kind == SelectionKind::kByGeometric; }
};

// Chooses, and adds the measure that kByUnits needs to the block.
SelectionChoice ChooseSelection(analysis::Block& block, const policy::Privacy& privacy);

// The selection itself. `measures` are the block's, with their noise.
struct SelectionParameters {
  Epsilon epsilon;  // of kByGeometric
  Delta delta;
};
Result<GroupSelection> MakeSelection(const SelectionChoice& choice, const analysis::Block& block,
                                     const policy::Privacy& privacy,
                                     const std::vector<Measure>& measures,
                                     const SelectionParameters& parameters);

// "groups of fewer than about 25 people are withheld", whatever the data; empty for kAll.
std::string NoticeOf(const GroupSelection& selection);

}  // namespace tacit::plan
