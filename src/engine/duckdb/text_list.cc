#include "engine/duckdb/text_list.h"

#include <cstring>
#include <map>
#include <mutex>

#include "engine/duckdb/functions.h"

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

// The lists that live now, by name.
struct Living {
  std::mutex mutex;
  std::map<int64_t, std::weak_ptr<TextList>> lists;
  int64_t last = 0;
};
Living& AllLiving() {
  static Living living;
  return living;
}

}  // namespace

size_t TextNumbers::PlaceOf(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].number_after != 0 &&
         (slots_[at].hash != hash || texts_[slots_[at].number_after - 1] != text)) {
    at = (at + 1) & mask;
  }
  return at;
}

std::optional<uint32_t> TextNumbers::Find(std::string_view text) const {
  const Slot& slot = slots_[PlaceOf(text, HashOf(text))];
  if (slot.number_after == 0) return std::nullopt;
  return slot.number_after - 1;
}

uint32_t TextNumbers::NumberOf(std::string_view text) {
  if (2 * texts_.size() >= slots_.size()) Grow();
  const uint64_t hash = HashOf(text);
  Slot& slot = slots_[PlaceOf(text, hash)];
  if (slot.number_after == 0) {
    texts_.emplace_back(text);
    slot = {hash, static_cast<uint32_t>(texts_.size())};
  }
  return slot.number_after - 1;
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

std::shared_ptr<TextList> TextList::Make() {
  Living& living = AllLiving();
  const std::lock_guard lock(living.mutex);
  std::erase_if(living.lists, [](const auto& list) { return list.second.expired(); });
  std::shared_ptr<TextList> made(new TextList(++living.last));
  living.lists[made->name()] = made;
  return made;
}

std::shared_ptr<TextList> TextList::Find(int64_t name) {
  Living& living = AllLiving();
  const std::lock_guard lock(living.mutex);
  const auto found = living.lists.find(name);
  return found == living.lists.end() ? nullptr : found->second.lock();
}

// Most texts are known, and threads may look for those side by side.
void TextList::Number(const std::vector<std::string_view>& texts, std::vector<uint32_t>* numbers) {
  std::vector<size_t> unknown;
  {
    const std::shared_lock lock(mutex_);
    for (size_t i = 0; i < texts.size(); ++i) {
      const std::optional<uint32_t> number = texts_.Find(texts[i]);
      if (number) {
        (*numbers)[i] = *number;
      } else {
        unknown.push_back(i);
      }
    }
  }
  if (unknown.empty()) return;
  const std::unique_lock lock(mutex_);
  for (const size_t i : unknown) (*numbers)[i] = texts_.NumberOf(texts[i]);
}

std::string TextList::TextOf(uint32_t number) const {
  const std::shared_lock lock(mutex_);
  return texts_.TextOf(number);
}

void NumberTexts(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const idx_t size = duckdb_data_chunk_get_size(input);
  if (size == 0) return;
  duckdb_vector column = duckdb_data_chunk_get_vector(input, 0);
  const auto* names =
      static_cast<const int64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 1)));
  const std::shared_ptr<TextList> list = TextList::Find(names[0]);
  if (list == nullptr) {
    duckdb_scalar_function_set_error(info, "there is no such list of texts");
    return;
  }
  const auto* cells = static_cast<const duckdb_string_t*>(duckdb_vector_get_data(column));
  const uint64_t* valid = duckdb_vector_get_validity(column);
  std::vector<std::string_view> texts;
  std::vector<idx_t> rows;
  for (idx_t row = 0; row < size; ++row) {
    if (valid != nullptr && (valid[row / 64] >> (row % 64) & 1) == 0) continue;
    const duckdb_string_t& cell = cells[row];
    const uint32_t length = cell.value.inlined.length;
    texts.emplace_back(length <= sizeof cell.value.inlined.inlined ? cell.value.inlined.inlined
                                                                   : cell.value.pointer.ptr,
                       length);
    rows.push_back(row);
  }
  std::vector<uint32_t> numbers(texts.size());
  list->Number(texts, &numbers);
  auto* cells_out = static_cast<uint32_t*>(duckdb_vector_get_data(output));
  for (size_t i = 0; i < rows.size(); ++i) cells_out[rows[i]] = numbers[i];
  if (valid == nullptr) return;
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* out = duckdb_vector_get_validity(output);
  for (idx_t word = 0; word * 64 < size; ++word) out[word] = valid[word];
}

}  // namespace tacit::engine::duckdb
