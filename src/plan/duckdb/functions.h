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

// tacit_from_decimal(number DECIMAL) -> DOUBLE, of up to 18 digits: what CAST gives, several times
// as fast. NULL for NULL.
inline constexpr char kFromDecimalFunction[] = "tacit_from_decimal";
inline constexpr int kFromDecimalDigitsMax = 18;

// tacit_text_number(text VARCHAR, list BIGINT) -> UINTEGER: the text's number on a list that
// engine/duckdb keeps while a statement runs, where every new text is added. NULL for NULL. DuckDB
// asks once for each text of a column's dictionary, not for each row.
inline constexpr char kTextNumberFunction[] = "tacit_text_number";

}  // namespace tacit::plan::duckdb
