#include "engine/trino/engine.h"

#include <utility>

#include "engine/duckdb/database/errors.h"
#include "engine/row_key.h"
#include "engine/server/errors.h"
#include "engine/server/listed_numbers.h"
#include "engine/trino/exact_groups.h"

namespace tacit::engine::trino {
namespace {

using duckdb::ExactQueryFailed;
using duckdb::PlanNotTaken;
using server::NamesOf;
using server::Unreachable;

Bound BoundTo(const plan::Release& release, const std::vector<Value>& values) {
  Bound bound;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool is_key = i < release.parameters.size() &&
                        std::holds_alternative<plan::DeploymentKey>(release.parameters[i]);
    if (is_key) {
      bound.row_key = RowKey(std::get<std::string>(values[i]));
    } else {
      bound.values.push_back(values[i]);
    }
  }
  return bound;
}

}  // namespace

TrinoEngine::TrinoEngine(policy::TrinoSettings settings, std::shared_ptr<const Catalog> catalog,
                         TimeLimits limits)
    : settings_(std::move(settings)), catalog_(std::move(catalog)), limits_(limits) {}

TrinoEngine::~TrinoEngine() = default;

Result<Connection*> TrinoEngine::Connected() {
  if (!connection_) {
    TACIT_TRY(Connection opened, Connection::Open(settings_, limits_));
    connection_.emplace(std::move(opened));
  }
  return &*connection_;
}

Result<Done> TrinoEngine::CheckCatalog() {
  TACIT_TRY(Connection * connection, Connected());
  TACIT_TRY(Catalog now,
            ReadCatalog(*connection, settings_,
                        catalog_ ? NamesOf(*catalog_) : std::vector<std::string>(), limits_));
  if (catalog_) return server::CheckSame(*catalog_, now);
  catalog_ = std::make_shared<const Catalog>(std::move(now));
  return Done{};
}

Result<std::shared_ptr<const Catalog>> TrinoEngine::CatalogOf() {
  TACIT_CHECK(CheckCatalog());
  return catalog_;
}

Result<Done> TrinoEngine::Check() { return CheckCatalog(); }

Result<policy::Schema> TrinoEngine::ReadSchema() {
  TACIT_TRY(const std::shared_ptr<const Catalog> catalog, CatalogOf());
  return catalog->Seen();
}

// Parsed and analysed; nothing is planned, so that no statistics of rows are looked at.
Result<Done> TrinoEngine::Validate(const std::string& sql) {
  TACIT_TRY(Connection * connection, Connected());
  Reply reply;
  const auto failure = connection->Query("EXPLAIN (TYPE VALIDATE) " + sql, limits_.catalog, reply);
  if (!failure) return Done{};
  return failure->is_of_the_statement ? PlanNotTaken(failure->text) : Unreachable(failure->text);
}

Result<std::vector<std::vector<ResultColumn>>> TrinoEngine::Prepare(const plan::PrivatePlan& plan) {
  TACIT_CHECK(CheckCatalog());
  std::vector<std::vector<ResultColumn>> columns;
  for (const plan::Release& release : plan.releases) {
    TACIT_TRY(const std::string sql, StatementOf(release, *catalog_, settings_.catalog));
    TACIT_CHECK(Validate(sql));
    std::vector<ResultColumn>& released = columns.emplace_back();
    for (const plan::KeyColumn& key : release.keys) released.push_back({key.name, key.type});
    for (const plan::Measure& measure : release.measures) {
      released.push_back({measure.name, NumericType(38, 0)});
    }
  }
  return columns;
}

// The charge stands, and every failure says the same.
Result<ExactRelease> TrinoEngine::Run(const plan::Release& release,
                                      const std::vector<Value>& parameters) {
  const Result<Connection*> connection = Connected();
  if (!connection.ok()) return ExactQueryFailed(connection.error().private_detail);
  if (!catalog_) return ExactQueryFailed("nothing was prepared");
  const Result<std::string> sql =
      StatementOf(release, *catalog_, settings_.catalog, BoundTo(release, parameters));
  if (!sql.ok()) return ExactQueryFailed(sql.error().public_message);
  Reply reply;
  if (const auto failure = (*connection)->Query(*sql, limits_.statement, reply)) {
    return ExactQueryFailed(failure->text);
  }
  ExactGroups groups(release.keys.size(), server::FormsOf(release));
  const std::string unread = ReadGroups(reply, release, groups);
  if (!unread.empty()) return ExactQueryFailed(unread);
  const std::string wrong = Arrange(release, groups);
  if (!wrong.empty()) return ExactQueryFailed(wrong);
  return ExactRelease(std::move(groups));
}

Result<std::vector<Told>> TrinoEngine::Explain(const plan::PrivatePlan& plan) {
  if (!catalog_) TACIT_CHECK(CatalogOf());
  std::vector<Told> told;
  for (const plan::Release& release : plan.releases) {
    TACIT_TRY(std::string statement, StatementOf(release, *catalog_, settings_.catalog));
    told.push_back({.statement = std::move(statement), .storage = {}});
  }
  for (const plan::PublicTable& table : plan.public_tables) {
    TACIT_TRY(std::string statement, StatementOf(table, *catalog_, settings_.catalog));
    told.push_back({.statement = std::move(statement), .storage = {}});
  }
  return told;
}

Result<ResultTable> TrinoEngine::Read(const plan::PublicTable& table) {
  TACIT_TRY(Connection * connection, Connected());
  if (!catalog_) TACIT_CHECK(CheckCatalog());
  TACIT_TRY(const std::string sql, StatementOf(table, *catalog_, settings_.catalog));
  Reply reply;
  if (const auto failure = connection->Query(sql, limits_.catalog, reply)) {
    return Unreachable(failure->text);
  }
  return ReadPublic(reply, table, *catalog_);
}

Result<std::shared_ptr<const Catalog>> FindTables(const policy::TrinoSettings& settings,
                                                  const std::vector<std::string>& tables) {
  const TimeLimits limits;
  TACIT_TRY(Connection connection, Connection::Open(settings, limits));
  TACIT_TRY(Catalog catalog, ReadCatalog(connection, settings, tables, limits));
  TACIT_CHECK(server::CheckUsable(catalog, tables));
  TACIT_CHECK(CheckUnique(connection, settings, catalog, limits));
  return std::make_shared<const Catalog>(std::move(catalog));
}

}  // namespace tacit::engine::trino
