#include "release/domain/domain.h"

#include <algorithm>
#include <set>

namespace tacit::release {
namespace {

using policy::KeyValue;

Error NoCells(const std::string& what, const std::string& hint) {
  Error error{.code = ErrorCode::kRefused,
              .public_message = what,
              .hint = hint,
              .position = std::nullopt,
              .private_detail = ""};
  error.rule = "no_public_values";
  return error;
}

std::string ColumnName(const policy::Table& table, const std::string& column) {
  return table.name + "." + column;
}

Error TooManyCells(const std::string& name) {
  return NoCells("the list of keys of " + name + " has none, or more than " +
                     std::to_string(kListedCellsMax),
                 "release other columns with --columns, or declare a shorter list");
}

// Equal parts of the grid; each step a part of its own where there are few.
Result<Cells> GridCellsOf(const policy::Column& declared, const ValueType& type) {
  TACIT_TRY(const policy::Grid grid, policy::GridOf(declared, type));
  const Int128 steps = grid.high_steps - grid.low_steps + 1;
  const Int128 cells = std::min<Int128>(steps, kGridCellsMax);
  GridCells made{.step = grid.step, .edges = {}};
  for (Int128 i = 0; i <= cells; ++i) made.edges.push_back(grid.low_steps + steps * i / cells);
  return Cells(std::move(made));
}

Result<Cells> CalendarCellsOf(const std::string& name, const policy::KeyCalendar& calendar) {
  if (calendar.Count() > static_cast<int64_t>(kListedCellsMax)) return TooManyCells(name);
  CalendarCells made;
  for (const KeyValue& begin : policy::ExpandKeys(calendar)) made.begins.push_back(begin.text);
  made.end = policy::InstantText(calendar.End());
  return Cells(std::move(made));
}

Result<std::vector<KeyValue>> ReadKeys(const policy::KeysOfTable& keys, engine::Engine& engine) {
  const plan::PublicTable table{
      .name = "tacit_keys",
      .rows = plan::tree::PublicColumns{.table = keys.table, .columns = {{keys.column, "v"}}}};
  TACIT_TRY(const engine::ResultTable read, engine.Read(table));
  std::set<engine::Value> values;
  for (const std::vector<engine::Value>& row : read.rows) {
    if (!engine::IsNull(row[0])) values.insert(row[0]);
  }
  std::vector<KeyValue> listed;
  for (const engine::Value& value : values) {
    KeyValue key{.kind = KeyValue::Kind::kText, .text = engine::ToText(value), .number = 0};
    if (const auto* truth = std::get_if<bool>(&value)) {
      key.kind = KeyValue::Kind::kBoolean;
      key.truth = *truth;
    } else if (Result<Rational> number = ParseRational(key.text);
               number.ok() && !std::holds_alternative<std::string>(value)) {
      key.kind = KeyValue::Kind::kNumber;
      key.number = *number;
    }
    listed.push_back(std::move(key));
  }
  return listed;
}

bool FitsType(const KeyValue& value, const ValueType& type) {
  if (type.kind == TypeKind::kBoolean) return value.kind == KeyValue::Kind::kBoolean;
  return value.kind == (type.IsNumber() ? KeyValue::Kind::kNumber : KeyValue::Kind::kText);
}

Result<Cells> ListedCellsOf(const std::string& name, const policy::KeyList& keys,
                            const ValueType& type, engine::Engine& engine) {
  ListedCells made;
  if (const auto* of_table = std::get_if<policy::KeysOfTable>(&keys)) {
    TACIT_TRY(made.values, ReadKeys(*of_table, engine));
  } else {
    if (policy::CountOf(keys).value_or(0) <= static_cast<int64_t>(kListedCellsMax)) {
      made.values = policy::ExpandKeys(keys);
    }
  }
  // NULL has a cell of its own, listed or not.
  std::erase_if(made.values,
                [](const KeyValue& value) { return value.kind == KeyValue::Kind::kNull; });
  if (made.values.empty() || made.values.size() > kListedCellsMax) {
    return TooManyCells(name);
  }
  for (const KeyValue& value : made.values) {
    if (FitsType(value, type)) continue;
    return NoCells(
        "the key " + value.text + " of " + name + " is not of type " + PostgresName(type),
        "tacit check says where the list and the column differ");
  }
  return Cells(std::move(made));
}

bool CanBeCompared(const ValueType& type) {
  return type.IsNumber() || type.kind == TypeKind::kText || type.kind == TypeKind::kBoolean ||
         type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp;
}

Result<Attribute> AttributeOf(const policy::Table& table, const policy::SchemaColumn& stored,
                              engine::Engine& engine) {
  const std::string name = ColumnName(table, stored.name);
  const policy::Column* declared = table.Find(stored.name);
  Attribute attribute{.name = stored.name, .type = stored.type, .cells = ListedCells{}};
  const bool has_keys = declared != nullptr && declared->keys;
  if (has_keys && CanBeCompared(stored.type)) {
    if (const auto* calendar = std::get_if<policy::KeyCalendar>(&*declared->keys)) {
      TACIT_TRY(attribute.cells, CalendarCellsOf(name, *calendar));
      return attribute;
    }
    TACIT_TRY(attribute.cells, ListedCellsOf(name, *declared->keys, stored.type, engine));
    return attribute;
  }
  if (stored.type.kind == TypeKind::kBoolean) {
    KeyValue no{.kind = KeyValue::Kind::kBoolean, .text = "false", .number = 0, .truth = false};
    KeyValue yes{.kind = KeyValue::Kind::kBoolean, .text = "true", .number = 0, .truth = true};
    attribute.cells = ListedCells{{no, yes}};
    return attribute;
  }
  if (declared != nullptr && declared->bounds && stored.type.IsNumber()) {
    TACIT_TRY(attribute.cells, GridCellsOf(*declared, stored.type));
    return attribute;
  }
  const std::string example =
      stored.type.IsNumber() ? "{bounds: [0, 100]}"
      : stored.type.kind == TypeKind::kDate || stored.type.kind == TypeKind::kTimestamp
          ? "{keys: {months: [2020-01, 2025-12]}}"
          : "{keys: [\"A\", \"B\"]}";
  return NoCells("what values " + name + " can have is not public",
                 "declare them in the policy, as in " + stored.name + ": " + example +
                     ", or leave the column out: --columns names those to release");
}

bool IsUnit(const policy::Policy& policy, const policy::Table& table, const std::string& column) {
  const policy::UnitPath path = policy.PathOf(table);
  if (path.hops.empty()) return policy::SameName(column, path.root_column);
  return policy::SameName(path.hops.front().via, column);
}

}  // namespace

size_t Attribute::Values() const {
  if (const auto* listed = std::get_if<ListedCells>(&cells)) return listed->values.size();
  if (const auto* grid = std::get_if<GridCells>(&cells)) return grid->edges.size() - 1;
  return std::get<CalendarCells>(cells).begins.size();
}

ColumnShape Attribute::Shape() const {
  return {.cells = Values() + 1,
          .ordered = !std::holds_alternative<ListedCells>(cells),
          .has_null = true};
}

Result<std::vector<Attribute>> AttributesOf(const policy::Policy& policy,
                                            const policy::Schema& schema,
                                            const policy::Table& table,
                                            const std::vector<std::string>& columns,
                                            engine::Engine& engine) {
  const policy::SchemaTable* stored = schema.Find(table.name);
  if (stored == nullptr) {
    return NoCells("the table " + table.name + " is in the policy but not in the database",
                   "run tacit check");
  }
  std::vector<const policy::SchemaColumn*> wanted;
  for (const std::string& column : columns) {
    const policy::SchemaColumn* found = stored->Find(column);
    if (found == nullptr) {
      return InvalidArgument("the table " + table.name + " has no column " + column);
    }
    if (std::find(wanted.begin(), wanted.end(), found) != wanted.end()) {
      return InvalidArgument("the column " + column + " is named twice");
    }
    if (table.IsHidden(found->name) || IsUnit(policy, table, found->name)) {
      return NoCells(ColumnName(table, found->name) + " says who somebody is: it is not released",
                     "leave it out of --columns");
    }
    wanted.push_back(found);
  }
  if (columns.empty()) {
    for (const policy::SchemaColumn& column : stored->columns) {
      const bool own = policy::FoldedName(column.name).starts_with("tacit_");
      if (own || table.IsHidden(column.name) || IsUnit(policy, table, column.name)) continue;
      wanted.push_back(&column);
    }
  }
  if (wanted.empty()) return NoCells("there is no column to release", "name some: --columns a,b");
  std::vector<Attribute> attributes;
  for (const policy::SchemaColumn* column : wanted) {
    TACIT_TRY(Attribute attribute, AttributeOf(table, *column, engine));
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

namespace {

// steps * step, with as many decimals as the step has.
std::string GridText(Int128 steps, const Rational& step) {
  return ToString(Rational(Rational(ToInteger(steps)) * step));
}

}  // namespace

std::string TextOf(const Attribute& attribute, uint16_t code, double draw) {
  if (code >= attribute.Values()) return "";
  if (const auto* listed = std::get_if<ListedCells>(&attribute.cells)) {
    const KeyValue& value = listed->values[code];
    if (value.kind == KeyValue::Kind::kBoolean) return value.truth ? "true" : "false";
    return value.kind == KeyValue::Kind::kNumber ? ToString(value.number) : value.text;
  }
  if (const auto* calendar = std::get_if<CalendarCells>(&attribute.cells)) {
    return calendar->begins[code];
  }
  const GridCells& grid = std::get<GridCells>(attribute.cells);
  const Int128 low = grid.edges[code];
  const Int128 width = grid.edges[code + 1u] - low;
  const auto within = static_cast<Int128>(draw * static_cast<double>(width));
  return GridText(low + std::min(within, width - 1), grid.step);
}

std::string LabelOf(const Attribute& attribute, uint16_t code) {
  if (code >= attribute.Values()) return "NULL";
  const auto* grid = std::get_if<GridCells>(&attribute.cells);
  if (grid == nullptr || grid->edges[code + 1u] - grid->edges[code] == 1) {
    return TextOf(attribute, code, 0);
  }
  return GridText(grid->edges[code], grid->step) + " to " +
         GridText(grid->edges[code + 1u] - 1, grid->step);
}

}  // namespace tacit::release
