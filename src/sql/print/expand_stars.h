#pragma once

#include <vector>

#include "base/result.h"
#include "sql/bind/scope.h"
#include "sql/tree.h"

namespace tacit::sql {

// The select list with * and t.* written out as the columns that they stand for.
Result<std::vector<SelectItem>> ExpandStars(const Select& select, const Scope& scope);

}  // namespace tacit::sql
