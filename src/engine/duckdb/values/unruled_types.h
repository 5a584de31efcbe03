#pragma once

#include "engine/duckdb/database/database.h"
#include "policy/schema.h"

namespace tacit::engine::duckdb {

// Makes columns opaque (TypeKind::kOpaque) whose type cannot be given total functions and one form
// for equal values, and says in SchemaColumn::without_rule what the engine calls it:
//
//   TIMESTAMP_S, _MS, _NS  compared with microseconds they raise beyond their range, and two
//                          nanoseconds are one microsecond
//   HUGEINT, UHUGEINT      hold numbers of 39 digits, numeric(38, 0) does not
//   VARCHAR COLLATE ...    texts that are equal and print differently
//   STRUCT, MAP, INTEGER[], BLOB, ...
//                          are opaque already: what equals what inside them is not ours to say
Result<Done> MarkUnruledTypes(Connection& connection, policy::Schema& schema);

// The columns that a CREATE TABLE, as DuckDB writes it, gives a collation.
std::vector<std::string> CollatedColumns(const std::string& create_table);

// What a column of such a type is stored as instead; empty: nothing is needed. `loses` says what of
// its values that cannot hold.
struct RuledType {
  std::string name;
  std::string loses;
};
RuledType RuledTypeFor(const std::string& engine_type);

}  // namespace tacit::engine::duckdb
