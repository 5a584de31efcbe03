#pragma once

#include <string>

#include "base/value_type.h"

namespace tacit::sql {

// The query tree speaks of the same types as everybody else; here they are short.
using Type = ValueType;
using tacit::kNumericPrecisionMax;
using tacit::TypeKind;

// As PostgreSQL shows a type; what has no rules says so.
std::string ToString(const Type& type);

}  // namespace tacit::sql
