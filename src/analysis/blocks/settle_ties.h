#pragma once

#include "sql/tree.h"

namespace tacit::analysis {

// A query over released tables, in which rows that are equal in what is ordered by come in the
// order of what they show: the engine reads the parts of a UNION ALL side by side, and asked again
// an answer is the same. Of the outermost query, and of what is limited inside it.
sql::Query SettleTies(const sql::Query& query);

}  // namespace tacit::analysis
