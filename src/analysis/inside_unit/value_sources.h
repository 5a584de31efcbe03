#pragma once

#include <vector>

#include "analysis/known.h"

namespace tacit::analysis {

// The expressions whose values can show in an item's over one person's rows: max(id) is the unit
// again, count(id) is not.
std::vector<Expression> ValueSources(const Expression& item);

// Marks a column that is computed by `item` as hidden, or as the unit, where that can show in it.
void MarkBySources(const Known& known, const Expression& item, RowColumn& column);

}  // namespace tacit::analysis
