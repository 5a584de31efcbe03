#pragma once

// Functions of the program's own that the exact queries call, and engine/duckdb registers. Each is
// total and deterministic: it gives a value for every row, the same one every time.
namespace tacit::plan::duckdb {

// tacit_row_hash(key VARCHAR, table VARCHAR, any...) -> UBIGINT: the first 64 bits of SHA-256 over
// all of them, encoded so that no two lists of values have the same bytes. NULL is a value.
inline constexpr char kRowHashFunction[] = "tacit_row_hash";

// tacit_on_grid(value DOUBLE, low_end DOUBLE, high_end DOUBLE, steps DOUBLE, low BIGINT,
// high BIGINT) -> BIGINT: `low` up to low_end, `high` from high_end on and for NaN, and between
// them value * steps, rounded half away from zero, within [low, high]. NULL for a NULL value.
inline constexpr char kOnGridFunction[] = "tacit_on_grid";

}  // namespace tacit::plan::duckdb
