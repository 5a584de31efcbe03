#include "engine/duckdb/exact/group_index.h"

#include "base/assert.h"
#include "engine/duckdb/values/cells.h"

namespace tacit::engine::duckdb {
namespace {

// Multiply and fold: the tables are small, and nobody outside sees a collision but as time that
// every row costs alike.
uint64_t Mixed(uint64_t word) {
  word ^= word >> 32;
  word *= 0x9E3779B97F4A7C15U;
  return word ^ (word >> 29);
}

// NULL is a key like any other; numbers of values begin after it.
constexpr uint32_t kNullNumber = 0;

template <class Word>
void NumberWords(const void* cells, const uint64_t* validity, WordNumbers& words,
                 std::vector<uint32_t>* numbers) {
  const auto* values = static_cast<const Word*>(cells);
  uint64_t last = 0;
  uint32_t number = 0;
  bool known = false;
  for (size_t i = 0; i < numbers->size(); ++i) {
    if (!IsValid(validity, i)) {
      (*numbers)[i] = kNullNumber;
      continue;
    }
    const auto word = static_cast<uint64_t>(values[i]);
    if (!known || word != last) {
      number = words.NumberOf(word) + 1;
      last = word;
      known = true;
    }
    (*numbers)[i] = number;
  }
}

void NumberColumn(duckdb_vector vector, WordNumbers& words, std::vector<uint32_t>* numbers) {
  const void* cells = duckdb_vector_get_data(vector);
  const uint64_t* validity = duckdb_vector_get_validity(vector);
  const size_t width = WidthOf(StoredTypeOf(vector));
  TACIT_ASSERT(width > 0 && width <= 8);  // the plan streams such types only, and texts as numbers
  switch (width) {
    case 1:
      return NumberWords<uint8_t>(cells, validity, words, numbers);
    case 2:
      return NumberWords<uint16_t>(cells, validity, words, numbers);
    case 4:
      return NumberWords<uint32_t>(cells, validity, words, numbers);
    default:
      return NumberWords<uint64_t>(cells, validity, words, numbers);
  }
}

// One word for two numbers; a small one for two small ones.
uint64_t PairOf(uint32_t first, uint32_t second) {
  if (first < 128 && second < 128) return first << 7 | second;
  return (uint64_t{first} + 1) << 32 | second;
}

}  // namespace

uint32_t WordNumbers::NumberOfLarge(uint64_t word) {
  if (2 * large_ >= slots_.size()) Grow();
  const size_t mask = slots_.size() - 1;
  size_t at = Mixed(word) & mask;
  while (slots_[at].number_after != 0) {
    if (slots_[at].word == word) return slots_[at].number_after - 1;
    at = (at + 1) & mask;
  }
  ++large_;
  slots_[at] = {word, ++count_};
  return count_ - 1;
}

void WordNumbers::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number_after == 0) continue;
    size_t at = Mixed(slot.word) & mask;
    while (slots_[at].number_after != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

void GroupIndex::Number(duckdb_data_chunk chunk, idx_t first, std::vector<uint32_t>* groups) {
  const idx_t size = duckdb_data_chunk_get_size(chunk);
  groups->assign(size, 0);
  for (size_t k = 0; k < columns_.size(); ++k) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, first + k);
    if (k == 0) {
      NumberColumn(vector, columns_[k], groups);
      continue;
    }
    next_.assign(size, 0);
    NumberColumn(vector, columns_[k], &next_);
    for (idx_t i = 0; i < size; ++i) {
      (*groups)[i] = pairs_[k].NumberOf(PairOf((*groups)[i], next_[i]));
    }
  }
}

}  // namespace tacit::engine::duckdb
