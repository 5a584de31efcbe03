#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "base/result.h"
#include "plan/above/finish.h"
#include "plan/price/draft.h"

namespace tacit::plan {

// The query over releases in DuckDB's SQL. The released integers are finished first, each release
// in a common table of its own.
Result<std::string> PostSql(const sql::Query& query, const analysis::Facts& facts,
                            const std::vector<Draft>& drafts,
                            const std::vector<PricedBlock>& priced,
                            WithAverageMargins with_margins = WithAverageMargins::kNo);

// The query with <column>_low and <column>_high after every column whose error is known: an exact
// one, or a margin (above/margins.h), which is read where `computed` says so and NULL elsewhere.
// Only where the outermost query is a plain SELECT.
struct Widened {
  sql::Query query;
  std::vector<analysis::PostColumn> columns;
  std::vector<size_t> places;  // where each column of the facts is now
};
Widened WithIntervals(const analysis::Facts& facts, const std::vector<Draft>& drafts,
                      const std::vector<PricedBlock>& priced,
                      const std::vector<size_t>& with_margins, bool computed);

std::string NoisyTableName(size_t block);

}  // namespace tacit::plan
