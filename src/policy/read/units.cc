#include "policy/read/sections.h"
#include "policy/schema.h"

namespace tacit::policy::read {
namespace {

using yaml::ErrorAt;

Table* FindTable(std::vector<Table>& tables, std::string_view name) {
  for (Table& table : tables) {
    if (SameName(table.name, name)) return &table;
  }
  return nullptr;
}

Error UnknownTable(std::vector<Table>& tables, std::string_view name, const Place& place,
                   std::string_view file) {
  std::vector<std::string_view> known;
  for (const Table& table : tables) known.push_back(table.name);
  const std::optional<std::string> nearest = yaml::NearestWord(name, known);
  return ErrorAt(file, place,
                 "table '" + std::string(name.substr(0, 63)) + "' is not in this policy",
                 nearest ? "did you mean " + *nearest + "?" : "list it under `tables`");
}

// "patients" or "patients.ssn": a table's own name may hold a dot, so the whole text comes first.
Result<Done> ResolveTarget(std::vector<Table>& tables, const Table& table, UnitIsReached& reached,
                           std::string_view file) {
  const std::string to = reached.to_table;
  Table* target = FindTable(tables, to);
  if (target == nullptr) {
    const size_t dot = to.rfind('.');
    if (dot != std::string::npos && dot + 1 < to.size()) {
      target = FindTable(tables, to.substr(0, dot));
      reached.to_column = to.substr(dot + 1);
    }
  }
  if (target == nullptr) return UnknownTable(tables, to, table.unit_place, file);
  if (target->is_public) {
    return ErrorAt(file, table.unit_place,
                   "the unit of table " + table.name + " leads to " + target->name +
                       ", which is public and holds no people",
                   "lead it to the table of the people");
  }
  if (std::holds_alternative<UnitIsRow>(target->unit)) {
    return ErrorAt(
        file, table.unit_place,
        "the unit of table " + table.name + " leads to " + target->name +
            ", whose unit is a row without a name",
        "give " + target->name + " `unit: COLUMN` with its unique column and `rows_per_unit: 1`");
  }
  reached.to_table = target->name;
  if (reached.to_column.empty()) {
    const auto* column = std::get_if<UnitIsColumn>(&target->unit);
    reached.to_column = column != nullptr ? column->column : reached.via;
  }
  return Done{};
}

Result<Done> RefuseCircle(std::vector<Table>& tables, const Table& start, std::string_view file) {
  const Table* at = &start;
  std::string way = start.name;
  for (size_t hops = 0; hops <= tables.size(); ++hops) {
    const auto* reached = std::get_if<UnitIsReached>(&at->unit);
    if (reached == nullptr) return Done{};
    at = FindTable(tables, reached->to_table);
    if (hops < 4) way += " -> " + at->name;
  }
  return ErrorAt(file, start.unit_place,
                 "the unit of table " + start.name + " is never reached: " + way + " -> ...",
                 "one table on the way must have `unit: COLUMN`");
}

Result<Done> ResolveKeyTable(std::vector<Table>& tables, const Column& column, KeysOfTable& keys,
                             std::string_view file) {
  const Table* source = FindTable(tables, keys.table);
  if (source == nullptr) return UnknownTable(tables, keys.table, column.place, file);
  if (!source->is_public) {
    return ErrorAt(
        file, column.place,
        "the keys of " + column.name + " come from " + source->name + ", which is not public",
        "public keys need a public table: a key list read from people's rows would "
        "give them away");
  }
  keys.table = source->name;
  keys.rows_max = source->rows_max;
  return Done{};
}

}  // namespace

Result<Done> ResolveUnits(std::vector<Table>& tables, std::string_view file) {
  for (Table& table : tables) {
    if (auto* reached = std::get_if<UnitIsReached>(&table.unit)) {
      TACIT_CHECK(ResolveTarget(tables, table, *reached, file));
    }
  }
  for (Table& table : tables) {
    TACIT_CHECK(RefuseCircle(tables, table, file));
    for (Column& column : table.columns) {
      if (!column.keys) continue;
      if (auto* keys = std::get_if<KeysOfTable>(&*column.keys)) {
        TACIT_CHECK(ResolveKeyTable(tables, column, *keys, file));
      }
    }
  }
  return Done{};
}

}  // namespace tacit::policy::read
