#pragma once

#include "base/value_type.h"
#include "sql/type.h"

namespace tacit::analysis {

// A stored column's type in the query tree's words; kUnknown for what has no rule.
sql::Type QueryTypeOf(const ValueType& stored);

// The type of a released or an output column in the words that everybody outside uses.
ValueType ValueTypeOf(const sql::Type& type);

}  // namespace tacit::analysis
