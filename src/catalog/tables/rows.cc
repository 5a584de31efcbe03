#include "catalog/tables/rows.h"

#include <cstdio>

namespace tacit::catalog {
namespace {

std::string Text(Oid number) { return std::to_string(number); }
std::string Text(bool value) { return value ? "t" : "f"; }

// Nothing here counts rows: sizes are 0 and reltuples is -1, "never looked at".
Row ClassRow(const Objects& objects, const Relation& pg_class, const Relation& relation) {
  const bool table = relation.kind == 'r';
  const bool system = relation.schema == "pg_catalog" || relation.schema == "information_schema";
  return MakeRow(pg_class, {{"oid", Text(relation.oid)},
                            {"relname", relation.name},
                            {"relnamespace", Text(objects.SchemaOid(relation.schema))},
                            {"reltype", Text(relation.row_type)},
                            {"reloftype", "0"},
                            {"relowner", Text(kOwnerOid)},
                            {"relam", table ? "2" : "0"},
                            {"relfilenode", "0"},
                            {"reltablespace", "0"},
                            {"relpages", "0"},
                            {"reltuples", "-1"},
                            {"relallvisible", "0"},
                            {"reltoastrelid", "0"},
                            {"relhasindex", "f"},
                            {"relisshared", "f"},
                            {"relpersistence", "p"},
                            {"relkind", std::string(1, relation.kind)},
                            {"relnatts", std::to_string(relation.columns.size())},
                            {"relchecks", "0"},
                            {"relhasrules", Text(!table)},
                            {"relhastriggers", "f"},
                            {"relhassubclass", "f"},
                            {"relrowsecurity", "f"},
                            {"relforcerowsecurity", "f"},
                            {"relispopulated", "t"},
                            {"relreplident", table && !system ? "d" : "n"},
                            {"relispartition", "f"},
                            {"relrewrite", "0"},
                            {"relfrozenxid", "0"},
                            {"relminmxid", "0"},
                            {"relacl", ListText(relation.privileges)}});
}

Row AttributeRow(const Relation& pg_attribute, const Relation& relation, size_t index) {
  const RelationColumn& column = relation.columns[index];
  const TypeFacts& type = *FindType(column.type);
  return MakeRow(pg_attribute, {{"attrelid", Text(relation.oid)},
                                {"attname", column.name},
                                {"atttypid", Text(column.type)},
                                {"attstattarget", "-1"},
                                {"attlen", std::to_string(type.length)},
                                {"attnum", std::to_string(index + 1)},
                                {"attndims", std::to_string(column.dimensions)},
                                {"attcacheoff", "-1"},
                                {"atttypmod", std::to_string(column.modifier)},
                                {"attbyval", Text(type.by_value)},
                                {"attalign", std::string(1, type.alignment)},
                                {"attstorage", std::string(1, type.storage)},
                                {"attcompression", ""},
                                {"attnotnull", Text(column.not_null)},
                                {"atthasdef", "f"},
                                {"atthasmissing", "f"},
                                {"attidentity", ""},
                                {"attgenerated", ""},
                                {"attisdropped", "f"},
                                {"attislocal", "t"},
                                {"attinhcount", "0"},
                                {"attcollation", Text(type.collation)}});
}

struct KeysText {
  // Why 100: enough to read; a list of thousands is for the program that asks for groups.
  static constexpr size_t kShown = 100;
  std::string operator()(const policy::ListedKeys& keys) const {
    std::string text;
    for (size_t i = 0; i < keys.values.size() && i < kShown; ++i) {
      text += (i == 0 ? "" : ", ") + keys.values[i].text;
    }
    if (keys.values.size() > kShown) {
      text += ", ... (" + std::to_string(keys.values.size()) + " keys)";
    }
    return text;
  }
  std::string operator()(const policy::KeyRange& keys) const {
    return ToString(keys.from) + " to " + ToString(keys.to) + " step " + ToString(keys.step);
  }
  std::string operator()(const policy::KeyCalendar& keys) const {
    const bool months = keys.step == policy::CalendarStep::kMonth;
    const auto text = [&](int64_t at) {
      return months ? policy::InstantText(at).substr(0, 7) : policy::InstantText(at);
    };
    return std::string(policy::WordOf(keys.step)) + "s " + text(keys.first) + " to " +
           text(keys.last);
  }
  std::string operator()(const policy::KeysOfTable& keys) const {
    return "the values of " + keys.table + "." + keys.column;
  }
};

std::string UnitText(const policy::Policy& policy, const policy::Table& table) {
  // A hidden column is not named, not even as the unit.
  const auto shown = [](const policy::Table& of, const std::string& column) {
    return of.IsHidden(column) ? std::string("a hidden column") : column;
  };
  if (std::holds_alternative<policy::UnitIsRow>(table.unit)) return "row";
  if (const auto* own = std::get_if<policy::UnitIsColumn>(&table.unit)) {
    return shown(table, own->column);
  }
  const auto& reached = std::get<policy::UnitIsReached>(table.unit);
  const policy::Table* parent = policy.Find(reached.to_table);
  return "by " + shown(table, reached.via) + " to " + reached.to_table +
         (parent == nullptr || parent->IsHidden(reached.to_column) ? "" : "." + reached.to_column);
}

Row TableRow(const Relation& view, const policy::Policy& policy, const policy::Table& table,
             const Relation& relation) {
  std::map<std::string, Cell> cells = {{"table_name", relation.name},
                                       {"is_public", Text(table.is_public)}};
  if (!table.is_public) {
    cells["unit"] = UnitText(policy, table);
    cells["rows_per_unit"] = std::to_string(table.rows_per_unit);
    cells["groups_per_unit"] = std::to_string(table.groups_per_unit);
    cells["rows_per_group"] = std::to_string(table.rows_per_group);
  }
  return MakeRow(view, cells);
}

Row ColumnRow(const Relation& view, const policy::Table& table, const policy::SchemaTable& stored,
              const Relation& relation, size_t index) {
  const RelationColumn& column = relation.columns[index];
  std::map<std::string, Cell> cells = {{"table_name", relation.name},
                                       {"column_name", column.name},
                                       {"position", std::to_string(index + 1)},
                                       {"data_type", FormatType(column.type, column.modifier)}};
  const policy::Column* declared = table.Find(column.name);
  if (declared != nullptr && declared->bounds) {
    cells["low"] = NumberText(declared->bounds->low, declared->bounds->low.get_d());
    cells["high"] = NumberText(declared->bounds->high, declared->bounds->high.get_d());
    const Result<policy::Grid> grid = policy::GridOf(*declared, stored.Find(column.name)->type);
    if (grid.ok()) cells["step"] = NumberText(grid->step, grid->step.get_d());
  }
  if (declared != nullptr && declared->keys) {
    cells["keys"] = std::visit(KeysText{}, *declared->keys);
  }
  return MakeRow(view, cells);
}

void AddPolicyRows(const Objects& objects, const policy::Policy& policy,
                   const policy::Schema& schema, StoredRows& rows) {
  const Relation& tables = *objects.Find("tacit", "tables");
  const Relation& columns = *objects.Find("tacit", "columns");
  for (const policy::Table& table : policy.tables) {
    const policy::SchemaTable* stored = schema.Find(table.name);
    if (stored == nullptr) continue;
    const Relation& relation = *objects.Find("public", stored->name);
    rows["tacit.tables"].push_back(TableRow(tables, policy, table, relation));
    for (size_t i = 0; i < relation.columns.size(); ++i) {
      rows["tacit.columns"].push_back(ColumnRow(columns, table, *stored, relation, i));
    }
  }
}

// The rows as the facts have them, with arrays as lists.
std::vector<Row> ConvertedRows(const Relation& relation) {
  std::vector<Row> rows = SystemRows(relation.name);
  for (Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (IsArray(relation.columns[i].type)) row[i] = ListText(row[i]);
    }
  }
  return rows;
}

}  // namespace

Row MakeRow(const Relation& relation, const std::map<std::string, Cell>& cells) {
  Row row;
  size_t used = 0;
  for (const RelationColumn& column : relation.columns) {
    const auto found = cells.find(column.name);
    used += found != cells.end() ? 1 : 0;
    row.push_back(found == cells.end() ? Cell() : found->second);
  }
  TACIT_ASSERT(used == cells.size());
  return row;
}

std::string NumberText(const Rational& value, double otherwise) {
  // Why 15: so many digits a double gives back as they were written.
  const std::string exact = ToString(value);
  if (exact.size() <= 15 && exact.find('/') == std::string::npos) return exact;
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", otherwise);
  return text;
}

Cell ListText(const Cell& text) {
  if (!text) return text;
  const bool array = text->starts_with('{');
  const std::string inner = array ? text->substr(1, text->size() - 2) : *text;
  std::string list = "[";
  for (const char c : inner) {
    if (c == (array ? ',' : ' ')) {
      list += ", ";
    } else {
      list += c;
    }
  }
  return list + "]";
}

StoredRows MakeRows(const Objects& objects, const policy::Policy& policy,
                    const policy::Schema& schema) {
  StoredRows rows;
  for (const char* name :
       {"pg_type", "pg_proc", "pg_am", "pg_cast", "pg_collation", "pg_language", "pg_range"}) {
    rows[std::string("pg_catalog.") + name] = ConvertedRows(*objects.Find("pg_catalog", name));
  }
  const Relation& pg_class = *objects.Find("pg_catalog", "pg_class");
  const Relation& pg_attribute = *objects.Find("pg_catalog", "pg_attribute");
  for (const Relation& relation : objects.relations()) {
    rows["pg_catalog.pg_class"].push_back(ClassRow(objects, pg_class, relation));
    for (size_t i = 0; i < relation.columns.size(); ++i) {
      rows["pg_catalog.pg_attribute"].push_back(AttributeRow(pg_attribute, relation, i));
    }
  }
  const Relation& pg_namespace = *objects.Find("pg_catalog", "pg_namespace");
  for (const auto& [name, number] : objects.schemas()) {
    std::map<std::string, Cell> cells = {
        {"oid", Text(number)}, {"nspname", name}, {"nspowner", Text(kOwnerOid)}};
    if (name != "pg_toast") cells["nspacl"] = "[tacit=UC/tacit, =U/tacit]";
    rows["pg_catalog.pg_namespace"].push_back(MakeRow(pg_namespace, cells));
  }
  const Relation& tablespace = *objects.Find("pg_catalog", "pg_tablespace");
  rows["pg_catalog.pg_tablespace"] = {
      MakeRow(tablespace, {{"oid", "1663"}, {"spcname", "pg_default"}, {"spcowner", "10"}}),
      MakeRow(tablespace, {{"oid", "1664"}, {"spcname", "pg_global"}, {"spcowner", "10"}})};
  AddPolicyRows(objects, policy, schema, rows);
  return rows;
}

}  // namespace tacit::catalog
