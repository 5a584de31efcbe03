#pragma once

#include "analysis/known.h"
#include "analysis/query/sources.h"

namespace tacit::analysis {

// Says in `item` what `written` is, where that is a query that only picks columns of one stored
// public table, perhaps each combination of them once: (SELECT DISTINCT i FROM t) AS p. Protected
// rows are joined with it as with the table. `alias` is what FROM calls it.
void FindPickedColumns(const Known& known, const sql::Query& written, const sql::Alias& alias,
                       PublicItem& item);

}  // namespace tacit::analysis
