#pragma once

#include <string_view>

#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {

// One statement of the grammar's tree as ours. kUnsupported for whatever is neither a SELECT nor an
// EXPLAIN of one, named by its first word in `text`, which starts at `position`.
Result<Statement> ConvertStatement(const Node& node, std::string_view text, int position);

}  // namespace tacit::sql::grammar
