#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sql/tree.h"

struct PgQuery__ParseResult;
struct PgQuery__SelectStmt;

namespace tacit::sql {

// Why 200: passes over the grammar's tree recurse once per level, and the deepest query that a
// client was seen to send has 30.
inline constexpr int kGrammarDepthMax = 200;

// A table that a statement names, outside its own WITH.
struct NamedTable {
  std::string schema;  // empty when there is none
  std::string name;
  int position = -1;
};

// A question as one parse of its text gave it, for everyone who wants to know something of it;
// immutable. Positions are byte offsets in its text.
struct Reading {
  // Our tree of it, or why it has none.
  Result<Statement> statement;

  // Of a SELECT or VALUES that reads and does nothing else; of anything else they are empty.
  bool only_selects = false;
  std::vector<NamedTable> tables = {};
  // In the grammar's own tree; null for one that is too deep for passes over it.
  std::shared_ptr<const PgQuery__SelectStmt> select = nullptr;
};
using SharedReading = std::shared_ptr<const Reading>;

// Reads exactly one statement. The errors of sql::Parse for what is not SQL; that there is no tree
// of ours is an error inside the reading.
Result<SharedReading> ReadQuestion(std::string_view text);

}  // namespace tacit::sql
