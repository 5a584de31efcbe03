#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/tree.h"

namespace tacit::sql {

// A query whose constants are written out: what is computed from literals alone is a literal, units
// of time have one name, and lists are lists. So rules that want a literal see one, and questions
// that differ in how a constant is spelled are one question. What has no value, or none that is
// known here, stays as it is written.
Query FoldConstants(const Query& query);

bool IsTrue(const Expression& expression);  // the literal

// The elements of an array as text: '{a,"b c",NULL}'. Nothing for what is none, or has dimensions.
std::optional<std::vector<Expression>> ArrayElements(const std::string& text, Position position);

}  // namespace tacit::sql
