#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/facts.h"

namespace tacit::analysis {

using Shown = std::optional<std::pair<size_t, size_t>>;

// What a column of the query over releases is made of.
struct Origin {
  Shown shown;          // the released column that it shows unchanged, if it is one
  bool noisy = false;   // numbers that noise was added to, and quantiles: they have an interval
  bool chosen = false;  // values that were chosen: extremes, modes
};

// Of the output columns, in order. `row_identity` and `quiet_where` are those of Facts.
struct Origins {
  std::vector<Origin> columns;
  std::optional<std::vector<Expression>> row_identity;
  Expression quiet_where;
};
Origins OriginsOf(const sql::Query& post, const Facts& facts);

}  // namespace tacit::analysis
