#pragma once

#include <variant>
#include <vector>

#include "base/sensitive.h"
#include "engine/result_table.h"

// What the engine found, before noise. The number of rows, their order and the keys are public only
// where the plan made them so; everything else is Sensitive from the moment it leaves the adapter.

namespace tacit::engine {

// A measure of one group: a whole number in steps of its grid, or how many rows are in each cell of
// a quantile's grid.
using ExactNumber = std::variant<Int128, std::vector<uint64_t>>;

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
struct ExactGroup {
  std::vector<Value> keys;
  uint64_t units = 0;  // where the plan asks for it; else zero
  std::vector<ExactNumber> measures;
};
struct PrivateTable {
  Sensitive<std::vector<ExactGroup>> groups;
};

using ExactRelease = std::variant<ExactTable, PrivateTable>;

}  // namespace tacit::engine
