#pragma once

#include <span>

#include "catalog/oid.h"

namespace tacit::catalog {

// A function of PostgreSQL as an expression of DuckDB. `arguments` has a letter for each: t text,
// a anything, o an object's number, c regclass, i integer, l bigint, b boolean, f double. #1 is the
// first argument. What is not in the list does not exist: this is what keeps queries inside.
struct FunctionRule {
  const char* name;
  const char* arguments;
  Oid result;
  const char* sql;
};
std::span<const FunctionRule> FunctionRules();

// Names that nobody can write, of substring() with a pattern.
inline constexpr char kSubstringMatching[] = "substring matching";
inline constexpr char kSubstringOfGroup[] = "substring in parentheses";

}  // namespace tacit::catalog
