#pragma once

#include <cstdint>
#include <vector>

#include "engine/duckdb/database/api.h"

namespace tacit::engine::duckdb {

// Numbers distinct 64-bit words 0, 1, 2, ... in the order of their first appearance.
class WordNumbers {
 public:
  uint32_t NumberOf(uint64_t word) {
    if (word >= kSmallWords) return NumberOfLarge(word);
    uint32_t& number_after = small_[word];
    if (number_after == 0) number_after = ++count_;
    return number_after - 1;
  }

 private:
  uint32_t NumberOfLarge(uint64_t word);
  void Grow();

  // Why 2^14: most keys are small numbers, and a table of so many stays close to the processor.
  static constexpr uint64_t kSmallWords = uint64_t{1} << 14;
  std::vector<uint32_t> small_ = std::vector<uint32_t>(kSmallWords);  // 0: not seen

  struct Slot {
    uint64_t word = 0;
    uint32_t number_after = 0;  // 0: free
  };
  std::vector<Slot> slots_ = std::vector<Slot>(1024);
  uint32_t large_ = 0;  // used slots
  uint32_t count_ = 0;
};

// Numbers the groups of a stream of chunks by their key columns: equal keys, NULLs included, have
// equal numbers. For types of at most eight bytes whose equal values are equal bytes.
class GroupIndex {
 public:
  explicit GroupIndex(size_t keys) : columns_(keys), pairs_(keys) {}

  // Fills `groups` with one number for each row of the chunk; keys are its columns from `first` on.
  void Number(duckdb_data_chunk chunk, idx_t first, std::vector<uint32_t>* groups);

 private:
  std::vector<WordNumbers> columns_;
  std::vector<WordNumbers> pairs_;  // of the groups so far and the next column's number
  std::vector<uint32_t> next_;
};

}  // namespace tacit::engine::duckdb
