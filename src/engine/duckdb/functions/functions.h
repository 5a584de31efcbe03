#pragma once

#include "base/result.h"
#include "engine/duckdb/database/api.h"

// What own_functions.h, sql/print/engine_functions.h and plan/above/average_margin.h promise, as
// DuckDB functions.
namespace tacit::engine::duckdb {

// For all connections of the connection's database; once.
Result<Done> RegisterFunctions(duckdb_connection connection);
// Of those only what printed expressions call, for a database that holds no protected row.
Result<Done> RegisterExpressionFunctions(duckdb_connection connection);

// ---- parts, called by DuckDB for chunks of rows, or once for each statement

// row_hash.cc
void HashRows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// constant.cc
void FindConstant(duckdb_bind_info info);
void GiveConstant(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// text_list.cc
void NumberTexts(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// from_decimal.cc
void ReadDecimalType(duckdb_bind_info info);
void FromDecimal(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// row_places.cc
void FindPlaces(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
void FindTies(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// finite.cc
void KeepFinite(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// average_margin.cc
void ReadAverageMargin(duckdb_bind_info info);
void GiveAverageMargins(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);
// on_grid.cc
void ReadGrid(duckdb_bind_info info);
void PutOnGrid(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output);

}  // namespace tacit::engine::duckdb
