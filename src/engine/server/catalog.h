#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "policy/schema.h"

// What engines share whose rows a server holds.
namespace tacit::engine::server {

// How a stored value's bytes are made for the row hash: as DuckDB keeps them.
enum class Stored {
  kBoolean,
  kSmallint,
  kInteger,
  kBigint,
  kNumeric,
  kReal,
  kDouble,
  kText,  // and all that is written as text: enums, arrays, JSON
  kDate,
  kTime,
  kTimestamp,
  kTimestampTz,
  kInterval,
  kUuid
};

struct CatalogColumn {
  policy::SchemaColumn seen;  // as policies, questions and `tacit check` know it
  std::string type;           // in the server's words
  std::string read;           // its value, of a row of the table
  Stored stored = Stored::kText;
  bool operator==(const CatalogColumn&) const = default;
};

struct CatalogTable {
  std::string name;  // as stored
  bool is_partitioned = false;
  std::vector<CatalogColumn> columns;
  const CatalogColumn* Find(const std::string& column) const;
  bool operator==(const CatalogTable&) const = default;
};

// What a prepared copy of each table would have to be made of, by folded names, and the schema that
// copies are in (engine/postgres/prepared).
struct WantedCopies {
  std::string schema;
  std::map<std::string, std::string> fingerprints;
  bool may_read_tables = false;  // where there is no fresh one
};

// The tables of one schema that can stand below the frontier, and why others cannot. Names and
// types only.
struct Catalog {
  std::string schema;
  std::vector<CatalogTable> tables;            // by name
  std::map<std::string, std::string> refused;  // by folded name: "is a view ..."
  std::optional<WantedCopies> copies = {};
  const CatalogTable* Find(const std::string& table) const;
  policy::Schema Seen() const;
};

// Refuses tables and columns whose names are one here: no question could say which is meant. And
// names that are Tacit's own.
void RefuseTwins(Catalog& catalog);

}  // namespace tacit::engine::server
