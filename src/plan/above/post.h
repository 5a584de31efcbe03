#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "base/result.h"
#include "plan/price/draft.h"

namespace tacit::plan {

// The query over releases in DuckDB's SQL. The released integers are finished first, each release
// in a common table of its own.
Result<std::string> PostSql(const sql::Query& query, const analysis::Facts& facts,
                            const std::vector<Draft>& drafts,
                            const std::vector<PricedBlock>& priced);

// The query with <column>_low and <column>_high after every column that shows a released number.
// Only where the outermost query is a plain SELECT; `facts.columns` follows.
void AddIntervals(analysis::Facts& facts, const std::vector<Draft>& drafts,
                  const std::vector<PricedBlock>& priced);

std::string NoisyTableName(size_t block);

}  // namespace tacit::plan
