#pragma once

#include <functional>
#include <vector>

#include "base/result.h"
#include "sql/tree.h"

// $1, $2, ... of a prepared statement. Values are put into the tree; no text is ever put together.

namespace tacit::sql {

// The highest number that stands anywhere in the query.
int ParameterCount(const Query& query);

// Puts values[n - 1] wherever $n stands, subqueries included; positions stay those of the
// parameters. kInvalidQuery for a number that has no value.
Result<Query> BindParameters(const Query& query, const std::vector<Expression>& values);

// What type each parameter has, as far as its surroundings say: the type it is cast to, the other
// side of a comparison, the column beside it; kUnknown elsewhere. `column_type` knows the columns.
struct ParameterType {
  Type type;
  bool array = false;  // of that type: x = ANY ($1)
};
using ColumnTypes = std::function<Type(const ColumnReference&)>;
std::vector<ParameterType> InferParameterTypes(const Query& query, const ColumnTypes& column_type);

}  // namespace tacit::sql
