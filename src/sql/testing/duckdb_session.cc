#include "sql/testing/duckdb_session.h"

namespace tacit::sql::testing {

DuckDbSession::DuckDbSession() {
  TACIT_ASSERT(duckdb_open(nullptr, &database_) == DuckDBSuccess);
  TACIT_ASSERT(duckdb_connect(database_, &connection_) == DuckDBSuccess);
}

DuckDbSession::~DuckDbSession() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

Result<std::vector<Row>> DuckDbSession::Query(const std::string& text) {
  duckdb_result result;
  const duckdb_state state = duckdb_query(connection_, text.c_str(), &result);
  if (state != DuckDBSuccess) {
    const char* message = duckdb_result_error(&result);
    Error error{.code = ErrorCode::kInternal,
                .public_message = message != nullptr ? message : "unknown",
                .hint = "",
                .position = std::nullopt,
                .private_detail = ""};
    duckdb_destroy_result(&result);
    return error;
  }
  std::vector<Row> rows;
  for (idx_t r = 0; r < duckdb_row_count(&result); ++r) {
    Row& row = rows.emplace_back();
    for (idx_t c = 0; c < duckdb_column_count(&result); ++c) {
      char* value = duckdb_value_varchar(&result, c, r);
      row.push_back(value != nullptr ? std::optional<std::string>(value) : std::nullopt);
      duckdb_free(value);
    }
  }
  duckdb_destroy_result(&result);
  return rows;
}

}  // namespace tacit::sql::testing
