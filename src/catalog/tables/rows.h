#pragma once

#include <map>
#include <string>
#include <vector>

#include "catalog/tables/objects.h"

namespace tacit::catalog {

// The rows of the catalog's tables that depend on the policy and the schema alone, by
// "schema.relation"; cells are texts that DuckDB casts to the column's type.
using StoredRows = std::map<std::string, std::vector<Row>>;
StoredRows MakeRows(const Objects& objects, const policy::Policy& policy,
                    const policy::Schema& schema);

// Tables that follow from those by a query, in the order in which they are made.
struct ComputedTable {
  const char* relation;  // "schema.relation"
  const char* sql;
};
const std::vector<ComputedTable>& ComputedTables();

// A row of `relation` with the named cells; what is not named is NULL.
Row MakeRow(const Relation& relation, const std::map<std::string, Cell>& cells);

// A number as a text that a double reads: exactly as written where it is short.
std::string NumberText(const Rational& value, double otherwise);

// '{a,b}' or '1 2' (a vector) as PostgreSQL prints them, as a list that DuckDB reads.
Cell ListText(const Cell& text);

}  // namespace tacit::catalog
