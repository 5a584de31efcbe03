#pragma once

#include <vector>

#include "base/sensitive.h"
#include "engine/result_table.h"

// What the engine found, before noise. The number of rows, their order and the keys are public only
// where the plan made them so; everything else is Sensitive from the moment it leaves the adapter.

namespace tacit::engine {

// One row for every public key, in the order of the keys, whether people match it or not.
struct ExactRow {
  std::vector<Value> keys;
  std::vector<Sensitive<Int128>> values;  // one a released column, in steps of its grid
};
struct ExactTable {
  std::vector<ResultColumn> keys;
  std::vector<ExactRow> rows;
};

// Groups that exist because somebody is in them: how many there are is as private as their keys,
// so the whole list is one Sensitive value. Sorted by keys.
struct ExactGroup {
  std::vector<Value> keys;
  std::vector<Int128> values;
};
struct PrivateTable {
  std::vector<ResultColumn> keys;
  Sensitive<std::vector<ExactGroup>> groups;
};

}  // namespace tacit::engine
