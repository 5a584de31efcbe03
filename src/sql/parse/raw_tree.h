#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {

using RawTree = std::shared_ptr<PgQuery__ParseResult>;
using UseTree = std::function<void(const RawTree&)>;

// Parses a text of any bytes with PostgreSQL's grammar, on a stack that is large enough for it, and
// calls `use` with the tree there. kInvalidQuery for what is not SQL; `use` is not called then.
// Taking a tree apart recurses as deep as it is: who keeps one after `use` has seen that it is not
// deep.
Result<Done> WithRawTree(std::string_view text, const UseTree& use);

}  // namespace tacit::sql::grammar
