#include "engine/duckdb/engine.h"

#include <algorithm>
#include <thread>

#include "engine/duckdb/above/post_processing.h"
#include "engine/duckdb/catalog.h"
#include "engine/duckdb/distinct_columns.h"
#include "engine/duckdb/errors.h"
#include "engine/duckdb/exact_query.h"
#include "engine/duckdb/prepared_copy.h"

namespace tacit::engine::duckdb {

Limits ExactLimits(const policy::DuckdbEngine& engine) {
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

Result<Done> DuckdbEngine::Open() {
  if (connection_) return Done{};
  if (!open_) {
    TACIT_TRY(open_, Database::OpenReadOnly(path_, limits_));
    // The plan was made for that file: another policy may have prepared this one.
    if (!identity_.empty() && FileIdentity(path_) != identity_) {
      open_.reset();
      Error replaced = EngineUnavailable("the prepared copy was replaced");
      replaced.public_message = "the prepared copy of the data was replaced just now";
      replaced.hint = "nothing was charged: ask again";
      return replaced;
    }
  }
  TACIT_TRY(connection_, open_->Connect());
  return Done{};
}

const std::string& DuckdbEngine::StatementOf(const plan::Release& release) {
  if (!release.distinct_joins) return release.exact_sql;
  if (!distinct_columns_) distinct_columns_ = ReadDistinctColumns(*connection_);
  const auto& by = release.distinct_joins->by;
  const bool all = std::all_of(by.begin(), by.end(), [this](const auto& columns) {
    return std::any_of(columns.begin(), columns.end(), [this](const plan::StoredColumn& column) {
      return distinct_columns_->contains(column);
    });
  });
  return all ? release.distinct_joins->sql : release.exact_sql;
}

Result<policy::Schema> DuckdbEngine::ReadSchema() {
  TACIT_CHECK(Open());
  return duckdb::ReadSchema(*connection_);
}

Result<std::vector<std::vector<ResultColumn>>> DuckdbEngine::Prepare(
    const plan::PrivatePlan& plan) {
  TACIT_CHECK(Open());
  std::vector<std::vector<ResultColumn>> columns;
  for (const plan::Release& release : plan.releases) {
    TACIT_TRY(std::vector<ResultColumn> released,
              PrepareExact(*connection_, release, StatementOf(release)));
    columns.push_back(std::move(released));
  }
  return columns;
}

Result<ExactRelease> DuckdbEngine::Run(const plan::Release& release,
                                       const std::vector<Value>& parameters) {
  TACIT_CHECK(Open());
  return RunExact(*connection_, release, StatementOf(release), parameters);
}

Result<ResultTable> DuckdbEngine::Read(const plan::PublicTable& table) {
  TACIT_CHECK(Open());
  ResultTable result;
  const Connection::Statement statement{.sql = table.exact_sql, .select_only = true};
  if (const auto failure = connection_->Query(statement, kResultRowsMax, &result)) {
    return EngineUnavailable(failure->text);
  }
  return result;
}

}  // namespace tacit::engine::duckdb
