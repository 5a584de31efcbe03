#pragma once

#include "catalog/tables/objects.h"
#include "engine/duckdb/database/database.h"

namespace tacit::catalog {

// In the engine's error when a query would make too long a text, array or series.
inline constexpr char kLimitText[] = "tacit: beyond the catalog's limits";
// Why 64 KiB: no text of the catalog comes near. Why 4096: nor any array.
inline constexpr int kTextBytesMax = 64 << 10;
inline constexpr int kArrayLengthMax = 4096;

// Gives the database the functions that look names and numbers up (tacit_format_type and so on);
// translate/function_rules.cc says which of PostgreSQL's functions become which of them. `objects`
// outlives the database.
Result<Done> RegisterFunctions(engine::duckdb::Connection& connection, const Objects& objects);

// As a registry type prints its number: pg_class, integer, int4in.
std::string RegistryText(const Objects& objects, Oid type, Oid value, bool public_is_searched);
// The number of what the text names; nothing when there is none such.
std::optional<Oid> ParseRegistry(const Objects& objects, Oid type, std::string_view text);

}  // namespace tacit::catalog
