#pragma once

// Functions of the program's own that the exact queries call. Each is
// total and deterministic: it gives a value for every row, the same one every time.
namespace tacit::engine::duckdb {

// tacit_row_hash(key VARCHAR, table VARCHAR, any...) -> UBIGINT: the first 64 bits of SHA-256 over
// all of them, encoded so that no two lists of values have the same bytes. NULL is a value.
inline constexpr char kRowHashFunction[] = "tacit_row_hash";

// tacit_on_grid(value DOUBLE, grid VARCHAR) -> BIGINT: `low` up to low_end, `high` from high_end on
// and for NaN, and between them value * steps, rounded half away from zero, within [low, high].
// NULL for a NULL value. The grid is a constant, 'low_end high_end steps low high', of which the
// first three may be quotients, 1/3. One text, because the engine makes every constant argument
// anew for each chunk of rows, which takes longer than a few rows of a filter.
inline constexpr char kOnGridFunction[] = "tacit_on_grid";

// tacit_from_decimal(number DECIMAL) -> DOUBLE, of up to 18 digits: what CAST gives, several times
// as fast. NULL for NULL.
inline constexpr char kFromDecimalFunction[] = "tacit_from_decimal";
inline constexpr int kFromDecimalDigitsMax = 18;

// tacit_people(number BIGINT) -> BIGINT, an aggregate: how many numbers there are, of rows of one
// table, each at most once. A unit of n rows has the number i there if no other has one from i to
// i + n - 1.
inline constexpr char kPeopleFunction[] = "tacit_people";

// tacit_full_cells(cell BIGINT) -> UBIGINT[], an aggregate: the cells that hold rows in rising
// order, each with its number of rows behind it. NULL is in no cell.
inline constexpr char kFullCellsFunction[] = "tacit_full_cells";

// tacit_text_number(text VARCHAR, list BIGINT) -> UINTEGER: the text's number on a list that
// the engine keeps while a statement runs, where every new text is added. NULL for NULL. DuckDB
// asks once for each text of a column's dictionary, not for each row.
inline constexpr char kTextNumberFunction[] = "tacit_text_number";

// tacit_row_place(row BIGINT, places BIGINT) -> BIGINT: where a row of a table is to be stored. The
// row goes by its rowid, `places` names what row_places.h keeps. Places
// grow as rows are stored: the number of the row's unit, and in the last kRankBits bits its rank,
// counted from 0. NULL for a row that is not stored.
inline constexpr char kRowPlaceFunction[] = "tacit_row_place";
// Why 27: 134 million rows of one person, and places of 2^36 rows in a BIGINT.
inline constexpr int kRankBits = 27;

// tacit_row_ties(row BIGINT, places BIGINT) -> BOOLEAN: another row of its unit has the same hash.
inline constexpr char kRowTiesFunction[] = "tacit_row_ties";

}  // namespace tacit::engine::duckdb
