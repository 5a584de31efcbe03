#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sql/bind/bind.h"

namespace tacit::sql {

// Whether a SELECT gives groups instead of its rows; `items` are its own with stars written out.
bool IsGrouped(const QueryNode& node, const Select& select, const std::vector<SelectItem>& items);

// The clause itself, of keys that are printed already; `sets` are Select::grouping_sets.
std::string GroupByText(const std::vector<std::string>& keys,
                        const std::vector<std::vector<size_t>>& sets);

// PostgreSQL's rule for a grouped SELECT: a column of it stands in GROUP BY or inside an aggregate.
// The first one that does not, in PostgreSQL's words; nothing when all do. Columns of outer queries
// are as good as constants.
std::optional<Error> UngroupedColumn(const Bound& expression, const std::vector<Bound>& keys,
                                     const Scope& scope);

}  // namespace tacit::sql
