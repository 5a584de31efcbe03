#include "engine/duckdb/functions/looked_up/text_list.h"

#include <mutex>

#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/functions/looked_up/living.h"
#include "engine/duckdb/values/cells.h"

namespace tacit::engine::duckdb {
namespace {

Living<TextList>& LivingTextLists() {
  static Living<TextList> living;
  return living;
}

}  // namespace

std::shared_ptr<TextList> TextList::Make() {
  return LivingTextLists().Add(
      [](int64_t name) { return std::shared_ptr<TextList>(new TextList(name)); });
}

std::shared_ptr<TextList> TextList::Find(int64_t name) { return LivingTextLists().Find(name); }

// Most texts are known, and threads may look for those side by side.
void TextList::Number(const std::vector<std::string_view>& texts, std::vector<uint32_t>* numbers) {
  std::vector<size_t> unknown;
  {
    const std::shared_lock lock(mutex_);
    for (size_t i = 0; i < texts.size(); ++i) {
      const auto known = numbers_.find(texts[i]);
      if (known != numbers_.end()) {
        (*numbers)[i] = known->second;
      } else {
        unknown.push_back(i);
      }
    }
  }
  if (unknown.empty()) return;
  const std::unique_lock lock(mutex_);
  for (const size_t i : unknown) {
    auto known = numbers_.find(texts[i]);  // another thread may have added it since
    if (known == numbers_.end()) {
      texts_.emplace_back(texts[i]);
      known = numbers_.emplace(texts_.back(), static_cast<uint32_t>(numbers_.size())).first;
    }
    (*numbers)[i] = known->second;
  }
}

std::string TextList::TextOf(uint32_t number) const {
  const std::shared_lock lock(mutex_);
  return texts_[number];
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
  const void* cells = duckdb_vector_get_data(column);
  const uint64_t* valid = duckdb_vector_get_validity(column);
  std::vector<std::string_view> texts;
  std::vector<idx_t> rows;
  for (idx_t row = 0; row < size; ++row) {
    if (!IsValid(valid, row)) continue;
    texts.push_back(TextAt(cells, row));
    rows.push_back(row);
  }
  std::vector<uint32_t> numbers(texts.size());
  list->Number(texts, &numbers);
  auto* number_cells = static_cast<uint32_t*>(duckdb_vector_get_data(output));
  for (size_t i = 0; i < rows.size(); ++i) number_cells[rows[i]] = numbers[i];
  CopyNulls(column, output, size);
}

}  // namespace tacit::engine::duckdb
