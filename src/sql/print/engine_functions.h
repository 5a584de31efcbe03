#pragma once

// Functions of the program's own that printed expressions call. engine/duckdb registers them in
// every database it opens, sql/testing in the databases of tests.
namespace tacit::sql {

// tacit_finite(number DOUBLE) -> DOUBLE: NULL for an infinity and for NaN, 0 for -0, and every
// other number as it is.
inline constexpr char kFiniteFunction[] = "tacit_finite";

}  // namespace tacit::sql
