#pragma once

#include "sql/print/query.h"

namespace tacit::sql {

// DuckDB 1.5. Measured: TRY(...) costs a thousand times more for a row that raises, so no text here
// relies on it: what could raise is guarded instead, and conversions use TRY_CAST, whose failures
// cost nothing.
inline Result<PrintedQuery> PrintForDuckDb(const Query& query, const KnownTables& tables) {
  return PrintQuery(query, tables, DuckDbDialect());
}

}  // namespace tacit::sql
