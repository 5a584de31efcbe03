#pragma once

#include <duckdb.h>

#include "base/result.h"

// DuckDB's C functions, loaded when the first of them is needed. The library is large: linking it
// would add its loading to every command, also to those that never open a database. This header is
// included instead of duckdb.h; a function that is not listed here does not link.

namespace tacit::engine::duckdb {

// Loads the library; kUnavailable when it is not where the program was built to find it.
Result<Done> LoadLibrary();

// The address of a function. The library has been loaded: no handle exists before it.
void* FunctionAt(const char* name);

}  // namespace tacit::engine::duckdb

#define TACIT_DUCKDB(name)                                                               \
  (*[] {                                                                                 \
    static auto* const function =                                                        \
        reinterpret_cast<decltype(&::name)>(::tacit::engine::duckdb::FunctionAt(#name)); \
    return function;                                                                     \
  }())

// clang-format off
#define duckdb_add_replacement_scan TACIT_DUCKDB(duckdb_add_replacement_scan)
#define duckdb_append_null TACIT_DUCKDB(duckdb_append_null)
#define duckdb_append_varchar_length TACIT_DUCKDB(duckdb_append_varchar_length)
#define duckdb_appender_close TACIT_DUCKDB(duckdb_appender_close)
#define duckdb_appender_create TACIT_DUCKDB(duckdb_appender_create)
#define duckdb_appender_destroy TACIT_DUCKDB(duckdb_appender_destroy)
#define duckdb_appender_end_row TACIT_DUCKDB(duckdb_appender_end_row)
#define duckdb_appender_error TACIT_DUCKDB(duckdb_appender_error)
#define duckdb_bind_add_result_column TACIT_DUCKDB(duckdb_bind_add_result_column)
#define duckdb_bind_boolean TACIT_DUCKDB(duckdb_bind_boolean)
#define duckdb_bind_date TACIT_DUCKDB(duckdb_bind_date)
#define duckdb_bind_decimal TACIT_DUCKDB(duckdb_bind_decimal)
#define duckdb_bind_double TACIT_DUCKDB(duckdb_bind_double)
#define duckdb_bind_get_extra_info TACIT_DUCKDB(duckdb_bind_get_extra_info)
#define duckdb_bind_get_parameter TACIT_DUCKDB(duckdb_bind_get_parameter)
#define duckdb_bind_hugeint TACIT_DUCKDB(duckdb_bind_hugeint)
#define duckdb_bind_int64 TACIT_DUCKDB(duckdb_bind_int64)
#define duckdb_bind_interval TACIT_DUCKDB(duckdb_bind_interval)
#define duckdb_bind_null TACIT_DUCKDB(duckdb_bind_null)
#define duckdb_bind_set_bind_data TACIT_DUCKDB(duckdb_bind_set_bind_data)
#define duckdb_bind_set_cardinality TACIT_DUCKDB(duckdb_bind_set_cardinality)
#define duckdb_bind_set_error TACIT_DUCKDB(duckdb_bind_set_error)
#define duckdb_bind_time TACIT_DUCKDB(duckdb_bind_time)
#define duckdb_bind_timestamp TACIT_DUCKDB(duckdb_bind_timestamp)
#define duckdb_bind_timestamp_tz TACIT_DUCKDB(duckdb_bind_timestamp_tz)
#define duckdb_bind_varchar_length TACIT_DUCKDB(duckdb_bind_varchar_length)
#define duckdb_close TACIT_DUCKDB(duckdb_close)
#define duckdb_column_count TACIT_DUCKDB(duckdb_column_count)
#define duckdb_column_logical_type TACIT_DUCKDB(duckdb_column_logical_type)
#define duckdb_column_name TACIT_DUCKDB(duckdb_column_name)
#define duckdb_connect TACIT_DUCKDB(duckdb_connect)
#define duckdb_create_config TACIT_DUCKDB(duckdb_create_config)
#define duckdb_create_decimal_type TACIT_DUCKDB(duckdb_create_decimal_type)
#define duckdb_create_list_type TACIT_DUCKDB(duckdb_create_list_type)
#define duckdb_create_logical_type TACIT_DUCKDB(duckdb_create_logical_type)
#define duckdb_create_scalar_function TACIT_DUCKDB(duckdb_create_scalar_function)
#define duckdb_create_table_function TACIT_DUCKDB(duckdb_create_table_function)
#define duckdb_create_varchar TACIT_DUCKDB(duckdb_create_varchar)
#define duckdb_data_chunk_get_column_count TACIT_DUCKDB(duckdb_data_chunk_get_column_count)
#define duckdb_data_chunk_get_size TACIT_DUCKDB(duckdb_data_chunk_get_size)
#define duckdb_data_chunk_get_vector TACIT_DUCKDB(duckdb_data_chunk_get_vector)
#define duckdb_data_chunk_set_size TACIT_DUCKDB(duckdb_data_chunk_set_size)
#define duckdb_decimal_internal_type TACIT_DUCKDB(duckdb_decimal_internal_type)
#define duckdb_decimal_scale TACIT_DUCKDB(duckdb_decimal_scale)
#define duckdb_decimal_width TACIT_DUCKDB(duckdb_decimal_width)
#define duckdb_destroy_config TACIT_DUCKDB(duckdb_destroy_config)
#define duckdb_destroy_data_chunk TACIT_DUCKDB(duckdb_destroy_data_chunk)
#define duckdb_destroy_extracted TACIT_DUCKDB(duckdb_destroy_extracted)
#define duckdb_destroy_logical_type TACIT_DUCKDB(duckdb_destroy_logical_type)
#define duckdb_destroy_prepare TACIT_DUCKDB(duckdb_destroy_prepare)
#define duckdb_destroy_result TACIT_DUCKDB(duckdb_destroy_result)
#define duckdb_destroy_scalar_function TACIT_DUCKDB(duckdb_destroy_scalar_function)
#define duckdb_destroy_table_function TACIT_DUCKDB(duckdb_destroy_table_function)
#define duckdb_destroy_value TACIT_DUCKDB(duckdb_destroy_value)
#define duckdb_disconnect TACIT_DUCKDB(duckdb_disconnect)
#define duckdb_enum_dictionary_size TACIT_DUCKDB(duckdb_enum_dictionary_size)
#define duckdb_enum_dictionary_value TACIT_DUCKDB(duckdb_enum_dictionary_value)
#define duckdb_enum_internal_type TACIT_DUCKDB(duckdb_enum_internal_type)
#define duckdb_execute_prepared_streaming TACIT_DUCKDB(duckdb_execute_prepared_streaming)
#define duckdb_extract_statements TACIT_DUCKDB(duckdb_extract_statements)
#define duckdb_extract_statements_error TACIT_DUCKDB(duckdb_extract_statements_error)
#define duckdb_fetch_chunk TACIT_DUCKDB(duckdb_fetch_chunk)
#define duckdb_free TACIT_DUCKDB(duckdb_free)
#define duckdb_function_get_bind_data TACIT_DUCKDB(duckdb_function_get_bind_data)
#define duckdb_function_get_init_data TACIT_DUCKDB(duckdb_function_get_init_data)
#define duckdb_function_set_error TACIT_DUCKDB(duckdb_function_set_error)
#define duckdb_get_type_id TACIT_DUCKDB(duckdb_get_type_id)
#define duckdb_get_varchar TACIT_DUCKDB(duckdb_get_varchar)
#define duckdb_init_set_init_data TACIT_DUCKDB(duckdb_init_set_init_data)
#define duckdb_interrupt TACIT_DUCKDB(duckdb_interrupt)
#define duckdb_list_vector_get_child TACIT_DUCKDB(duckdb_list_vector_get_child)
#define duckdb_list_vector_reserve TACIT_DUCKDB(duckdb_list_vector_reserve)
#define duckdb_list_vector_set_size TACIT_DUCKDB(duckdb_list_vector_set_size)
#define duckdb_open_ext TACIT_DUCKDB(duckdb_open_ext)
#define duckdb_prepare_error TACIT_DUCKDB(duckdb_prepare_error)
#define duckdb_prepare_extracted_statement TACIT_DUCKDB(duckdb_prepare_extracted_statement)
#define duckdb_prepared_statement_column_count TACIT_DUCKDB(duckdb_prepared_statement_column_count)
#define duckdb_prepared_statement_column_logical_type TACIT_DUCKDB(duckdb_prepared_statement_column_logical_type)
#define duckdb_prepared_statement_column_name TACIT_DUCKDB(duckdb_prepared_statement_column_name)
#define duckdb_prepared_statement_type TACIT_DUCKDB(duckdb_prepared_statement_type)
#define duckdb_query_progress TACIT_DUCKDB(duckdb_query_progress)
#define duckdb_register_scalar_function TACIT_DUCKDB(duckdb_register_scalar_function)
#define duckdb_register_table_function TACIT_DUCKDB(duckdb_register_table_function)
#define duckdb_replacement_scan_add_parameter TACIT_DUCKDB(duckdb_replacement_scan_add_parameter)
#define duckdb_replacement_scan_set_function_name TACIT_DUCKDB(duckdb_replacement_scan_set_function_name)
#define duckdb_result_error TACIT_DUCKDB(duckdb_result_error)
#define duckdb_result_error_type TACIT_DUCKDB(duckdb_result_error_type)
#define duckdb_scalar_function_add_parameter TACIT_DUCKDB(duckdb_scalar_function_add_parameter)
#define duckdb_scalar_function_get_extra_info TACIT_DUCKDB(duckdb_scalar_function_get_extra_info)
#define duckdb_scalar_function_set_error TACIT_DUCKDB(duckdb_scalar_function_set_error)
#define duckdb_scalar_function_set_extra_info TACIT_DUCKDB(duckdb_scalar_function_set_extra_info)
#define duckdb_scalar_function_set_function TACIT_DUCKDB(duckdb_scalar_function_set_function)
#define duckdb_scalar_function_set_name TACIT_DUCKDB(duckdb_scalar_function_set_name)
#define duckdb_scalar_function_set_return_type TACIT_DUCKDB(duckdb_scalar_function_set_return_type)
#define duckdb_scalar_function_set_special_handling TACIT_DUCKDB(duckdb_scalar_function_set_special_handling)
#define duckdb_scalar_function_set_varargs TACIT_DUCKDB(duckdb_scalar_function_set_varargs)
#define duckdb_set_config TACIT_DUCKDB(duckdb_set_config)
#define duckdb_string_t_data TACIT_DUCKDB(duckdb_string_t_data)
#define duckdb_string_t_length TACIT_DUCKDB(duckdb_string_t_length)
#define duckdb_table_function_add_parameter TACIT_DUCKDB(duckdb_table_function_add_parameter)
#define duckdb_table_function_set_bind TACIT_DUCKDB(duckdb_table_function_set_bind)
#define duckdb_table_function_set_extra_info TACIT_DUCKDB(duckdb_table_function_set_extra_info)
#define duckdb_table_function_set_function TACIT_DUCKDB(duckdb_table_function_set_function)
#define duckdb_table_function_set_init TACIT_DUCKDB(duckdb_table_function_set_init)
#define duckdb_table_function_set_name TACIT_DUCKDB(duckdb_table_function_set_name)
#define duckdb_validity_row_is_valid TACIT_DUCKDB(duckdb_validity_row_is_valid)
#define duckdb_validity_set_row_invalid TACIT_DUCKDB(duckdb_validity_set_row_invalid)
#define duckdb_vector_assign_string_element_len TACIT_DUCKDB(duckdb_vector_assign_string_element_len)
#define duckdb_vector_ensure_validity_writable TACIT_DUCKDB(duckdb_vector_ensure_validity_writable)
#define duckdb_vector_get_column_type TACIT_DUCKDB(duckdb_vector_get_column_type)
#define duckdb_vector_get_data TACIT_DUCKDB(duckdb_vector_get_data)
#define duckdb_vector_get_validity TACIT_DUCKDB(duckdb_vector_get_validity)
#define duckdb_vector_size TACIT_DUCKDB(duckdb_vector_size)
// clang-format on
