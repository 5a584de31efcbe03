#pragma once

#include "sql/parse/grammar.h"

namespace tacit::sql::grammar {

// The query of SELECT * FROM tacit.linear_regression('...', target => 'income') and its like, as
// sql/learn.h says it; nothing for any other SELECT. The error is of such a call that is not
// written so.
Result<std::optional<Query>> ConvertLearn(const Node& node);

}  // namespace tacit::sql::grammar
