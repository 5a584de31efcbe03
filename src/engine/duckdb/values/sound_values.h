#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/value_type.h"
#include "engine/duckdb/database/database.h"
#include "engine/duckdb/values/unruled_types.h"

namespace tacit::engine::duckdb {

// A column of a file, as the engine reads it.
struct FileColumn {
  std::string name;
  ValueType type;
  std::string engine_type;
  RuledType ruled;  // what its values become, where its own type has no rules
};

// The columns of what stands after FROM; reads no row.
std::optional<Failure> DescribeFile(Connection& connection, const std::string& from,
                                    std::vector<FileColumn>* columns);

// The column's value where it is one of its type and the type has rules, NULL where it is not, in
// the engine's words; it never raises. A file may hold values on which the engine raises as soon as
// it computes with them (an instant before all that it can write, a decimal beyond its precision),
// and NaN and infinities, which no bound holds: one row would decide whether a question is
// answered.
std::string SoundValue(const FileColumn& column);

}  // namespace tacit::engine::duckdb
