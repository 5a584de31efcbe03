#pragma once

#include <variant>
#include <vector>

#include "base/sensitive.h"
#include "engine/exact_groups.h"
#include "engine/result_table.h"
#include "plan/private_plan.h"

// What the engine found, before noise. The number of rows, their order and the keys are public only
// where the plan made them so; everything else is Sensitive from the moment it leaves the adapter.

namespace tacit::engine {

// One row for every public key, whether people match it or not. Sorted by keys.
struct ExactRow {
  std::vector<Value> keys;
  std::vector<Sensitive<ExactNumber>> measures;
};
struct ExactTable {
  std::vector<ExactRow> rows;
};

// Groups that exist because somebody is in them: how many there are is as private as their keys,
// so the whole list is one Sensitive value. Sorted by keys.
struct PrivateTable {
  Sensitive<ExactGroups> groups;
};

using ExactRelease = std::variant<ExactTable, PrivateTable>;

// What an engine found for a release, in whatever order. Says what is wrong with it; empty when
// nothing is: the noise draws in the order of the keys, once for each.
std::string Arrange(const plan::Release& release, ExactGroups groups, ExactRelease* exact);

}  // namespace tacit::engine
