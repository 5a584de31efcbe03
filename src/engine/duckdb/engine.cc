#include "engine/duckdb/engine.h"

#include <algorithm>
#include <thread>

#include "engine/duckdb/above/post_processing.h"
#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/exact/exact_query.h"
#include "engine/duckdb/prepare/distinct_columns.h"
#include "engine/duckdb/values/read_schema.h"
#include "engine/row_key.h"

namespace tacit::engine::duckdb {

Limits ExactLimits(const policy::DuckdbSettings& engine) {
  // Why five minutes: far above what an aggregate over a large table takes; a statement that runs
  // longer ends as a charged outcome with a fixed text.
  const int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  const int64_t fitting = std::max<int64_t>(1, engine.memory_mb / kUnspillableMb);
  return {.threads = engine.memory_mb > 0 ? static_cast<int>(std::min(cores, fitting)) : 0,
          .memory_bytes = engine.memory_mb << 20,
          .deadline = std::chrono::minutes(5),
          .spill = engine.spill,
          .spill_bytes = engine.spill_mb << 20};
}

// Why 64: each holds two connections and some hundred kilobytes of plans, and there may be
// thousands of analysts. What is forgotten is planned again.
constexpr size_t kConnectionsMax = 64;

Result<AskerConnection*> DuckdbEngine::Open() {
  if (const auto open = connections_.find(asker_); open != connections_.end()) return &open->second;
  if (!open_) {
    TACIT_TRY(open_, OpenData(source_, limits_));
  }
  TACIT_TRY(AskerConnection asker, AskerConnection::Open(*open_));
  if (connections_.size() == kConnectionsMax) connections_.clear();
  return &connections_.emplace(asker_, std::move(asker)).first->second;
}

// Why 64: a plan has seldom more releases; what is not kept is printed again.
constexpr size_t kPreparedMax = 64;

bool DuckdbEngine::HoldNoValueTwice(const std::vector<std::vector<StoredColumn>>& by,
                                    AskerConnection& asker) {
  if (!distinct_columns_) distinct_columns_ = ReadDistinctColumns(asker.connection());
  return std::all_of(by.begin(), by.end(), [this](const std::vector<StoredColumn>& columns) {
    return std::any_of(columns.begin(), columns.end(), [this](const StoredColumn& column) {
      return distinct_columns_->contains(column);
    });
  });
}

Result<const Statements*> DuckdbEngine::StatementsFor(const plan::Release& release,
                                                      AskerConnection& asker) {
  for (const auto& [exact, statements] : prepared_) {
    if (exact.get() == release.exact.get()) return &statements;
  }
  TACIT_TRY(Statements made, StatementsOf(release.exact));
  // Whoever runs what was not prepared shall not fill the memory with it.
  if (prepared_.size() >= kPreparedMax) prepared_.clear();
  if (made.distinct_joins && HoldNoValueTwice(made.distinct_joins->by, asker)) {
    made.sql = made.distinct_joins->sql;
  }
  return &prepared_.emplace_back(release.exact, std::move(made)).second;
}

Result<policy::Schema> DuckdbEngine::ReadSchema() {
  TACIT_TRY(AskerConnection* const asker, Open());
  return duckdb::ReadSchema(asker->connection());
}

Result<std::vector<std::vector<ResultColumn>>> DuckdbEngine::Prepare(
    const plan::PrivatePlan& plan) {
  TACIT_TRY(AskerConnection* const asker, Open());
  TACIT_CHECK(open_->CheckFiles());
  std::vector<std::vector<ResultColumn>> columns;
  prepared_.clear();
  for (const plan::Release& release : plan.releases) {
    TACIT_TRY(const Statements* statements, StatementsFor(release, *asker));
    TACIT_TRY(std::vector<ResultColumn> released, PrepareExact(*asker, release, statements->sql));
    columns.push_back(std::move(released));
  }
  return columns;
}

Result<ExactRelease> DuckdbEngine::Run(const plan::Release& release,
                                       const std::vector<Value>& parameters) {
  TACIT_TRY(AskerConnection* const asker, Open());
  TACIT_TRY(const Statements* statements, StatementsFor(release, *asker));
  std::vector<Value> bound = parameters;
  const bool has_key = !release.parameters.empty() &&
                       std::holds_alternative<plan::DeploymentKey>(release.parameters.back());
  // Which rows a prepared table holds was decided with the key, before.
  if (has_key && !statements->uses_deployment_key) {
    bound.pop_back();
  } else if (has_key) {
    bound.back() = RowKey(std::get<std::string>(bound.back()));
  }
  Result<ExactRelease> exact = RunExact(*asker, release, *statements, bound);
  // What was read while a file was replaced is of no moment at all.
  if (const Result<Done> same = open_->CheckFiles(); !same.ok()) {
    return ExactQueryFailed("a file changed: " + same.error().private_detail);
  }
  return exact;
}

Result<std::vector<Told>> DuckdbEngine::Explain(const plan::PrivatePlan& plan) {
  std::vector<Told> told;
  for (const plan::Release& release : plan.releases) {
    TACIT_TRY(Statements statements, StatementsOf(release.exact));
    told.push_back(
        {.statement = std::move(statements.sql), .storage = StorageSentences(release.exact)});
  }
  for (const plan::PublicTable& table : plan.public_tables) {
    TACIT_TRY(std::string statement, StatementOf(table));
    told.push_back({.statement = std::move(statement), .storage = {}});
  }
  return told;
}

Result<ResultTable> DuckdbEngine::Read(const plan::PublicTable& table) {
  TACIT_TRY(AskerConnection* const asker, Open());
  ResultTable result;
  TACIT_TRY(const std::string sql, StatementOf(table));
  const Connection::Statement statement{.sql = sql, .select_only = true};
  if (const auto failure = asker->connection().Query(statement, kResultRowsMax, &result)) {
    return EngineUnavailable(failure->text);
  }
  if (!open_->CheckFiles().ok()) return EngineUnavailable("a file changed while it was read");
  return result;
}

}  // namespace tacit::engine::duckdb
