#include "engine/duckdb/group_index.h"

#include <cstring>

#include "base/assert.h"

namespace tacit::engine::duckdb {
namespace {

// Multiply and fold: the tables are small, and nobody outside sees a collision but as time that
// every row costs alike.
uint64_t Mixed(uint64_t word) {
  word ^= word >> 32;
  word *= 0x9E3779B97F4A7C15U;
  return word ^ (word >> 29);
}

uint64_t HashOf(std::string_view text) {
  uint64_t hash = text.size();
  while (text.size() >= 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    hash = Mixed(hash ^ word) * 31;
    text.remove_prefix(8);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, text.data(), text.size());
  return Mixed(hash ^ rest);
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
    if (validity != nullptr && (validity[i / 64] >> (i % 64) & 1) == 0) {
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

void NumberTexts(void* cells, const uint64_t* validity, TextNumbers& texts,
                 std::vector<uint32_t>* numbers) {
  auto* values = static_cast<duckdb_string_t*>(cells);
  for (size_t i = 0; i < numbers->size(); ++i) {
    if (validity != nullptr && (validity[i / 64] >> (i % 64) & 1) == 0) {
      (*numbers)[i] = kNullNumber;
      continue;
    }
    const uint32_t length = values[i].value.inlined.length;
    const char* text = length <= sizeof(values[i].value.inlined.inlined)
                           ? values[i].value.inlined.inlined
                           : values[i].value.pointer.ptr;
    (*numbers)[i] = texts.NumberOf({text, length}) + 1;
  }
}

// How many bytes a value of the type has; 0 for texts.
size_t WidthOf(duckdb_vector vector) {
  duckdb_logical_type type = duckdb_vector_get_column_type(vector);
  duckdb_type id = duckdb_get_type_id(type);
  if (id == DUCKDB_TYPE_ENUM) id = duckdb_enum_internal_type(type);
  duckdb_destroy_logical_type(&type);
  switch (id) {
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_UTINYINT:
      return 1;
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_USMALLINT:
      return 2;
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_DATE:
      return 4;
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return 8;
    default:
      TACIT_ASSERT(id == DUCKDB_TYPE_VARCHAR);  // the plan streams these types only
      return 0;
  }
}

}  // namespace

uint32_t WordNumbers::NumberOf(uint64_t word) {
  if (2 * count_ >= slots_.size()) Grow();
  const size_t mask = slots_.size() - 1;
  size_t at = Mixed(word) & mask;
  while (slots_[at].number_after != 0) {
    if (slots_[at].word == word) return slots_[at].number_after - 1;
    at = (at + 1) & mask;
  }
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

uint32_t TextNumbers::NumberOf(std::string_view text) {
  if (2 * texts_.size() >= slots_.size()) Grow();
  const uint64_t hash = HashOf(text);
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].number_after != 0) {
    const uint32_t number = slots_[at].number_after - 1;
    if (slots_[at].hash == hash && texts_[number] == text) return number;
    at = (at + 1) & mask;
  }
  texts_.emplace_back(text);
  slots_[at] = {hash, static_cast<uint32_t>(texts_.size())};
  return static_cast<uint32_t>(texts_.size()) - 1;
}

void TextNumbers::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.number_after == 0) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].number_after != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

void GroupIndex::NumberColumn(duckdb_vector vector, Column& column,
                              std::vector<uint32_t>* numbers) {
  void* cells = duckdb_vector_get_data(vector);
  const uint64_t* validity = duckdb_vector_get_validity(vector);
  switch (WidthOf(vector)) {
    case 1:
      return NumberWords<uint8_t>(cells, validity, column.words, numbers);
    case 2:
      return NumberWords<uint16_t>(cells, validity, column.words, numbers);
    case 4:
      return NumberWords<uint32_t>(cells, validity, column.words, numbers);
    case 8:
      return NumberWords<uint64_t>(cells, validity, column.words, numbers);
    default:
      return NumberTexts(cells, validity, column.texts, numbers);
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
      (*groups)[i] = pairs_[k].NumberOf(uint64_t{(*groups)[i]} << 32 | next_[i]);
    }
  }
}

}  // namespace tacit::engine::duckdb
