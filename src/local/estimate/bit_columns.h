#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tacit::local {

// Counts, for each bit position, in how many rows it is set. Rows are added eight at a time by
// carry-save adders, so a row of 64 bits costs a few instructions and not 64.
class BitColumns {
 public:
  explicit BitColumns(uint32_t words);

  void Add(std::span<const uint64_t> row);

  // The count of every position, the highest bit of the first word first.
  std::vector<uint64_t> Counts() const;

  void Merge(const BitColumns& other);

 private:
  static constexpr uint32_t kBatch = 8;

  void AddBatch();
  void Spread(uint32_t word, uint64_t bits, uint64_t weight);

  uint32_t words_;
  uint32_t waiting_ = 0;                       // rows in batch_
  std::vector<uint64_t> batch_;                // kBatch rows
  std::vector<uint64_t> ones_, twos_, fours_;  // sums not yet carried
  // Bytes of the carried eights: lane i of byte-group b counts bit 8 i + b; emptied before a byte
  // can overflow.
  std::vector<std::array<uint64_t, 8>> eights_;
  uint32_t eights_added_ = 0;
  std::vector<uint64_t> counts_;

  void EmptyEights();
};

}  // namespace tacit::local
