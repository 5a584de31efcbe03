#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/duckdb/api.h"

namespace tacit::engine::duckdb {

// Numbers distinct 64-bit words 0, 1, 2, ... in the order of their first appearance.
class WordNumbers {
 public:
  uint32_t NumberOf(uint64_t word);
  uint32_t size() const { return count_; }

 private:
  void Grow();

  struct Slot {
    uint64_t word = 0;
    uint32_t number_after = 0;  // 0: free
  };
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  uint32_t count_ = 0;
};

// The same for texts.
class TextNumbers {
 public:
  uint32_t NumberOf(std::string_view text);

 private:
  void Grow();

  struct Slot {
    uint64_t hash = 0;
    uint32_t number_after = 0;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  std::vector<std::string> texts_;
};

// Numbers the groups of a stream of chunks by their key columns: equal keys, NULLs included, have
// equal numbers. For types whose equal values are equal bytes.
class GroupIndex {
 public:
  explicit GroupIndex(size_t keys) : columns_(keys), pairs_(keys) {}

  // Fills `groups` with one number for each row of the chunk; keys are its columns from `first` on.
  void Number(duckdb_data_chunk chunk, idx_t first, std::vector<uint32_t>* groups);

 private:
  struct Column {
    WordNumbers words;
    TextNumbers texts;
  };
  void NumberColumn(duckdb_vector vector, Column& column, std::vector<uint32_t>* numbers);

  std::vector<Column> columns_;
  std::vector<WordNumbers> pairs_;  // of the groups so far and the next column's number
  std::vector<uint32_t> next_;
};

}  // namespace tacit::engine::duckdb
