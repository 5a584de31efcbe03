#pragma once

#include <string>

#include "analysis/known.h"
#include "base/result.h"

// What leads from a row of a protected table to its unit.
namespace tacit::analysis {

// A column whose values name the person, directly or on the way there.
bool IsOnUnitPath(const policy::UnitPath& path, const std::string& table,
                  const std::string& column);

// The column's value is the unit's: the unit column itself, or a foreign key that refers to it.
bool EqualsUnit(const policy::UnitPath& path, const std::string& table, const std::string& column);

// The type of the unit that a table's rows carry.
ValueType UnitTypeOf(const policy::Schema& schema, const policy::UnitPath& path,
                     const policy::SchemaTable& stored);

// Refuses a way on which two people could be taken for one: columns of types that cannot be
// compared, keys of two types, and keys that nothing keeps unique.
Result<Done> CheckUnitPath(const policy::Schema& schema, const policy::UnitPath& path,
                           const policy::SchemaTable& stored, sql::Position position);

}  // namespace tacit::analysis
