#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/facts.h"

namespace tacit::analysis {

using Shown = std::optional<std::pair<size_t, size_t>>;

// For each output column of the query over releases, in order: the released column that it shows
// unchanged, if it is one. Set operations show nothing.
std::vector<Shown> ShownColumns(const sql::Query& post, const Facts& facts);

}  // namespace tacit::analysis
