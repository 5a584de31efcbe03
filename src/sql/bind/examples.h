#pragma once

#include <vector>

#include "sql/tree.h"

namespace tacit::sql {

// For each parameter a value that can stand where it stands, where not any of its type can: a unit
// of time, a pattern, a fraction. Null for the others.
std::vector<Expression> ParameterExamples(const Query& query);

}  // namespace tacit::sql
