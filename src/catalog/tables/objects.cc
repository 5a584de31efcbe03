#include "catalog/tables/objects.h"

#include <algorithm>
#include <set>

#include "catalog/identifier.h"
#include "sql/print/quote.h"

namespace tacit::catalog {
namespace {

constexpr char kTacitSchema[] = "tacit";

// FNV-1a: the names are public, the numbers only have to be the same next time.
uint64_t Hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

RelationColumn MakeColumn(std::string name, Oid type, int32_t modifier = -1) {
  return RelationColumn{.name = std::move(name),
                        .type = type,
                        .modifier = modifier,
                        .not_null = false,
                        .base_type = type,
                        .base_modifier = modifier,
                        .dimensions = 0};
}

Relation MakeView(std::string name, std::vector<RelationColumn> columns) {
  return Relation{.schema = kTacitSchema,
                  .name = std::move(name),
                  .oid = 0,
                  .kind = 'v',
                  .row_type = 0,
                  .privileges = {},
                  .columns = std::move(columns)};
}

std::vector<Relation> TacitViews() {
  const auto text = [](const char* name) { return MakeColumn(name, oid::kText); };
  const auto real = [](const char* name) { return MakeColumn(name, oid::kFloat8); };
  const auto whole = [](const char* name) { return MakeColumn(name, oid::kInt8); };
  return {
      MakeView("budget",
               {text("scope"), real("epsilon_budget"), real("epsilon_spent"), real("epsilon_left"),
                real("delta_budget"), real("delta_spent"), real("delta_left"), real("rho_budget"),
                real("rho_spent"), real("rho_left"), whole("charges")}),
      MakeView("ledger",
               {whole("sequence"), MakeColumn("time", oid::kTimestampTz), real("epsilon"),
                real("delta"), real("rho"), text("query_fingerprint"), text("policy_version"),
                whole("data_version"), whole("releases"), text("receipt"), text("question")}),
      MakeView("last", {whole("answer"), MakeColumn("position", oid::kInt4), text("column_name"),
                        text("data_type"), text("mechanism"), real("scale"), real("moe95"),
                        text("condition"), real("epsilon"), real("delta"), real("rho"),
                        MakeColumn("cached", oid::kBool), real("epsilon_left"), real("delta_left"),
                        real("rho_left"), text("receipt"), text("notices")}),
      MakeView("tables",
               {text("table_name"), MakeColumn("is_public", oid::kBool), text("unit"),
                whole("rows_per_unit"), whole("groups_per_unit"), whole("rows_per_group")}),
      MakeView("columns",
               {text("table_name"), text("column_name"), MakeColumn("position", oid::kInt4),
                text("data_type"), real("low"), real("high"), real("step"), text("keys")}),
      MakeView("settings",
               {text("name"), text("value"), text("default_value"), text("description")}),
  };
}

std::optional<Relation> MakeTable(const policy::Table& table, const policy::Schema& schema) {
  const policy::SchemaTable* stored = schema.Find(table.name);
  if (stored == nullptr) return std::nullopt;
  Relation relation{.schema = "public",
                    .name = stored->name,
                    .oid = 0,
                    .kind = 'r',
                    .row_type = 0,
                    .privileges = {},
                    .columns = {}};
  for (const policy::SchemaColumn& column : stored->columns) {
    if (table.IsHidden(column.name)) continue;
    const TypeAndModifier type = TypeOf(column.type);
    relation.columns.push_back(MakeColumn(column.name, type.type, type.modifier));
  }
  return relation;
}

bool IsBareIdentifier(const std::string& name) {
  static const std::set<std::string> reserved = [] {
    std::set<std::string> words;
    for (const Row& row : Keywords()) {
      if (*row[1] != "U") words.insert(*row[0]);
    }
    return words;
  }();
  if (name.empty() || !((name[0] >= 'a' && name[0] <= 'z') || name[0] == '_')) return false;
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return std::all_of(name.begin(), name.end(), fits) && !reserved.contains(name);
}

}  // namespace

Objects::Objects(const policy::Policy& policy, const policy::Schema& schema) {
  schemas_ = {{"pg_catalog", kPgCatalogOid}, {"public", kPublicOid}, {"pg_toast", 99}};
  for (const TypeFacts* any : {FindTypeNamed("sql_identifier")}) {
    // The number of information_schema is whatever the facts were written with.
    for (const Row& row : SystemRows("pg_type")) {
      if (row[1] == any->name)
        schemas_["information_schema"] = static_cast<Oid>(std::stoul(*row[2]));
    }
  }
  schemas_[kTacitSchema] = NumberOf("schema tacit");
  for (const Relation& relation : SystemRelations()) AddRelation(relation);
  for (Relation& view : TacitViews()) AddRelation(std::move(view));
  for (const policy::Table& table : policy.tables) {
    if (std::optional<Relation> relation = MakeTable(table, schema)) AddRelation(*relation);
  }
}

Oid Objects::NumberOf(std::string_view what) {
  // PostgreSQL gives numbers from 16384 on to what users make; drivers read them as signed.
  constexpr uint64_t kFirst = 16384;
  constexpr uint64_t kEnd = uint64_t{1} << 31;
  return static_cast<Oid>(kFirst + Hash(what) % (kEnd - kFirst));
}

void Objects::AddRelation(Relation relation) {
  const std::string name = relation.schema + "." + relation.name;
  if (relation.oid == 0) {
    relation.oid = NumberOf("relation " + name);
    while (by_oid_.contains(relation.oid)) ++relation.oid;
  }
  by_name_.emplace(name, relations_.size());
  by_oid_.emplace(relation.oid, relations_.size());
  relations_.push_back(std::move(relation));
}

const Relation* Objects::Find(std::string_view schema, std::string_view name) const {
  const auto found = by_name_.find(std::string(schema) + "." + std::string(name));
  return found == by_name_.end() ? nullptr : &relations_[found->second];
}

const Relation* Objects::Find(Oid relation) const {
  const auto found = by_oid_.find(relation);
  return found == by_oid_.end() ? nullptr : &relations_[found->second];
}

Oid Objects::SchemaOid(std::string_view schema) const {
  const auto found = schemas_.find(schema);
  return found == schemas_.end() ? 0 : found->second;
}

std::string Objects::SchemaText(Oid schema) const {
  if (schema == 0) return "-";
  for (const auto& [name, number] : schemas_) {
    if (number == schema) return QuoteIdent(name);
  }
  return std::to_string(schema);
}

Oid Objects::ParseClass(std::string_view text) const {
  if (text == "-") return 0;
  const std::optional<std::vector<std::string>> parts = ParseIdentifier(text);
  if (!parts || parts->empty() || parts->size() > 2) return 0;
  if (parts->size() == 2) {
    const Relation* found = Find((*parts)[0], (*parts)[1]);
    return found == nullptr ? 0 : found->oid;
  }
  for (const char* schema : {"pg_catalog", "public"}) {
    if (const Relation* found = Find(schema, parts->front())) return found->oid;
  }
  return 0;
}

std::vector<std::string> Objects::Searched(std::string_view search_path) const {
  std::vector<std::string> schemas;
  while (!search_path.empty()) {
    const size_t comma = std::min(search_path.find(','), search_path.size());
    std::string_view word = search_path.substr(0, comma);
    search_path.remove_prefix(std::min(comma + 1, search_path.size()));
    const size_t begin = word.find_first_not_of(' ');
    if (begin == std::string_view::npos) continue;
    word = word.substr(begin, word.find_last_not_of(' ') - begin + 1);
    const std::optional<std::vector<std::string>> name = ParseIdentifier(word);
    if (name && name->size() == 1 && SchemaOid(name->front()) != 0) {
      schemas.push_back(name->front());
    }
  }
  return schemas;
}

std::optional<std::string> Objects::SchemaOf(std::string_view name,
                                             const std::vector<std::string>& path) const {
  const bool listed = std::find(path.begin(), path.end(), "pg_catalog") != path.end();
  if (!listed && Find("pg_catalog", name) != nullptr) return "pg_catalog";
  for (const std::string& schema : path) {
    if (Find(schema, name) != nullptr) return schema;
  }
  return std::nullopt;
}

Oid Objects::ParseSchema(std::string_view text) const {
  const std::optional<std::vector<std::string>> parts = ParseIdentifier(text);
  return parts && parts->size() == 1 ? SchemaOid(parts->front()) : 0;
}

std::string Objects::ClassText(Oid relation, bool public_is_searched) const {
  if (relation == 0) return "-";
  const Relation* found = Find(relation);
  if (found == nullptr) return std::to_string(relation);
  const bool searched =
      found->schema == "pg_catalog" || (found->schema == "public" && public_is_searched);
  const std::string name = QuoteIdent(found->name);
  return searched ? name : QuoteIdent(found->schema) + "." + name;
}

std::string QuoteIdent(const std::string& name) {
  return IsBareIdentifier(name) ? name : sql::QuoteIdentifier(name);
}

}  // namespace tacit::catalog
