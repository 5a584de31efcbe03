#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "sql/tree.h"

namespace tacit::wire {

// A bound parameter as a node of the query tree: a literal of its type. `type` is PostgreSQL's
// number; 0 is a text that takes its type from where it stands. kInvalidArgument for a value that
// is none of the type.
Result<sql::Expression> ParameterValue(uint32_t type, const std::optional<std::string>& text);

// Some value of the type, for what is described before it is bound.
sql::Expression AnyValueOf(uint32_t type);

// PostgreSQL's number of a type; text for what is not known.
uint32_t TypeNumber(const sql::Type& type);

}  // namespace tacit::wire
