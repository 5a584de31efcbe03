#include "wire/pg/state/table.h"

#include "answer/shown/margins.h"

namespace tacit::wire::pg {
namespace {

// What tacit.last says of it. Errors of what is chosen from a list count rows, and say nothing
// about the value.
catalog::LastAnswer LastOf(const answer::Answer& answer) {
  const answer::Privacy& privacy = answer.privacy;
  catalog::LastAnswer last{
      .number = 0,
      .columns = {},
      .cost = {.epsilon = privacy.cost.epsilon,
               .delta = privacy.cost.delta,
               .rho = privacy.remaining.rho ? std::optional(privacy.cost.rho) : std::nullopt},
      .left = {.epsilon = privacy.remaining.epsilon,
               .delta = privacy.remaining.delta,
               .rho = privacy.remaining.rho},
      .cached = privacy.cached,
      .receipt = privacy.receipt,
      .notices = ""};
  for (const plan::OutputColumn& column : answer.columns) {
    catalog::LastAnswer::Shown shown;
    shown.name = column.name;
    shown.type = column.TypeName();
    if (column.error) {
      shown.mechanism = column.error->mechanism;
      shown.condition = column.error->condition;
      shown.scale = column.error->scale;
      if (!column.error->in_rows) shown.moe95 = column.error->moe95;
    }
    last.columns.push_back(std::move(shown));
  }
  for (const std::string& notice : answer::NoticesOf(answer)) {
    last.notices += (last.notices.empty() ? "" : "\n") + notice;
  }
  return last;
}

Table TableOfPrivate(answer::Answer answer) {
  auto last = std::make_shared<catalog::LastAnswer>(LastOf(answer));
  std::vector<std::string> notices = answer::NoticesOf(answer);
  return {.columns = wire::ColumnsOf(answer.columns),
          .rows = std::move(answer.rows),
          .notices = std::move(notices),
          .last = std::move(last),
          .room = std::move(answer.room)};
}

}  // namespace

Table TableOf(AnyAnswer answer) {
  if (auto* own = std::get_if<answer::Answer>(&answer)) return TableOfPrivate(std::move(*own));
  auto& catalog = std::get<catalog::Answer>(answer);
  return {.columns = std::move(catalog.columns),
          .rows = engine::PackedRows(catalog.rows),
          .changes = std::move(catalog.changes)};
}

}  // namespace tacit::wire::pg
