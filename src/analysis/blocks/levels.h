#pragma once

#include <vector>

#include "analysis/blocks/grouped_query.h"

// GROUPING SETS over protected rows: several levels of groups from one query. Where every key is
// public, what adds up is released by all keys, and the levels are sums of it: a total agrees with
// its parts (where totals are released too, the planner says: plan/price/levels.h). Levels of which
// none is another's total are taken each by itself where that has less error. What does not add up
// (percentiles, extremes, distinct values, people) is released for each level by itself, as if each
// were asked alone, and so is every level that has a private key: sums would leave out who is in a
// group that is not shown. Beside such levels, those of public keys still agree with each other.
namespace tacit::analysis {

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
