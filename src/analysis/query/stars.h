#pragma once

#include <vector>

#include "analysis/query/sources.h"

namespace tacit::analysis {

// The select list with * and t.* written out, a column merged by USING once.
std::vector<sql::SelectItem> ExpandStars(const sql::Select& select, const ProtectedRows& input);

}  // namespace tacit::analysis
