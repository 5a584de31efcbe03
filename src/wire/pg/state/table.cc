#include "wire/pg/state/table.h"

namespace tacit::wire::pg {
namespace {

Table TableOfPrivate(answer::Answer answer) {
  return {.columns = ColumnsOf(answer.columns),
          .rows = std::move(answer.rows),
          .notices = std::move(answer.notices),
          .room = std::move(answer.room)};
}

}  // namespace

Table TableOf(AnyAnswer answer) {
  if (auto* own = std::get_if<answer::Answer>(&answer)) return TableOfPrivate(std::move(*own));
  auto& catalog = std::get<catalog::Answer>(answer);
  return {.columns = ColumnsOf(catalog.columns),
          .rows = engine::PackedRows(catalog.rows),
          .changes = std::move(catalog.changes)};
}

}  // namespace tacit::wire::pg
