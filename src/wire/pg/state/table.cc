#include "wire/pg/state/table.h"

namespace tacit::wire::pg {
namespace {

Table TableOfPrivate(answer::Answer answer) {
  Table table{.columns = wire::ColumnsOf(answer.columns), .rows = {}};
  table.rows.reserve(answer.rows.size());
  for (auto&& row : answer.rows) table.rows.push_back(std::move(row));
  table.notices = std::move(answer.notices);
  table.room = std::move(answer.room);
  return table;
}

}  // namespace

Table TableOf(AnyAnswer answer) {
  if (auto* own = std::get_if<answer::Answer>(&answer)) return TableOfPrivate(std::move(*own));
  auto& catalog = std::get<catalog::Answer>(answer);
  return {.columns = wire::ColumnsOf(catalog.columns),
          .rows = std::move(catalog.rows),
          .changes = std::move(catalog.changes)};
}

size_t BytesOf(const Table& table, size_t first) {
  size_t bytes = 0;
  for (size_t i = first; i < table.rows.size(); ++i) {
    bytes += sizeof(Values);
    for (const engine::Value& cell : table.rows[i]) {
      const auto* text = std::get_if<std::string>(&cell);
      bytes += sizeof cell + (text == nullptr ? 0 : text->size());
    }
  }
  return bytes;
}

}  // namespace tacit::wire::pg
