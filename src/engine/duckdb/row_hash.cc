// The low-level calls keep the state of the key, which the EVP ones would copy with an allocation
// for every row.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/duckdb/functions.h"

// A value is one byte, 0 for NULL and 1 otherwise, and then its bytes, the most significant first:
// as many as its type has, or for texts four for their length and then the text.
namespace tacit::engine::duckdb {
namespace {

struct Argument {
  const unsigned char* cells = nullptr;
  const uint64_t* validity = nullptr;
  size_t width = 0;  // of a value in bytes; 0: a text
};

size_t WidthOf(duckdb_type type) {
  switch (type) {
    case DUCKDB_TYPE_SQLNULL:  // nothing but NULL
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_UTINYINT:
      return 1;
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_USMALLINT:
      return 2;
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DATE:
      return 4;
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_TIME:
    case DUCKDB_TYPE_TIME_NS:
    case DUCKDB_TYPE_TIME_TZ:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return 8;
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UHUGEINT:
    case DUCKDB_TYPE_UUID:
    case DUCKDB_TYPE_INTERVAL:
      return 16;
    default:
      // The plan writes every other type as a text.
      TACIT_ASSERT(type == DUCKDB_TYPE_VARCHAR || type == DUCKDB_TYPE_BLOB);
      return 0;
  }
}

Argument ArgumentOf(duckdb_vector vector) {
  duckdb_logical_type type = duckdb_vector_get_column_type(vector);
  duckdb_type id = duckdb_get_type_id(type);
  if (id == DUCKDB_TYPE_ENUM) id = duckdb_enum_internal_type(type);
  if (id == DUCKDB_TYPE_DECIMAL) id = duckdb_decimal_internal_type(type);
  duckdb_destroy_logical_type(&type);
  return {.cells = static_cast<const unsigned char*>(duckdb_vector_get_data(vector)),
          .validity = duckdb_vector_get_validity(vector),
          .width = WidthOf(id)};
}

void Append(const Argument& argument, idx_t row, std::string& bytes) {
  if (argument.validity != nullptr && (argument.validity[row / 64] >> (row % 64) & 1) == 0) {
    bytes += '\0';
    return;
  }
  bytes += '\1';
  if (argument.width > 0) {
    const unsigned char* value = argument.cells + row * argument.width;
    for (size_t i = argument.width; i > 0; --i) bytes += static_cast<char>(value[i - 1]);
    return;
  }
  duckdb_string_t text;
  std::memcpy(&text, argument.cells + row * sizeof text, sizeof text);
  const uint32_t length = text.value.inlined.length;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(length >> shift & 255);
  bytes.append(length <= sizeof text.value.inlined.inlined ? text.value.inlined.inlined
                                                           : text.value.pointer.ptr,
               length);
}

}  // namespace

void HashRows(duckdb_function_info, duckdb_data_chunk input, duckdb_vector output) {
  std::vector<Argument> arguments;
  for (idx_t i = 0; i < duckdb_data_chunk_get_column_count(input); ++i) {
    arguments.push_back(ArgumentOf(duckdb_data_chunk_get_vector(input, i)));
  }
  // Key and table are the statement's: the same in every row.
  std::string bytes;
  Append(arguments[0], 0, bytes);
  Append(arguments[1], 0, bytes);
  SHA256_CTX keyed;
  SHA256_Init(&keyed);
  SHA256_Update(&keyed, bytes.data(), bytes.size());
  auto* hashes = static_cast<uint64_t*>(duckdb_vector_get_data(output));
  const idx_t size = duckdb_data_chunk_get_size(input);
  for (idx_t row = 0; row < size; ++row) {
    bytes.clear();
    for (size_t i = 2; i < arguments.size(); ++i) Append(arguments[i], row, bytes);
    SHA256_CTX state = keyed;
    SHA256_Update(&state, bytes.data(), bytes.size());
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256_Final(digest, &state);
    uint64_t first = 0;
    for (int i = 0; i < 8; ++i) first = first << 8 | digest[i];
    hashes[row] = first;
  }
}

}  // namespace tacit::engine::duckdb
