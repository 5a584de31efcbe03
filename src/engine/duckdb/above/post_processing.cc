#include "engine/duckdb/above/post_processing.h"

#include "engine/duckdb/above/result_room.h"
#include "engine/duckdb/database/errors.h"

namespace tacit::engine::duckdb {
namespace {

// Why 2048: one chunk. Of more rows a plan should know, and it holds what it computed from them.
constexpr size_t kRowsOfKeptPlanMax = 2048;

}  // namespace

Result<PostProcessing> PostProcessing::Open(const Limits& limits) {
  TACIT_TRY(const Database database, Database::OpenInMemory(limits));
  TACIT_TRY(Connection connection, database.Connect());
  TACIT_TRY(HeldTables held, HeldTables::AddTo(database.handle(), connection.handle()));
  connection.KeepPlans();
  return PostProcessing(std::move(connection), std::move(held));
}

Error PostProcessing::Failed(const Failure& failure) {
  good_ = false;
  return PostProcessingFailed(failure.type, failure.text);
}

void PostProcessing::Arrange(const std::vector<TableShape>& tables, const std::string& asker) {
  if (IsArranged(tables, asker)) return held_.Clear();
  connection_.ForgetPlans();
  asker_ = asker;
  held_.Arrange(tables);
}

Result<Done> PostProcessing::Check(const std::string& sql) {
  std::vector<ResultColumn> columns;
  const Connection::Statement statement{.sql = sql, .select_only = true};
  if (const auto failure = connection_.Describe(statement, &columns)) return Failed(*failure);
  return Done{};
}

Result<ResultTable> PostProcessing::Run(const std::string& sql) {
  const bool small = held_.rows() <= kRowsOfKeptPlanMax;
  if (!small) connection_.ForgetPlans();
  ResultTable result;
  const Connection::Statement statement{.sql = sql, .select_only = true, .keep_plan = small};
  good_ = false;  // also when it throws
  const auto room = std::make_shared<ResultRoom>();
  const auto fits = [&](size_t bytes) { return room->Grow(bytes); };
  if (const auto failure = connection_.Query(statement, kResultRowsMax, &result, fits)) {
    return Failed(*failure);
  }
  result.room = room;
  good_ = true;
  return result;
}

}  // namespace tacit::engine::duckdb
