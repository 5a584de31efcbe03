#pragma once

#include "gateway/learning/rows_to_learn.h"
#include "learn/cells/cells.h"

namespace tacit::gateway::learning {

// The columns of the rows in public cells: numbers in at most so many bins between their declared
// bounds, texts by their declared lists. Refused where a range or a list is not declared, with what
// to declare. Asks neither the ledger nor the engine.
Result<std::vector<learn::CellColumn>> CellColumnsOf(RowsToLearn& rows, size_t bins,
                                                     const Request& request,
                                                     const Services& services);

}  // namespace tacit::gateway::learning
