#pragma once

#include "analysis/known.h"
#include "analysis/query/sources.h"

namespace tacit::analysis {

// Says in `item` what `written` is, where that is a query that only picks columns of one stored
// public table, perhaps each combination of them once or of some of its rows: (SELECT DISTINCT i
// FROM t WHERE j > 1) AS p. Protected rows are joined with it as with the table. `alias` is what
// FROM calls it.
void FindPickedColumns(const Known& known, const sql::Query& written, const sql::Alias& alias,
                       PublicItem& item);

}  // namespace tacit::analysis
