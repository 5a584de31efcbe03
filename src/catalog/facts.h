#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/oid.h"

// What every PostgreSQL 15 has in common, read once from the files in facts/ (written by
// tools/write_catalog_facts): the system's relations, types, casts and their functions.

namespace tacit::catalog {

using Cell = std::optional<std::string>;  // nothing is NULL
using Row = std::vector<Cell>;

struct RelationColumn {
  std::string name;
  Oid type = 0;  // may be a domain
  int32_t modifier = -1;
  bool not_null = false;
  // What a client sees: the type under a domain.
  Oid base_type = 0;
  int32_t base_modifier = -1;
  int dimensions = 0;
};

struct Relation {
  std::string schema;
  std::string name;
  Oid oid = 0;
  char kind = 'r';
  Oid row_type = 0;
  Cell privileges;  // relacl
  std::vector<RelationColumn> columns;
};

// COPY's text format.
std::vector<Row> ReadRows(std::string_view text);

const std::vector<Relation>& SystemRelations();
const std::vector<Row>& Keywords();  // word, catcode, barelabel

// The rows of a table of pg_catalog that are the same everywhere; empty for most tables.
const std::vector<Row>& SystemRows(const std::string& table);

}  // namespace tacit::catalog
