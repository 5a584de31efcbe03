#include "engine/postgres/engine.h"

#include <algorithm>
#include <utility>

#include "engine/duckdb/database/errors.h"
#include "engine/postgres/exact_groups.h"
#include "engine/postgres/statement/dialect.h"
#include "engine/postgres/values.h"
#include "engine/row_key.h"
#include "engine/server/errors.h"
#include "engine/server/listed_numbers.h"
#include "plan/tree/walk.h"

namespace tacit::engine::postgres {
namespace {

using duckdb::ExactQueryFailed;
using duckdb::PlanNotTaken;
using server::NamesOf;
using server::TableChanged;
using server::Unreachable;

// Whether the server does not take the words, and not just now, or not from this role.
bool IsOfTheStatement(const Failure& failure) {
  if (failure.lost || failure.text == "SQLSTATE 42501") return false;
  return failure.text.starts_with("SQLSTATE 42") || failure.text.starts_with("SQLSTATE 0A");
}

std::vector<Connection::Parameter> ParametersOf(const plan::Release& release, bool uses_key,
                                                const std::vector<Value>& values) {
  std::vector<Connection::Parameter> parameters;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool is_key = i < release.parameters.size() &&
                        std::holds_alternative<plan::DeploymentKey>(release.parameters[i]);
    if (is_key && !uses_key) continue;
    parameters.push_back({is_key
                              ? "\\x" + server::MarkedHex(RowKey(std::get<std::string>(values[i])))
                              : ParameterText(values[i])});
  }
  return parameters;
}

}  // namespace

PostgresEngine::PostgresEngine(policy::PostgresSettings settings,
                               std::shared_ptr<const Catalog> catalog, TimeLimits limits)
    : settings_(std::move(settings)), catalog_(std::move(catalog)), limits_(limits) {}

PostgresEngine::~PostgresEngine() = default;

void PostgresEngine::WorkFor(const std::string&) { EndQuestion(); }

// The snapshot goes, and with it what the server keeps for it. A server that does not say so is
// left.
void PostgresEngine::EndQuestion() {
  prepared_.clear();
  has_run_ = false;
  if (!std::exchange(in_question_, false) || !connection_) return;
  if (connection_->Execute("ROLLBACK; DEALLOCATE ALL")) connection_.reset();
}

Result<Done> PostgresEngine::BeginOnce() {
  if (connection_ && !connection_->IsAlive()) connection_.reset();
  if (!connection_) {
    Result<Connection> opened = Connection::Open(settings_, limits_);
    if (!opened.ok()) return opened.error();
    connection_.emplace(std::move(opened).value());
  }
  if (const auto failure =
          connection_->Execute("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")) {
    connection_.reset();
    return Unreachable(failure->text);
  }
  in_question_ = true;
  const Result<Done> checked = CheckCatalog();
  if (!checked.ok() && !connection_->IsAlive()) connection_.reset();
  return checked;
}

// A session that was open may have gone since it was last used: then a new one is tried, once.
Result<Done> PostgresEngine::Begin() {
  EndQuestion();
  const bool was_open = connection_.has_value();
  const Result<Done> begun = BeginOnce();
  if (begun.ok() || connection_ || !was_open) return begun;
  in_question_ = false;
  return BeginOnce();
}

// The first statement of the transaction: from here on it is one snapshot.
Result<Done> PostgresEngine::CheckCatalog() {
  TACIT_TRY(Catalog now, ReadCatalog(*connection_, settings_.schema,
                                     catalog_ ? NamesOf(*catalog_) : std::vector<std::string>()));
  if (!catalog_) {
    catalog_ = std::make_shared<const Catalog>(std::move(now));
    return Done{};
  }
  TACIT_CHECK(server::CheckSame(*catalog_, now));
  copies_.clear();
  if (catalog_->copies) {
    TACIT_TRY(copies_, FindCopies(*connection_, *catalog_->copies));
  }
  return Done{};
}

Result<std::shared_ptr<const Catalog>> PostgresEngine::CatalogOf() {
  TACIT_CHECK(Begin());
  EndQuestion();
  return catalog_;
}

Result<Done> PostgresEngine::Check() {
  TACIT_CHECK(Begin());
  EndQuestion();
  return Done{};
}

Result<policy::Schema> PostgresEngine::ReadSchema() {
  TACIT_TRY(const std::shared_ptr<const Catalog> catalog, CatalogOf());
  return catalog->Seen();
}

Result<const PostgresEngine::Statement*> PostgresEngine::PrepareRelease(
    const plan::Release& release) {
  TACIT_TRY(const plan::Release stored, OverCopies(release, *catalog_, copies_));
  TACIT_TRY(const std::string sql, StatementOf(stored, *catalog_, copies_));
  std::string name = "tacit_" + std::to_string(prepared_.size() + 1);
  std::optional<Reply> columns;
  if (const auto failure = connection_->Prepare(name, sql, &columns)) {
    return IsOfTheStatement(*failure) ? PlanNotTaken(failure->text) : Unreachable(failure->text);
  }
  const std::string wrong = columns ? WrongShape(*columns, release) : "it has no columns";
  if (!wrong.empty()) return PlanNotTaken(wrong);
  return &prepared_.emplace_back(Statement{.asked = release.exact,
                                           .name = std::move(name),
                                           .uses_key = tree::UsesDeploymentKey(*stored.exact)});
}

Result<std::vector<std::vector<ResultColumn>>> PostgresEngine::Prepare(
    const plan::PrivatePlan& plan) {
  TACIT_CHECK(Begin());
  std::vector<std::vector<ResultColumn>> columns;
  for (const plan::Release& release : plan.releases) {
    const auto prepared = PrepareRelease(release);
    if (!prepared.ok()) {
      EndQuestion();
      return prepared.error();
    }
    std::vector<ResultColumn>& released = columns.emplace_back();
    for (const plan::KeyColumn& key : release.keys) released.push_back({key.name, key.type});
    for (const plan::Measure& measure : release.measures) {
      released.push_back({measure.name, NumericType(38, 0)});
    }
  }
  return columns;
}

// What was prepared in this snapshot. A session that has gone since, before anything of this
// question was run, may be followed by another: nothing of a row was seen yet.
Result<const PostgresEngine::Statement*> PostgresEngine::StatementFor(
    const plan::Release& release) {
  const bool is_there = in_question_ && connection_ && connection_->IsAlive();
  if (!is_there && has_run_) return Unreachable("the session went between two releases");
  if (!is_there) TACIT_CHECK(Begin());
  for (const Statement& statement : prepared_) {
    if (statement.asked.get() == release.exact.get()) return &statement;
  }
  return PrepareRelease(release);
}

// From here on the charge stands, and every failure says the same.
Result<ExactRelease> PostgresEngine::Run(const plan::Release& release,
                                         const std::vector<Value>& parameters) {
  const Result<const Statement*> statement = StatementFor(release);
  if (!statement.ok()) return ExactQueryFailed(statement.error().private_detail);
  has_run_ = true;
  std::optional<Reply> reply;
  const auto failure = connection_->Run(
      (*statement)->name, ParametersOf(release, (*statement)->uses_key, parameters), &reply);
  if (failure) return ExactQueryFailed(failure->text);
  if (!reply) return ExactQueryFailed("the server gave no rows");
  ExactGroups groups(release.keys.size(), server::FormsOf(release));
  const std::string unread = ReadGroups(*reply, release, groups);
  if (!unread.empty()) return ExactQueryFailed(unread);
  const std::string wrong = Arrange(release, groups);
  if (!wrong.empty()) return ExactQueryFailed(wrong);
  return ExactRelease(std::move(groups));
}

Result<std::vector<Told>> PostgresEngine::Explain(const plan::PrivatePlan& plan) {
  if (!catalog_ || catalog_->copies) TACIT_CHECK(CatalogOf());
  std::vector<Told> told;
  for (const plan::Release& release : plan.releases) {
    TACIT_TRY(const plan::Release stored, OverCopies(release, *catalog_, copies_));
    TACIT_TRY(std::string statement, StatementOf(stored, *catalog_, copies_));
    told.push_back(
        {.statement = std::move(statement), .storage = StorageSentences(release, copies_)});
  }
  for (const plan::PublicTable& table : plan.public_tables) {
    TACIT_TRY(std::string statement, StatementOf(table, *catalog_));
    told.push_back({.statement = std::move(statement), .storage = {}});
  }
  return told;
}

Result<ResultTable> PostgresEngine::Read(const plan::PublicTable& table) {
  const bool inside = in_question_ && connection_ && connection_->IsAlive();
  if (!inside) TACIT_CHECK(Begin());
  TACIT_TRY(const std::string sql, StatementOf(table, *catalog_));
  std::optional<Reply> reply;
  if (const auto failure = connection_->Query(sql, {}, &reply)) return Unreachable(failure->text);
  if (!reply) return Unreachable("the server gave no rows");
  return ReadPublic(*reply, table, *catalog_);
}

Result<std::shared_ptr<const Catalog>> FindTables(const policy::PostgresSettings& settings,
                                                  const std::vector<std::string>& tables) {
  TACIT_TRY(Connection connection, Connection::Open(settings, {}));
  TACIT_TRY(Catalog catalog, ReadCatalog(connection, settings.schema, tables));
  TACIT_CHECK(server::CheckUsable(catalog, tables));
  return std::make_shared<const Catalog>(std::move(catalog));
}

}  // namespace tacit::engine::postgres
