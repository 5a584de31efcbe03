// The low-level calls keep the state of the key, which the EVP ones would copy with an allocation
// for every row.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <string>
#include <vector>

#include "engine/duckdb/cells.h"
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

Argument ArgumentOf(duckdb_vector vector) {
  return {.cells = static_cast<const unsigned char*>(duckdb_vector_get_data(vector)),
          .validity = duckdb_vector_get_validity(vector),
          .width = WidthOf(StoredTypeOf(vector))};
}

void Append(const Argument& argument, idx_t row, std::string& bytes) {
  if (!IsValid(argument.validity, row)) {
    bytes += '\0';
    return;
  }
  bytes += '\1';
  if (argument.width > 0) {
    const unsigned char* value = argument.cells + row * argument.width;
    for (size_t i = argument.width; i > 0; --i) bytes += static_cast<char>(value[i - 1]);
    return;
  }
  const std::string_view text = TextAt(argument.cells, row);
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(text.size() >> shift & 255);
  }
  bytes += text;
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
