#pragma once

#include <functional>
#include <string_view>

#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {

using UseTree = std::function<void(const PgQuery__ParseResult&)>;

// Parses a text of any bytes with PostgreSQL's grammar, on a stack that is large enough for it, and
// lends the tree to `use`. kInvalidQuery for what is not SQL; `use` is not called then.
Result<Done> WithRawTree(std::string_view text, const UseTree& use);

}  // namespace tacit::sql::grammar
