#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/facts.h"
#include "base/result.h"
#include "plan/price/draft.h"

// How far off an output column is that was computed from released numbers: the rest of the query is
// carried out again on released numbers with more of the same noise, and the margin is what 95 % of
// the results stay within. docs/decisions/margins.md says why.
namespace tacit::plan {

// Why 5000: over a million results; of longer answers the margins are not computed.
inline constexpr size_t kRowsWithMarginsMax = 5000;

// Whether the column shows a released count or sum as it is: its error is that of its noise, known
// before anything is asked and the same in every row.
bool HasExactError(const analysis::PostColumn& column, const analysis::Facts& facts);

// Output columns, by their index in facts.columns, whose margins are computed row by row.
std::vector<size_t> ColumnsWithMargins(const analysis::Facts& facts);

// Whether there are any: without one nobody would see what an interval of a quantile says.
bool HasMargins(const analysis::Facts& facts);

// The statement that gives the query's columns and then one margin for each of
// ColumnsWithMargins, NULL where none is known. `post` is the query as it is asked, perhaps with
// columns that read MarginColumn(i): the facts are those of the query without them.
Result<std::string> MarginSql(const sql::Query& post, const analysis::Facts& facts,
                              const std::vector<Draft>& drafts,
                              const std::vector<PricedBlock>& priced);

// The margin of the i-th of ColumnsWithMargins as an expression of the outermost query.
sql::Expression MarginColumn(size_t i, const analysis::Facts& facts);

}  // namespace tacit::plan
