#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "sql/tree.h"

namespace tacit::wire {

// The bound value of $number as a node of the query tree: a literal of its type. `type` is
// PostgreSQL's number; 0 is a text that takes its type from where it stands. The errors below for a
// value that is none of the type, and for a type that is not taken.
Result<sql::Expression> ParameterValue(size_t number, uint32_t type,
                                       const std::optional<std::string>& text);

// Errors that name the parameter, and its type as people write it.
Error ParameterIsNotA(size_t number, uint32_t type);
Error ParameterIsNotTaken(size_t number, uint32_t type);
Error ParameterIsAList(size_t number, uint32_t type);

// Some value of the type, for what is described before it is bound.
sql::Expression AnyValueOf(uint32_t type);

// PostgreSQL's number of a type; text for what is not known.
uint32_t TypeNumber(const sql::Type& type);

}  // namespace tacit::wire
