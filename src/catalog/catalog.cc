#include "catalog/catalog.h"

#include <algorithm>

#include "catalog/settings.h"
#include "catalog/tables/rows.h"
#include "catalog/tables/store.h"
#include "catalog/translate/translate.h"
#include "sql/buy.h"
#include "sql/learn.h"

namespace tacit::catalog {
namespace {

bool IsCatalogSchema(const std::string& schema) {
  return schema == "pg_catalog" || schema == "information_schema" || schema == "tacit";
}

Error NotSearched(const sql::NamedTable& table) {
  return Error{.code = ErrorCode::kInvalidQuery,
               .public_message = "relation \"" + table.name + "\" does not exist",
               .hint =
                   "the tables are in the schema public, which search_path does not name: SET "
                   "search_path = public",
               .position = table.position,
               .private_detail = "",
               .rule = "undefined_table"};
}

}  // namespace

struct Catalog::State {
  policy::Policy policy;
  std::shared_ptr<const Objects> objects;
  Store store;
};

Catalog::Catalog(std::unique_ptr<State> state) : state_(std::move(state)) {}
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog& Catalog::operator=(Catalog&&) noexcept = default;
Catalog::~Catalog() = default;

bool Catalog::SearchesPublicFirst(std::string_view search_path) const {
  const std::vector<std::string> path = state_->objects->Searched(search_path);
  return !path.empty() && path.front() == "public";
}

Result<Catalog> Catalog::Make(const policy::Policy& policy, const policy::Schema& schema) {
  auto objects = std::make_shared<const Objects>(policy, schema);
  TACIT_TRY(Store store, Store::Make(objects, MakeRows(*objects, policy, schema)));
  return Catalog(std::make_unique<State>(
      State{.policy = policy, .objects = std::move(objects), .store = std::move(store)}));
}

Result<std::optional<Query>> Catalog::Recognize(std::string_view text) const {
  const Result<sql::SharedReading> reading = sql::ReadQuestion(text);
  if (!reading.ok() && reading.error().code == ErrorCode::kUnavailable) return reading.error();
  if (!reading.ok()) return std::optional<Query>();
  return Recognize(**reading, *FindSetting({}, "search_path"));
}

Result<std::optional<Query>> Catalog::Recognize(const sql::Reading& reading,
                                                std::string_view search_path) const {
  if (!reading.only_selects) return std::optional<Query>();
  // It reads no table by itself, and is no question of the catalog's.
  if (reading.statement.ok() &&
      (sql::BoughtText(reading.statement->query) || sql::Learns(reading.statement->query))) {
    return std::optional<Query>();
  }
  if (!reading.statement.ok() && reading.statement.error().rule == sql::kLearnCallRule) {
    return std::optional<Query>();
  }
  const std::vector<std::string> path = state_->objects->Searched(search_path);
  const bool public_is_searched = std::find(path.begin(), path.end(), "public") != path.end();
  const sql::NamedTable* ours = nullptr;
  const sql::NamedTable* other = nullptr;
  for (const sql::NamedTable& table : reading.tables) {
    std::string schema = table.schema;
    if (schema.empty() && table.name.starts_with("pg_")) schema = "pg_catalog";
    if (schema.empty()) {
      schema = state_->objects->SchemaOf(table.name, path).value_or("public");
      if (schema == "public" && !public_is_searched) return NotSearched(table);
    }
    (IsCatalogSchema(schema) ? ours : other) = &table;
  }
  if (other != nullptr && ours == nullptr) return std::optional<Query>();
  if (other != nullptr) {
    return Error{.code = ErrorCode::kRefused,
                 .public_message = "one query reads both the catalog (" + ours->name +
                                   ") and the table " + other->name,
                 .hint = "ask the catalog in a query of its own",
                 .position = other->position,
                 .private_detail = "",
                 .rule = "catalog_and_tables"};
  }
  if (reading.select == nullptr) {
    return Error{.code = ErrorCode::kUnsupported,
                 .public_message = "nesting as deep as this is not supported",
                 .hint = "",
                 .position = std::nullopt,
                 .private_detail = ""};
  }
  return std::optional<Query>(Query(reading.select));
}

Result<Description> Catalog::Describe(const Query& query, const Asker& asker,
                                      const std::vector<Oid>& parameter_types) const {
  const Surroundings around{.objects = *state_->objects,
                            .store = state_->store,
                            .policy = state_->policy,
                            .asker = asker,
                            .running = false,
                            .parameter_types = parameter_types,
                            .parameters = {}};
  TACIT_TRY(Translation translation, Translate(query.tree(), around));
  return Description{.columns = std::move(translation.columns),
                     .parameters = std::move(translation.parameters)};
}

Result<Answer> Catalog::Run(const Query& query, const Asker& asker,
                            const std::vector<std::optional<std::string>>& parameters,
                            const std::vector<Oid>& parameter_types) const {
  const Surroundings around{.objects = *state_->objects,
                            .store = state_->store,
                            .policy = state_->policy,
                            .asker = asker,
                            .running = true,
                            .parameter_types = parameter_types,
                            .parameters = parameters};
  TACIT_TRY(Translation translation, Translate(query.tree(), around));
  TACIT_TRY(std::vector<engine::Value> values, BoundValues(*state_->objects, around, translation));
  Store::Statement statement{.sql = std::move(translation.sql),
                             .parameters = std::move(values),
                             .types = {},
                             .public_is_searched = translation.public_is_searched};
  for (const OidColumn& column : translation.columns) statement.types.push_back(column.type);
  TACIT_TRY(std::vector<std::vector<engine::Value>> rows, state_->store.Run(statement));
  return Answer{.columns = std::move(translation.columns),
                .rows = std::move(rows),
                .changes = std::move(translation.changes)};
}

}  // namespace tacit::catalog
