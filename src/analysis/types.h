#pragma once

#include "base/value_type.h"
#include "sql/type.h"

namespace tacit::analysis {

// A stored column's type as a query may use it; kOpaque for what has no rule.
sql::Type QueryTypeOf(const ValueType& stored);
// The same above the frontier, where no row is protected and the engine may make of it what it can.
sql::Type QueryTypeAbove(const ValueType& stored);

// The type of a released or an output column: a literal that met no context is a text.
ValueType ValueTypeOf(const sql::Type& type);

}  // namespace tacit::analysis
