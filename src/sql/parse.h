#pragma once

#include <string_view>

#include "base/result.h"
#include "sql/tree.h"

namespace tacit::sql {

// Why 64 KiB: dashboards send queries of a few kilobytes, and the grammar's stack grows with the
// text.
inline constexpr size_t kQueryBytesMax = 64 * 1024;

// Why 100: every later pass recurses once per level, and hand-written queries stay below 20.
inline constexpr int kNestingDepthMax = 100;

// Why 1000: a driver that sends a list of values uses one for each.
inline constexpr int kParametersMax = 1000;

// Why 12: DuckDB 1.5 plans twice as long for each level of a subquery inside an expression (2 s at
// 22 levels); subqueries in FROM cost nothing like it.
inline constexpr int kSubqueryExpressionDepthMax = 12;

// Reads exactly one SELECT or EXPLAIN SELECT in PostgreSQL's grammar. What is not SQL is
// kInvalidQuery; what is SQL but has no place in the tree is kUnsupported and named. Positions are
// byte offsets in `text`. Any bytes may be given.
Result<Statement> Parse(std::string_view text);

}  // namespace tacit::sql
