#pragma once

#include "sql/parse/raw_tree.h"
#include "sql/read/reading.h"

// Internal to src/sql/read.

namespace tacit::sql {

// Makes every position in `node` count from `offset` bytes further on.
void MovePositions(PgQuery__Node& node, int offset);

// Of a statement in a tree, whose text is `text` and whose positions count from it. On the large
// stack that lends the tree. `keeps_tree`: no statement of it is deep.
SharedReading MakeReading(const grammar::RawTree& tree, const PgQuery__Node& node,
                          std::string_view text, bool keeps_tree);

// Whether a tree may be kept, and taken apart by any thread.
bool IsShallow(const PgQuery__ParseResult& tree);

}  // namespace tacit::sql
