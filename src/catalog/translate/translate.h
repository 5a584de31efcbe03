#pragma once

#include <pg_query/pg_query.pb-c.h>

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/tables/objects.h"
#include "catalog/tables/store.h"

namespace tacit::catalog {

// What a translation needs beside the query. All of it outlives the translation.
struct Surroundings {
  const Objects& objects;
  const Store& store;
  const policy::Policy& policy;
  const Asker& asker;
  bool running = false;  // else only the shape is wanted, and no callback is called
  std::vector<Oid> parameter_types;
  std::vector<std::optional<std::string>> parameters;
};

struct Translation {
  std::string sql;
  std::vector<OidColumn> columns;
  std::vector<Oid> parameters;
  std::vector<int> used_parameters;  // which of them are $1, $2, ... in `sql`
  std::vector<Answer::Change> changes;
  bool public_is_searched = true;
};

// PostgreSQL's tree of a catalog query into DuckDB's SQL over the store. What leaves here was put
// together from known pieces: names in quotes, literals in quotes, and the functions and operators
// that have a rule. What has no rule is an error; nothing of the query's text is copied.
// docs/decisions/catalog_translator.md says why it is not sql::Bind.
Result<Translation> Translate(const PgQuery__SelectStmt& select, const Surroundings& surroundings);

// The client's values of $1, $2, ... as the engine binds them: every one a text that the statement
// casts, arrays rewritten as DuckDB's lists, names of registry types as numbers.
Result<std::vector<engine::Value>> BoundValues(const Objects& objects,
                                               const Surroundings& surroundings,
                                               const Translation& translation);

}  // namespace tacit::catalog
