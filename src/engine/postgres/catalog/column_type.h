#pragma once

#include <optional>
#include <string>

#include "engine/postgres/catalog/catalog.h"

namespace tacit::engine::postgres {

// What pg_attribute and pg_type say of a column; a domain's is what it stands on.
struct AttributeType {
  int64_t number = 0;     // in pg_type
  int64_t modifier = -1;  // atttypmod
  std::string words;      // "numeric(12,2)"
  bool is_enum = false;
  bool is_domain = false;
  bool is_built_in = false;  // of pg_catalog, or a domain or an array of such
};

// How a column of that type is seen and read; `name` is quoted. Nothing for a type that somebody
// added to the server: its output is code that nobody here knows.
struct ColumnForm {
  ValueType type;
  std::string without_rule = {};
  std::string read;
  Stored stored = Stored::kText;
};
std::optional<ColumnForm> FormOf(const AttributeType& type, const std::string& name);

// Whether values that the database keeps apart are apart as they are read. Of a numeric NaN is read
// as a number: a row of each would be one parent, and whose the rows below are would be open.
bool IsReadApart(const ColumnForm& form);

}  // namespace tacit::engine::postgres
