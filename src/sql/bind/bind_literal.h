#pragma once

#include "base/result.h"
#include "sql/bind/bind.h"

// How literals get their types. Internal to src/sql.
namespace tacit::sql {

// A number's type follows from its digits; strings and NULL stay unknown until something needs
// them.
Result<Bound> BindLiteral(const Literal& literal, Position position);

// A string or NULL where a `type` is needed. A string that is no value of the type is an error of
// the query, found here and not in the engine.
Result<Bound> BindLiteralAs(const Literal& literal, const Type& type, Position position);

// A number, date or time that is written out, in another type that has it exactly or as a cast
// would make it; nothing for others.
std::optional<Bound> LiteralAs(const Bound& bound, const Type& type);

Range LiteralRange(const Literal& literal);

}  // namespace tacit::sql
