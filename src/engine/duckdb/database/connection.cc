#include <algorithm>

#include "engine/duckdb/database/database.h"
#include "engine/duckdb/database/no_throw.h"
#include "engine/duckdb/database/watchdog.h"
#include "engine/duckdb/values/read_values.h"

namespace tacit::engine::duckdb {
namespace {

struct StatementsCloser {
  void operator()(_duckdb_extracted_statements* s) const {
    Quietly([&] { duckdb_destroy_extracted(&s); });
  }
};
struct ChunkCloser {
  void operator()(_duckdb_data_chunk* chunk) const {
    Quietly([&] { duckdb_destroy_data_chunk(&chunk); });
  }
};
using Prepared = Connection::Prepared;
using Chunk = std::unique_ptr<_duckdb_data_chunk, ChunkCloser>;

struct OwnedResult {
  duckdb_result result{};
  OwnedResult() = default;
  OwnedResult(const OwnedResult&) = delete;
  OwnedResult& operator=(const OwnedResult&) = delete;
  ~OwnedResult() {
    Quietly([&] { duckdb_destroy_result(&result); });
  }
};

std::string TextOr(const char* text, const char* fallback) {
  return text != nullptr ? text : fallback;
}

std::optional<Failure> Prepare(duckdb_connection connection, const Connection::Statement& statement,
                               Prepared* prepared) {
  duckdb_extracted_statements raw_statements = nullptr;
  const idx_t count = duckdb_extract_statements(connection, statement.sql.c_str(), &raw_statements);
  const std::unique_ptr<_duckdb_extracted_statements, StatementsCloser> statements(raw_statements);
  if (count != 1) {
    return Failure{DUCKDB_ERROR_PARSER,
                   count == 0 ? TextOr(duckdb_extract_statements_error(raw_statements), "empty")
                              : "more than one statement"};
  }
  duckdb_prepared_statement raw = nullptr;
  const duckdb_state state =
      duckdb_prepare_extracted_statement(connection, statements.get(), 0, &raw);
  prepared->reset(raw);
  if (state != DuckDBSuccess) {
    return Failure{DUCKDB_ERROR_BINDER, TextOr(duckdb_prepare_error(raw), "prepare failed")};
  }
  if (statement.select_only &&
      duckdb_prepared_statement_type(raw) != DUCKDB_STATEMENT_TYPE_SELECT) {
    return Failure{DUCKDB_ERROR_PERMISSION, "not a SELECT"};
  }
  return std::nullopt;
}

std::optional<Failure> Bind(const Prepared& prepared, const std::vector<Value>& parameters) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!BindValue(prepared.get(), i + 1, parameters[i])) {
      return Failure{DUCKDB_ERROR_BINDER, "parameter " + std::to_string(i + 1) + " does not bind"};
    }
  }
  return std::nullopt;
}

Failure FailureOf(duckdb_result* result) {
  return Failure{duckdb_result_error_type(result),
                 TextOr(duckdb_result_error(result), "the statement failed without a text")};
}

// Runs it and shows every chunk to the reader.
std::optional<Failure> Stream(const Prepared& prepared, std::vector<ResultColumn>* columns,
                              const Connection::ChunkReader& reader) {
  OwnedResult owned;
  if (duckdb_execute_prepared_streaming(prepared.get(), &owned.result) != DuckDBSuccess) {
    return FailureOf(&owned.result);
  }
  if (columns != nullptr) *columns = ColumnsOf(&owned.result);
  while (true) {
    const Chunk chunk(duckdb_fetch_chunk(owned.result));
    if (chunk == nullptr) break;
    if (duckdb_data_chunk_get_size(chunk.get()) == 0) break;
    if (reader && !reader(chunk.get())) {
      return Failure{DUCKDB_ERROR_OUT_OF_MEMORY, "the reader stopped: too many rows or bytes"};
    }
  }
  // A stream that ends early and one that failed look alike until the result is asked.
  if (duckdb_result_error_type(&owned.result) != DUCKDB_ERROR_INVALID) {
    return FailureOf(&owned.result);
  }
  return std::nullopt;
}

}  // namespace

void Connection::PreparedCloser::operator()(_duckdb_prepared_statement* s) const {
  Quietly([&] { duckdb_destroy_prepare(&s); });
}

std::optional<Failure> Connection::TakePlan(const Statement& statement, Prepared* prepared) {
  const auto kept = std::find_if(plans_.begin(), plans_.end(), [&](const Plan& plan) {
    return plan.select_only == statement.select_only && plan.sql == statement.sql;
  });
  if (kept == plans_.end()) return Prepare(connection_.get(), statement, prepared);
  *prepared = std::move(kept->prepared);
  plans_.erase(kept);
  return std::nullopt;
}

void Connection::KeepPlan(const Statement& statement, Prepared prepared) {
  // Why 16: what one question describes before it runs; the oldest is forgotten.
  constexpr size_t kPlansMax = 16;
  if (!keeps_plans_) return;
  if (plans_.size() == kPlansMax) plans_.erase(plans_.begin());
  plans_.push_back({.sql = statement.sql,
                    .select_only = statement.select_only,
                    .prepared = std::move(prepared)});
}

std::optional<Failure> Connection::Describe(const Statement& statement,
                                            std::vector<ResultColumn>* columns) {
  const Watchdog watchdog(connection_.get(), deadline_);
  Prepared prepared;
  if (std::optional<Failure> failure = TakePlan(statement, &prepared)) return failure;
  for (idx_t i = 0; i < duckdb_prepared_statement_column_count(prepared.get()); ++i) {
    columns->push_back(ColumnOf(prepared.get(), i));
  }
  KeepPlan(statement, std::move(prepared));
  return std::nullopt;
}

std::optional<Failure> Connection::Run(const Statement& statement,
                                       std::vector<ResultColumn>* columns,
                                       const ChunkReader& reader) {
  const Watchdog watchdog(connection_.get(), deadline_);
  Prepared prepared;
  if (std::optional<Failure> failure = TakePlan(statement, &prepared)) return failure;
  if (std::optional<Failure> failure = Bind(prepared, statement.parameters)) return failure;
  std::optional<Failure> failure = Stream(prepared, columns, reader);
  if (!failure && statement.keep_plan) KeepPlan(statement, std::move(prepared));
  return failure;
}

std::optional<Failure> Connection::Query(const Statement& statement, int64_t rows_max,
                                         ResultTable* table, const Fits& fits) {
  // Why 256 MiB: what one answer may hold in texts, whatever the number of rows.
  constexpr size_t kTextBytesMax = size_t{256} << 20;
  size_t text_bytes = 0;
  return Run(statement, &table->columns, [&](duckdb_data_chunk chunk) {
    const idx_t size = duckdb_data_chunk_get_size(chunk);
    if (table->rows.size() + size > static_cast<size_t>(rows_max)) return false;
    // As values, which is what some protocols make of them: an empty cell takes as much as a
    // number.
    const size_t row_bytes = sizeof(std::vector<Value>) + table->columns.size() * sizeof(Value);
    if (fits && !fits(size * row_bytes)) return false;
    const size_t texts_before = text_bytes;
    std::vector<ColumnReader> columns;
    for (idx_t c = 0; c < table->columns.size(); ++c) {
      columns.emplace_back(duckdb_data_chunk_get_vector(chunk, c));
    }
    std::vector<Value> row(columns.size());
    for (idx_t r = 0; r < size; ++r) {
      for (size_t c = 0; c < columns.size(); ++c) {
        row[c] = columns[c].Read(r);
        if (const auto* text = std::get_if<std::string>(&row[c])) text_bytes += text->size();
      }
      table->rows.push_back(row);
    }
    if (fits && !fits(text_bytes - texts_before)) return false;
    return text_bytes <= kTextBytesMax;
  });
}

std::optional<Failure> Connection::Execute(const std::string& sql) {
  return Run({.sql = sql}, nullptr, nullptr);
}

void Connection::Interrupt() { duckdb_interrupt(connection_.get()); }

double Connection::Progress() { return duckdb_query_progress(connection_.get()).percentage; }

}  // namespace tacit::engine::duckdb
