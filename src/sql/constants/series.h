#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sql/tree.h"

namespace tacit::sql {

// Why 10,000: 27 years of days, and still a small query.
inline constexpr size_t kSeriesRowsMax = 10'000;

// A table of FROM or WITH that a query writes: rows of literals, where it is generate_series or
// unnest of literals, or what a plain SELECT computes from such rows, each by itself. `columns` are
// the names of its columns as far as they are given; they are all given then. Anything else stays
// as it is. `fold` makes a literal of an expression of literals, where it knows how.
void WriteOutSeries(Query& query, std::vector<std::string>& columns,
                    const std::function<Expression(const Expression&)>& fold);

}  // namespace tacit::sql
