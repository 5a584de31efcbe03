#include <set>

#include "policy/edit.h"
#include "policy/keys/calendar.h"
#include "policy/read/sections.h"
#include "policy/schema.h"

namespace tacit::policy::read {
namespace {

using yaml::ErrorAt;
using yaml::Node;
using yaml::Words;

// Why: a cap multiplies every sensitivity; beyond this it is a typing mistake.
constexpr int64_t kCapMax = 1'000'000'000;
// Why: far more than an embedded engine holds.
constexpr int64_t kRowsMax = 1'000'000'000'000;

Result<Bounds> ReadBounds(const Node& node, std::string_view file, const std::string& what) {
  if (node.kind != Node::Kind::kSequence || node.items.size() != 2) {
    return ErrorAt(file, node.place, "the bounds of " + what + " need two numbers",
                   "write bounds: [LOW, HIGH]");
  }
  Bounds bounds;
  TACIT_TRY(bounds.low, yaml::NumberOf(node.items[0], file, "the lower bound of " + what));
  TACIT_TRY(bounds.high, yaml::NumberOf(node.items[1], file, "the upper bound of " + what));
  if (bounds.low >= bounds.high) {
    return ErrorAt(file, node.place,
                   "the bounds of " + what + " are reversed or equal: " + ToString(bounds.low) +
                       " is not below " + ToString(bounds.high),
                   "write the smaller number first");
  }
  return bounds;
}

// Bounds of dates or times: [2019-01-01, 2024-12-31], the last day included. Nothing for numbers.
Result<std::optional<Bounds>> ReadSpan(const Node& node, std::string_view file,
                                       const std::string& what) {
  std::optional<Bounds> none;
  if (node.kind != Node::Kind::kSequence || node.items.size() != 2) return none;
  const std::optional<ReadInstant> low = InstantOf(node.items[0].text);
  const std::optional<ReadInstant> high = InstantOf(node.items[1].text);
  if (!low && !high) return none;
  if (!low || !high || low->hour >= high->hour) {
    return ErrorAt(file, node.place, "the bounds of " + what + " are not two dates in their order",
                   "write bounds: [2019-01-01, 2024-12-31]");
  }
  const int64_t last = high->whole_day ? (high->hour + 24) * 3600 - 1 : high->hour * 3600;
  return std::optional(Bounds{MakeRational(low->hour * 3600), MakeRational(last)});
}

Result<Rational> ReadStep(const Words& words, std::string_view file, const std::string& what,
                          const std::optional<Bounds>& bounds) {
  TACIT_TRY(const Rational step, words.NeedNumber("step", "step: 0.01"));
  const Place place = words.Find("step")->place;
  if (step <= 0) return ErrorAt(file, place, "the step of " + what + " must be above 0");
  if (!bounds) {
    return ErrorAt(file, place, what + " has a step but no bounds",
                   "the step is the grid of bounded sums: add bounds: [LOW, HIGH]");
  }
  if (Rational(bounds->low / step).get_den() != 1 || Rational(bounds->high / step).get_den() != 1) {
    return ErrorAt(
        file, place, "the bounds of " + what + " are not multiples of the step " + ToString(step),
        "take a step that divides " + ToString(bounds->low) + " and " + ToString(bounds->high));
  }
  if (const Result<Grid> grid = MakeGrid(*bounds, step); !grid.ok()) {
    return ErrorAt(file, place, what + ": " + grid.error().public_message, grid.error().hint);
  }
  return step;
}

Result<Rational> ReadSumPerUnit(const Words& words, std::string_view file, const std::string& what,
                                const std::optional<Bounds>& bounds) {
  TACIT_TRY(const Rational sum, words.NeedNumber("sum_per_unit", "sum_per_unit: 100000"));
  const Place place = words.Find("sum_per_unit")->place;
  if (sum <= 0) return ErrorAt(file, place, "the sum_per_unit of " + what + " must be above 0");
  if (!bounds) {
    return ErrorAt(file, place, what + " has a sum_per_unit but no bounds",
                   "what is summed needs both: add bounds: [LOW, HIGH]");
  }
  return sum;
}

Result<Unit> ReadUnit(const Node& node, std::string_view file, const std::string& what) {
  if (node.kind == Node::Kind::kScalar) {
    if (!node.quoted && node.text == "row") return Unit(UnitIsRow{});
    TACIT_TRY(const std::string column, yaml::TextOf(node, file, "the unit of " + what));
    return Unit(UnitIsColumn{column});
  }
  if (node.kind != Node::Kind::kMapping) {
    return ErrorAt(file, node.place, "the owner has not decided whose privacy " + what + " holds",
                   "write unit: COLUMN, unit: row, unit: {via: COLUMN, to: TABLE}, or "
                   "public: true instead");
  }
  TACIT_TRY(const Words words, Words::Of(node, file, "the unit of " + what, {"via", "to"}));
  UnitIsReached reached;
  TACIT_TRY(reached.via, words.NeedText("via", "via: patient_ssn"));
  TACIT_TRY(reached.to_table, words.NeedText("to", "to: patients"));
  return Unit(reached);
}

Result<Done> ReadCaps(const Words& words, std::string_view file, const std::string& what,
                      Table& table) {
  if (std::holds_alternative<UnitIsRow>(table.unit)) {
    for (const std::string_view cap : {"rows_per_unit", "groups_per_unit", "rows_per_group"}) {
      TACIT_TRY(const int64_t value, words.Whole(cap, 1, kCapMax, 1));
      if (value == 1) continue;
      return ErrorAt(file, words.Find(cap)->place,
                     what + " has `unit: row`, where a person has one row",
                     "leave " + std::string(cap) + " out, or name the column that is the person");
    }
    return Done{};
  }
  TACIT_TRY(table.rows_per_unit, words.NeedWhole("rows_per_unit", "rows_per_unit: 1", 1, kCapMax));
  TACIT_TRY(table.groups_per_unit, words.Whole("groups_per_unit", 1, kCapMax, table.rows_per_unit));
  TACIT_TRY(table.rows_per_group, words.Whole("rows_per_group", 1, kCapMax, table.rows_per_unit));
  return Done{};
}

Result<Done> ReadColumns(const Node& node, std::string_view file, Table& table) {
  if (node.kind == Node::Kind::kNull) return Done{};
  if (node.kind != Node::Kind::kMapping) {
    return ErrorAt(file, node.place, "the columns of table " + table.name + " must be a mapping",
                   "write  age: {bounds: [0, 120]}");
  }
  std::set<std::string> folded;
  for (const auto& [key, value] : node.entries) {
    TACIT_CHECK(CheckName(key, file, "a column's name"));
    if (!folded.insert(FoldedName(key.text)).second) {
      return ErrorAt(file, key.place, "column '" + key.text + "' is here twice (case is ignored)",
                     "keep one of the two");
    }
    TACIT_TRY(Column column, ReadColumn(key.text, key.place, value, file, table.name));
    if (column.sum_per_unit && std::holds_alternative<UnitIsRow>(table.unit)) {
      return ErrorAt(file, key.place,
                     "table " + table.name + " has `unit: row`, where a person has one row",
                     "leave sum_per_unit out: the bounds of " + key.text + " say the same");
    }
    table.columns.push_back(std::move(column));
  }
  return Done{};
}

// Conditions, as what is impossible in a table lists them.
Result<std::vector<std::string>> ReadConditions(const Node& node, std::string_view file,
                                                const std::string& what) {
  if (node.kind != Node::Kind::kSequence) {
    return ErrorAt(file, node.place, "what is impossible in " + what + " must be a list",
                   "write impossible: [\"sex = 'M' AND disease = 'pregnancy'\"]");
  }
  std::vector<std::string> conditions;
  for (const Node& item : node.items) {
    TACIT_TRY(std::string condition, yaml::TextOf(item, file, "what is impossible in " + what));
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

Result<Table> ReadTable(const Node& key, const Node& node, std::string_view file) {
  TACIT_CHECK(CheckName(key, file, "a table's name"));
  const std::string what = "table " + key.text;
  Table table;
  table.name = key.text;
  table.place = key.place;
  if (node.kind == Node::Kind::kNull) {
    return ErrorAt(
        file, key.place, "the owner has not decided whose privacy " + what + " holds",
        "write unit: COLUMN, unit: row, unit: {via: COLUMN, to: TABLE}, or public: true");
  }
  TACIT_TRY(const Words words, Words::Of(node, file, what,
                                         {"public", "unit", "rows_per_unit", "groups_per_unit",
                                          "rows_per_group", "rows_max", "columns", "impossible"}));
  TACIT_TRY(table.is_public, words.Truth("public", false));
  if (table.is_public) {
    for (const auto& [word, value] : node.entries) {
      if (word.text == "public" || word.text == "rows_max") continue;
      return ErrorAt(file, word.place, what + " is public and cannot have `" + word.text + "`",
                     "remove it, all of a public table may be read as it is: `" +
                         YamlText(table.name) +
                         ": {public: true}`. If it holds people, write `unit: COLUMN` instead of "
                         "`public: true`");
    }
    TACIT_TRY(table.rows_max, words.Whole("rows_max", 1, kRowsMax, 0));
    return table;
  }
  const Node* unit = words.Find("unit");
  if (unit == nullptr) {
    return ErrorAt(
        file, key.place, "the owner has not decided whose privacy " + what + " holds",
        "write unit: COLUMN, unit: row, unit: {via: COLUMN, to: TABLE}, or public: true");
  }
  table.unit_place = unit->place;
  TACIT_TRY(table.unit, ReadUnit(*unit, file, what));
  TACIT_CHECK(ReadCaps(words, file, what, table));
  TACIT_TRY(table.rows_max, words.Whole("rows_max", 1, kRowsMax, 0));
  if (const Node* columns = words.Find("columns")) {
    TACIT_CHECK(ReadColumns(*columns, file, table));
  }
  if (const Node* impossible = words.Find("impossible")) {
    TACIT_TRY(table.impossible, ReadConditions(*impossible, file, what));
  }
  return table;
}

}  // namespace

Result<Column> ReadColumn(const std::string& name, const Place& place, const Node& node,
                          std::string_view file, const std::string& table) {
  const std::string what = table + "." + name;
  Column column;
  column.name = name;
  column.place = place;
  if (node.kind == Node::Kind::kNull) return column;
  TACIT_TRY(const Words words,
            Words::Of(node, file, "column " + what,
                      {"hidden", "bounds", "step", "keys", "sum_per_unit", "required"}));
  TACIT_TRY(column.hidden, words.Truth("hidden", false));
  TACIT_TRY(column.required, words.Truth("required", false));
  if (column.hidden && column.required) {
    return ErrorAt(file, words.Find("required")->place, what + " is hidden and required",
                   "leave required out: what is hidden is never counted by its values");
  }
  if (const Node* bounds = words.Find("bounds")) {
    TACIT_TRY(column.span, ReadSpan(*bounds, file, what));
    if (!column.span) {
      TACIT_TRY(column.bounds, ReadBounds(*bounds, file, what));
    }
  }
  if (words.Has("step")) {
    TACIT_TRY(column.step, ReadStep(words, file, what, column.bounds));
  }
  if (words.Has("sum_per_unit")) {
    TACIT_TRY(column.sum_per_unit, ReadSumPerUnit(words, file, what, column.bounds));
  }
  if (const Node* keys = words.Find("keys")) {
    TACIT_TRY(column.keys, ReadKeys(*keys, file, what));
  }
  return column;
}

Result<std::vector<Table>> ReadTables(const Node& node, std::string_view file) {
  if (node.kind != Node::Kind::kMapping || node.entries.empty()) {
    return ErrorAt(file, node.place, "tables must name at least one table",
                   "a table that is not listed does not exist");
  }
  std::vector<Table> tables;
  std::set<std::string> folded;
  for (const auto& [key, value] : node.entries) {
    if (!folded.insert(FoldedName(key.text)).second) {
      return ErrorAt(file, key.place,
                     "table '" + key.text.substr(0, 63) + "' is here twice (case is ignored)",
                     "keep one of the two");
    }
    TACIT_TRY(Table table, ReadTable(key, value, file));
    tables.push_back(std::move(table));
  }
  TACIT_CHECK(ResolveUnits(tables, file));
  return tables;
}

}  // namespace tacit::policy::read
