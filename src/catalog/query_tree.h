#pragma once

#include <pg_query/pg_query.pb-c.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace tacit::catalog {

// Why 200: the passes over the tree recurse once per level, and the deepest query that a client was
// seen to send has 30.
inline constexpr int kTreeDepthMax = 200;

// The grammar's own tree of one SELECT.
struct Query::Tree {
  std::shared_ptr<const PgQuery__ParseResult> parsed;
  const PgQuery__SelectStmt* select = nullptr;
  std::string text;
};

// A table that a statement names, outside its own WITH.
struct NamedTable {
  std::string schema;  // empty when there is none
  std::string name;
  int position = -1;
};

// One SELECT or VALUES, parsed. Nothing: the text is something else, or does not parse.
// kUnsupported: it is nested too deep for the passes.
struct ParsedSelect {
  std::shared_ptr<const Query::Tree> tree;
  std::vector<NamedTable> tables;
};
Result<std::optional<ParsedSelect>> ParseSelect(std::string_view text);

}  // namespace tacit::catalog
