#pragma once

#include <vector>

#include "analysis/blocks/grouped_query.h"

// GROUPING SETS over protected rows: several levels of groups from one query. Where every key is
// public, what adds up is released once, by all keys, and the levels are sums of it: a total agrees
// with its parts. Levels of which none is another's total are taken each by itself where that has
// less error. What does not add up (percentiles, extremes, distinct values, people), and
// everything where a key is private, is released for each level by itself, as if each were asked
// alone: sums would leave out who is in a group that is not shown.
namespace tacit::analysis {

// How many groups by all of the block's keys make up one of a level, at most.
Integer SummedFor(const Block& block, const std::vector<size_t>& level);

// After the last key: which keys each of the sets groups by. `keys` are those of GROUP BY as
// written, which `sets` number.
Result<Done> SetLevels(GroupedQuery& grouped, const std::vector<Expression>& keys,
                       const std::vector<std::vector<size_t>>& sets);

// grouping(a, b): a bit for each argument, 1 where the row's level does not group by it.
Result<Expression> GroupingOf(GroupedQuery& grouped, const sql::AggregateCall& call,
                              sql::Position position);

// The blocks of a grouped query. The result is the relation that the expressions at `places`, which
// name columns of kReleasedMarker until then, read.
Result<sql::Relation> AddReleases(GroupedQuery& grouped, const std::vector<Expression*>& places,
                                  sql::Position position);

}  // namespace tacit::analysis
