#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value_type.h"

// What the database looks like: names and types of tables and columns, in stored order. The engine
// reads it once, without touching a row; analysis and `tacit check` work with it beside the policy.

namespace tacit::policy {

struct SchemaColumn {
  std::string name;
  ValueType type;
  bool unique = false;  // the database itself enforces it: no value stands in two rows
  // The engine's name of a type that cannot have rules, such as HUGEINT; empty: it has some, or is
  // of a kind that nobody expects to have them (a list, a blob).
  std::string without_rule = {};
  bool not_null = false;  // the database itself enforces it
  bool operator==(const SchemaColumn&) const = default;
};

struct SchemaTable {
  std::string name;
  std::vector<SchemaColumn> columns;
  // The engine reads a copy that `tacit prepare` made under this very policy: clustered by unit,
  // with the ranks and grid columns of engine/duckdb/prepare beside these columns.
  bool prepared = false;
  bool operator==(const SchemaTable&) const = default;

  const SchemaColumn* Find(std::string_view column) const;
};

struct Schema {
  std::vector<SchemaTable> tables;  // by name
  bool operator==(const Schema&) const = default;

  const SchemaTable* Find(std::string_view table) const;
  const SchemaColumn* Find(std::string_view table, std::string_view column) const;
};

// Names of the policy, the schema and the query meet here: ASCII letters compare without case,
// as the engines do. A name that only matched exactly would let `SSN: {hidden: true}` miss a
// column stored as ssn.
bool SameName(std::string_view a, std::string_view b);
std::string FoldedName(std::string_view name);

}  // namespace tacit::policy
