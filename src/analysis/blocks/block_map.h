#pragma once

#include <functional>

#include "analysis/facts.h"

namespace tacit::analysis {

// Replaces every column reference below the frontier, joins and key sources included.
void MapColumns(Block& block,
                const std::function<sql::ColumnReference(const sql::ColumnReference&)>& change);

// Calls `visit` on every name that columns can have before the point: scans and unit queries,
// insides first, left to right.
void ForEachAlias(const RowSource& source, const std::function<void(const std::string&)>& visit);

// Calls `visit` on every scan of a stored table, left to right.
void ForEachScan(const RowSource& source, const std::function<void(const TableScan&)>& visit);

}  // namespace tacit::analysis
