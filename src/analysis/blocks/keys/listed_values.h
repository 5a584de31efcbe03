#pragma once

#include <optional>

#include "analysis/blocks/grouped_query.h"

namespace tacit::analysis {

// count(DISTINCT x) of a column with a public list, in a query without groups: how many of the
// listed values more people have than noise could make up. Adds a block that counts the people of
// each value, and gives the query over it that stands for the aggregate; nothing where the values
// themselves have to be counted. aggregates/count.md has the claim.
Result<std::optional<Expression>> CountListedValues(GroupedQuery& grouped,
                                                    const sql::AggregateCall& call,
                                                    sql::Position position);

}  // namespace tacit::analysis
