#pragma once

#include <string>
#include <string_view>

#include "base/value_type.h"
#include "catalog/facts.h"
#include "catalog/oid.h"

// PostgreSQL's types by number, and what holds their values in the catalog's DuckDB.

namespace tacit::catalog {

struct TypeFacts {
  Oid oid = 0;
  std::string schema;
  std::string name;
  int16_t length = -1;
  bool by_value = false;
  char category = 'X';
  Oid relation = 0;
  Oid element = 0;
  Oid array = 0;
  char alignment = 'i';
  char storage = 'p';
  Oid collation = 0;
};

// Nothing for a number that no system type has.
const TypeFacts* FindType(Oid type);
// By PostgreSQL's own name of it (int4, text, pg_class) and, without a schema, "char" as char.
const TypeFacts* FindTypeNamed(std::string_view name);

// As format_type prints it; modifier -2 stands for NULL.
std::string FormatType(Oid type, int64_t modifier);
// Reads what FormatType prints, and the internal names: "integer", "int4", "text[]". 0: none.
Oid ParseTypeName(std::string_view text);

bool IsArray(Oid type);   // also int2vector and oidvector
bool IsVector(Oid type);  // those two count from 0 and print with spaces
Oid ElementOf(Oid type);
Oid ArrayOf(Oid element);
bool IsText(Oid type);      // held as VARCHAR and compared as text
bool IsRegistry(Oid type);  // regclass, regtype, ...: a number that prints as a name
bool IsWhole(Oid type);     // integers and object numbers
bool IsNumber(Oid type);

// The type of DuckDB that holds its values.
std::string StoredAs(Oid type);

// A type as PostgreSQL would describe a column of it; `unknown` for what has no name there.
struct TypeAndModifier {
  Oid type = 0;
  int32_t modifier = -1;
};
TypeAndModifier TypeOf(const ValueType& type);

}  // namespace tacit::catalog
