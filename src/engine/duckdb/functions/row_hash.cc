// The low-level calls keep the state of the key, which the EVP ones would copy with an allocation
// for every row.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <bit>
#include <cstring>
#include <vector>

#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/values/cells.h"

// A value is one byte, 0 for NULL and 1 otherwise, and then its bytes, the most significant first:
// as many as its type has, or for texts four for their length and then the text.
namespace tacit::engine::duckdb {
namespace {

static_assert(std::endian::native == std::endian::little, "cells are turned round byte by byte");

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

// The bytes of one row after the other, in memory that only grows.
class RowBytes {
 public:
  void Clear() { size_ = 0; }
  const unsigned char* bytes() const { return memory_.data(); }
  size_t size() const { return size_; }

  void Append(const Argument& argument, idx_t row) {
    // Why 32: a mark and the widest value, or a mark and a text's length.
    Reserve(32);
    const bool valid = IsValid(argument.validity, row);
    memory_[size_++] = valid ? 1 : 0;
    if (!valid) return;
    const unsigned char* value = argument.cells + row * argument.width;
    switch (argument.width) {
      case 0:
        return AppendText(TextAt(argument.cells, row));
      case 4:
        return AppendWord(__builtin_bswap32(Read<uint32_t>(value)));
      case 8:
        return AppendWord(__builtin_bswap64(Read<uint64_t>(value)));
      default:
        for (size_t i = argument.width; i > 0; --i) memory_[size_++] = value[i - 1];
    }
  }

 private:
  template <typename Word>
  static Word Read(const unsigned char* from) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    return word;
  }
  template <typename Word>
  void AppendWord(Word word) {
    std::memcpy(memory_.data() + size_, &word, sizeof word);
    size_ += sizeof word;
  }
  void AppendText(std::string_view text) {
    AppendWord(__builtin_bswap32(static_cast<uint32_t>(text.size())));
    Reserve(text.size());
    if (!text.empty()) std::memcpy(memory_.data() + size_, text.data(), text.size());
    size_ += text.size();
  }
  void Reserve(size_t more) {
    if (memory_.size() - size_ < more) memory_.resize(2 * (size_ + more));
  }

  std::vector<unsigned char> memory_;
  size_t size_ = 0;
};

}  // namespace

void HashRows(duckdb_function_info, duckdb_data_chunk input, duckdb_vector output) {
  std::vector<Argument> arguments;
  for (idx_t i = 0; i < duckdb_data_chunk_get_column_count(input); ++i) {
    arguments.push_back(ArgumentOf(duckdb_data_chunk_get_vector(input, i)));
  }
  // Key and table are the statement's: the same in every row.
  RowBytes bytes;
  bytes.Append(arguments[0], 0);
  bytes.Append(arguments[1], 0);
  SHA256_CTX keyed;
  SHA256_Init(&keyed);
  SHA256_Update(&keyed, bytes.bytes(), bytes.size());
  auto* hashes = static_cast<uint64_t*>(duckdb_vector_get_data(output));
  const idx_t size = duckdb_data_chunk_get_size(input);
  for (idx_t row = 0; row < size; ++row) {
    bytes.Clear();
    for (size_t i = 2; i < arguments.size(); ++i) bytes.Append(arguments[i], row);
    SHA256_CTX state = keyed;
    SHA256_Update(&state, bytes.bytes(), bytes.size());
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256_Final(digest, &state);
    uint64_t first;
    std::memcpy(&first, digest, sizeof first);
    hashes[row] = __builtin_bswap64(first);
  }
}

}  // namespace tacit::engine::duckdb
