#include "engine/duckdb/post_processing.h"

#include "engine/duckdb/errors.h"
#include "engine/duckdb/read_values.h"

namespace tacit::engine::duckdb {
namespace {

struct AppenderCloser {
  void operator()(_duckdb_appender* appender) const { duckdb_appender_destroy(&appender); }
};

struct CellAppender {
  duckdb_appender to;
  duckdb_state operator()(std::monostate) const { return duckdb_append_null(to); }
  duckdb_state operator()(bool v) const { return duckdb_append_bool(to, v); }
  duckdb_state operator()(int64_t v) const { return duckdb_append_int64(to, v); }
  duckdb_state operator()(double v) const { return duckdb_append_double(to, v); }
  duckdb_state operator()(const Numeric& v) const {
    if (v.scale == 0) return duckdb_append_hugeint(to, ToHugeint(v.unscaled));
    return duckdb_append_varchar(to, ToText(Value(v)).c_str());  // DuckDB casts to the column
  }
  duckdb_state operator()(const std::string& v) const {
    return duckdb_append_varchar_length(to, v.data(), v.size());
  }
  duckdb_state operator()(const Date& v) const {
    return duckdb_append_date(to, duckdb_date{v.days});
  }
  duckdb_state operator()(const Time& v) const {
    return duckdb_append_time(to, duckdb_time{v.micros});
  }
  duckdb_state operator()(const Timestamp& v) const {
    return duckdb_append_timestamp(to, duckdb_timestamp{v.micros});
  }
  duckdb_state operator()(const Interval& v) const {
    return duckdb_append_interval(to, duckdb_interval{v.months, v.days, v.micros});
  }
};

}  // namespace

Result<PostProcessing> PostProcessing::Open(const Limits& limits) {
  TACIT_TRY(const Database database, Database::OpenInMemory(limits));
  TACIT_TRY(Connection connection, database.Connect());
  return PostProcessing(std::move(connection));
}

Result<Done> PostProcessing::Execute(const std::string& sql) {
  if (const std::optional<Failure> failure = connection_.Execute(sql)) {
    return PostProcessingFailed(failure->type, failure->text);
  }
  return Done{};
}

Result<Done> PostProcessing::Arrange(const std::vector<TableShape>& tables) {
  TACIT_CHECK(Clear());
  if (tables == tables_) return Done{};
  checked_.clear();
  for (; !tables_.empty(); tables_.pop_back()) {
    TACIT_CHECK(Execute("DROP TABLE " + QuoteName(tables_.back().name)));
  }
  for (const TableShape& table : tables) {
    std::string create = "CREATE TABLE " + QuoteName(table.name) + " (";
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) create += ", ";
      create += QuoteName(table.columns[i].name) + " " + DuckdbName(table.columns[i].type);
    }
    TACIT_CHECK(Execute(create + ")"));
    tables_.push_back(table);
  }
  return Done{};
}

Result<Done> PostProcessing::Clear() {
  if (!in_transaction_) return Done{};
  TACIT_CHECK(Execute("ROLLBACK"));
  in_transaction_ = false;
  return Done{};
}

Result<Done> PostProcessing::Fill(const std::string& name,
                                  const std::vector<std::vector<Value>>& rows) {
  if (!in_transaction_) TACIT_CHECK(Execute("BEGIN TRANSACTION"));
  in_transaction_ = true;
  duckdb_appender raw = nullptr;
  const duckdb_state created =
      duckdb_appender_create(connection_.handle(), nullptr, name.c_str(), &raw);
  const std::unique_ptr<_duckdb_appender, AppenderCloser> appender(raw);
  if (created != DuckDBSuccess) return PostProcessingFailed(DUCKDB_ERROR_INVALID, "no appender");
  bool good = true;
  for (const std::vector<Value>& row : rows) {
    for (const Value& cell : row) {
      good = good && std::visit(CellAppender{raw}, cell) == DuckDBSuccess;
    }
    good = good && duckdb_appender_end_row(raw) == DuckDBSuccess;
    if (!good) break;
  }
  if (good && duckdb_appender_close(raw) == DuckDBSuccess) return Done{};
  const char* text = duckdb_appender_error(raw);
  return PostProcessingFailed(DUCKDB_ERROR_INVALID, text != nullptr ? text : "the appender failed");
}

Result<Done> PostProcessing::Check(const std::string& sql) {
  if (std::find(checked_.begin(), checked_.end(), sql) != checked_.end()) return Done{};
  std::vector<ResultColumn> columns;
  const Connection::Statement statement{.sql = sql, .select_only = true};
  if (const std::optional<Failure> failure = connection_.Describe(statement, &columns)) {
    return PostProcessingFailed(failure->type, failure->text);
  }
  // Why 16: one question's statements, not a history.
  if (checked_.size() < 16) checked_.push_back(sql);
  return Done{};
}

Result<ResultTable> PostProcessing::Run(const std::string& sql) {
  ResultTable result;
  const Connection::Statement statement{.sql = sql, .select_only = true};
  if (const std::optional<Failure> failure =
          connection_.Query(statement, kResultRowsMax, &result)) {
    return PostProcessingFailed(failure->type, failure->text);
  }
  return result;
}

}  // namespace tacit::engine::duckdb
