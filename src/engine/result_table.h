#pragma once

#include <string>
#include <vector>

#include "base/value_type.h"
#include "engine/value.h"

namespace tacit::engine {

struct ResultColumn {
  std::string name;
  ValueType type;  // PostgresName(type) is what clients see
};

// Rows with named, typed columns: a released table on its way into post-processing, or its result.
struct ResultTable {
  std::vector<ResultColumn> columns;
  std::vector<std::vector<Value>> rows;
};

}  // namespace tacit::engine
