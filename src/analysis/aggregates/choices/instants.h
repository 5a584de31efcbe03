#pragma once

#include <optional>

#include "analysis/aggregates/rules.h"

namespace tacit::analysis {

// The value that min, max or a percentile chooses among, where it is a date or a time: whole days
// or seconds since 1970 on the grid of its bounds, and the type in which it is shown. Nothing for
// other arguments; a refusal where it has no bounds.
struct InstantChoice {
  ExactMeasure measure;
  sql::Type type;
};
Result<std::optional<InstantChoice>> InstantsOf(GroupedQuery& grouped,
                                                const sql::AggregateCall& call,
                                                const Expression& written, sql::Position position);

}  // namespace tacit::analysis
