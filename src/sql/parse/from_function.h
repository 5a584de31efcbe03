#pragma once

#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {

// The call of SELECT * FROM f(...), where that is all that the statement says; null for any other.
const PgQuery__FuncCall* OnlyFunctionOf(const Node& node);

}  // namespace tacit::sql::grammar
