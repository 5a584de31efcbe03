#pragma once

#include <vector>

#include "sql/tree.h"

namespace tacit::analysis {

// The expressions whose values can show in an item's over one person's rows: max(id) is the unit
// again, count(id) is not.
std::vector<sql::Expression> ValueSources(const sql::Expression& item);

}  // namespace tacit::analysis
