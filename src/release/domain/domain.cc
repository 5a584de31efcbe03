#include "release/domain/domain.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

#include "policy/keys/fit.h"

namespace tacit::release {
namespace {

using policy::KeyValue;

std::chrono::sys_days DayOf(const std::string& text) {
  return std::chrono::year_month_day(
      std::chrono::year(std::stoi(text.substr(0, text.size() - 6))),
      std::chrono::month(static_cast<unsigned>(std::stoi(text.substr(text.size() - 5, 2)))),
      std::chrono::day(static_cast<unsigned>(std::stoi(text.substr(text.size() - 2)))));
}

std::string DayText(std::chrono::sys_days day) {
  const std::chrono::year_month_day date(day);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

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
  return NoCells(
      "the list of keys of " + name + " has none, or more than " + std::to_string(kListedCellsMax),
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

// Whole days, whatever the calendar's step: what a value is within its day is not released.
Cells DayCellsOf(const policy::KeyCalendar& calendar) {
  constexpr int64_t kHours = 24;
  const auto day_of = [](int64_t hour) {
    return std::chrono::sys_days(std::chrono::floor<std::chrono::days>(std::chrono::hours(hour)));
  };
  const std::chrono::sys_days first = day_of(calendar.first);
  const std::chrono::sys_days end = day_of(calendar.End() + kHours - 1);
  const auto days = (end - first).count();
  const auto in_a_cell = (days + kDayCellsMax - 1) / kDayCellsMax;
  DayCells made{.first_days = {}, .end = DayText(end)};
  for (auto day = first; day < end; day += std::chrono::days(in_a_cell)) {
    made.first_days.push_back(DayText(day));
  }
  return made;
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
      made.values = policy::ExpandKeys(policy::KeysAs(keys, type));
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

Error NotPublic(const std::string& name, const std::string& column, const std::string& example) {
  return NoCells("what values " + name + " can have is not public",
                 "declare them in the policy, as in " + column + ": " + example +
                     ", or leave the column out: --columns names those to release");
}

Result<Attribute> AttributeOf(const policy::Table& table, const policy::SchemaColumn& stored,
                              engine::Engine& engine) {
  const std::string name = ColumnName(table, stored.name);
  const policy::Column* declared = table.Find(stored.name);
  Attribute attribute{.name = stored.name, .type = stored.type, .cells = ListedCells{}};
  const bool has_keys = declared != nullptr && declared->keys;
  if (has_keys && CanBeCompared(stored.type)) {
    if (const auto* calendar = std::get_if<policy::KeyCalendar>(&*declared->keys)) {
      attribute.cells = DayCellsOf(*calendar);
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
  if (stored.type.kind == TypeKind::kText) {
    attribute.cells = OpenCells{};
    return attribute;
  }
  return NotPublic(
      name, stored.name,
      stored.type.IsNumber() ? "{bounds: [0, 100]}" : "{keys: {months: [2020-01, 2025-12]}}");
}

bool IsUnit(const policy::Policy& policy, const policy::Table& table, const std::string& column) {
  const policy::UnitPath path = policy.PathOf(table);
  if (path.hops.empty()) return policy::SameName(column, path.root_column);
  return policy::SameName(path.hops.front().via, column);
}

}  // namespace

std::vector<ColumnShape> ShapesOf(const std::vector<Attribute>& attributes) {
  std::vector<ColumnShape> shapes;
  for (const Attribute& attribute : attributes) shapes.push_back(attribute.Shape());
  return shapes;
}

size_t OpenIn(const std::vector<Attribute>& attributes) {
  return static_cast<size_t>(std::count_if(attributes.begin(), attributes.end(),
                                           [](const Attribute& a) { return a.IsOpen(); }));
}

Attribute WithValues(Attribute open, const std::vector<std::string>& values) {
  ListedCells listed;
  for (const std::string& value : values) {
    listed.values.push_back({.kind = KeyValue::Kind::kText, .text = value, .number = 0});
  }
  listed.values.push_back({.kind = KeyValue::Kind::kText, .text = kOtherText, .number = 0});
  open.cells = std::move(listed);
  return open;
}

size_t Attribute::Values() const {
  if (const auto* listed = std::get_if<ListedCells>(&cells)) return listed->values.size();
  if (const auto* grid = std::get_if<GridCells>(&cells)) return grid->edges.size() - 1;
  if (const auto* days = std::get_if<DayCells>(&cells)) return days->first_days.size();
  return 0;
}

ColumnShape Attribute::Shape() const {
  return {.cells = Values() + 1,
          .ordered =
              std::holds_alternative<GridCells>(cells) || std::holds_alternative<DayCells>(cells),
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
  std::vector<const policy::SchemaColumn*> seen;  // that everybody may see
  std::string names;
  for (const policy::SchemaColumn& column : stored->columns) {
    const bool own = policy::FoldedName(column.name).starts_with("tacit_");
    if (own || table.IsHidden(column.name) || IsUnit(policy, table, column.name)) continue;
    names += (seen.empty() ? "" : ",") + column.name;
    seen.push_back(&column);
  }
  std::vector<const policy::SchemaColumn*> wanted;
  for (const std::string& column : columns) {
    const policy::SchemaColumn* found = stored->Find(column);
    if (found == nullptr) {
      return InvalidArgument("the table " + table.name + " has no column " + column,
                             "it has --columns " + names);
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
  if (columns.empty()) wanted = seen;
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
  if (const auto* days = std::get_if<DayCells>(&attribute.cells)) {
    const std::chrono::sys_days first = DayOf(days->first_days[code]);
    const bool last = code + 1u == days->first_days.size();
    const auto width = (DayOf(last ? days->end : days->first_days[code + 1u]) - first).count();
    const auto within = static_cast<int>(draw * static_cast<double>(width));
    return DayText(first + std::chrono::days(std::min<int64_t>(within, width - 1)));
  }
  const GridCells& grid = std::get<GridCells>(attribute.cells);
  const Int128 low = grid.edges[code];
  const Int128 width = grid.edges[code + 1u] - low;
  const auto within = static_cast<Int128>(draw * static_cast<double>(width));
  return GridText(low + std::min(within, width - 1), grid.step);
}

std::string DayAfter(const std::string& day) { return DayText(DayOf(day) + std::chrono::days(1)); }

std::string LabelOf(const Attribute& attribute, uint16_t code) {
  if (code >= attribute.Values()) return "NULL";
  if (const auto* days = std::get_if<DayCells>(&attribute.cells)) {
    const std::string last = TextOf(attribute, code, 1 - 0x1p-53);
    const std::string& first = days->first_days[code];
    return first == last ? first : first + " to " + last;
  }
  const auto* grid = std::get_if<GridCells>(&attribute.cells);
  if (grid == nullptr || grid->edges[code + 1u] - grid->edges[code] == 1) {
    return TextOf(attribute, code, 0);
  }
  return GridText(grid->edges[code], grid->step) + " to " +
         GridText(grid->edges[code + 1u] - 1, grid->step);
}

}  // namespace tacit::release
