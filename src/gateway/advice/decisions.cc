#include "gateway/advice/advice.h"
#include "policy/edit.h"

namespace tacit::gateway {
namespace {

using policy::YamlText;

bool HasSeveralRows(const policy::Table& table, const policy::Schema& schema) {
  if (!table.IsCapped()) return false;
  const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit);
  const policy::SchemaColumn* column =
      unit == nullptr ? nullptr : schema.Find(table.name, unit->column);
  return column == nullptr || !column->unique;
}

void DecideColumns(const policy::Table& table, const policy::SchemaTable& stored,
                   std::vector<OpenDecision>& open) {
  for (const policy::SchemaColumn& column : stored.columns) {
    const policy::Column* declared = table.Find(column.name);
    if (table.IsHidden(column.name)) continue;
    if (const auto* unit = std::get_if<policy::UnitIsColumn>(&table.unit)) {
      if (policy::SameName(unit->column, column.name)) continue;
    }
    if (const auto* reached = std::get_if<policy::UnitIsReached>(&table.unit)) {
      if (policy::SameName(reached->via, column.name)) continue;
    }
    const std::string name = table.name + "." + column.name;
    const bool has_bounds = declared != nullptr && declared->bounds;
    const bool has_keys = declared != nullptr && declared->keys;
    const policy::Place place = declared != nullptr ? declared->place : table.place;
    if (column.type.IsNumber() && !has_bounds && !has_keys) {
      open.push_back({place, name + " has no bounds: it cannot be summed or averaged",
                      YamlText(column.name) + ": {bounds: [LOW, HIGH]}"});
    }
    const bool is_day =
        column.type.kind == TypeKind::kDate || column.type.kind == TypeKind::kTimestamp;
    if (is_day && !has_keys) {
      open.push_back(
          {place,
           name + " has no calendar: days and months of few people are not shown, and "
                  "delta is spent",
           YamlText(column.name) + ": {keys: {from: YYYY-MM-DD, to: YYYY-MM-DD, step: day}}"});
    }
    if (column.type.kind == TypeKind::kText && !has_keys) {
      open.push_back({place,
                      name + " has no keys: groups of few people are not shown, and delta is spent",
                      YamlText(column.name) + ": {keys: [A, B]}"});
    }
  }
}

}  // namespace

std::vector<OpenDecision> OpenDecisions(const policy::Policy& policy,
                                        const policy::Schema& schema) {
  std::vector<OpenDecision> open;
  for (const policy::Table& table : policy.tables) {
    const policy::SchemaTable* stored = schema.Find(table.name);
    if (table.is_public || stored == nullptr) continue;
    if (table.rows_per_unit == 1 && HasSeveralRows(table, schema)) {
      open.push_back({table.unit_place,
                      "one row of each person counts in " + table.name +
                          ", and nothing says that nobody has more",
                      "rows_per_unit: N"});
    }
    DecideColumns(table, *stored, open);
  }
  return open;
}

policy::Policy Widened(policy::Policy policy) {
  // Why a million: nobody has more rows, and a number of people is moved by 1 whatever it is.
  constexpr int64_t kRows = 1'000'000;
  for (policy::Table& table : policy.tables) {
    if (!table.IsCapped()) continue;
    table.rows_per_unit = table.groups_per_unit = table.rows_per_group = kRows;
    for (policy::Column& column : table.columns) column.hidden = false;
  }
  return policy;
}

}  // namespace tacit::gateway
