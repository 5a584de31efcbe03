#pragma once

#include <vector>

#include "analysis/known.h"
#include "analysis/query/sources.h"
#include "base/error.h"

namespace tacit::analysis {

// The refusal of a join of protected rows that is not on the unit, by the rule that says which
// mistake it is. The conditions are the resolved ones of ON, USING and WHERE.
Error OffTheUnit(const Known& known, const std::vector<Expression>& conditions,
                 const ProtectedRows& left, const ProtectedRows& right, sql::Position position);

}  // namespace tacit::analysis
