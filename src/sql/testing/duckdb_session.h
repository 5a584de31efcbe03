#pragma once

#include <duckdb.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tacit::sql::testing {

using Row = std::vector<std::optional<std::string>>;

// A private in-memory DuckDB for tests of printed SQL: runs a text, gives back text.
class DuckDbSession {
 public:
  // kNone: who makes it registers the engine's.
  enum class Functions { kOfExpressions, kNone };
  explicit DuckDbSession(Functions functions = Functions::kOfExpressions);
  ~DuckDbSession();
  DuckDbSession(const DuckDbSession&) = delete;
  DuckDbSession& operator=(const DuckDbSession&) = delete;

  // Every value as DuckDB casts it to VARCHAR; an engine error as kInternal with its text.
  Result<std::vector<Row>> Query(const std::string& text);

  duckdb_connection connection() const { return connection_; }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

}  // namespace tacit::sql::testing
