#include "engine/duckdb/database/errors.h"

namespace tacit::engine::duckdb {
namespace {

Error Fixed(ErrorCode code, std::string message, std::string hint, const std::string& engine_text) {
  return Error{.code = code,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = engine_text};
}

}  // namespace

Error ExactQueryFailed(const std::string& engine_text) {
  return Fixed(ErrorCode::kUnavailable, "the engine did not finish the query; its charge stands",
               "ask the owner: the log of `tacit serve` says what kind of failure it was",
               engine_text);
}

Error PlanNotTaken(const std::string& engine_text) {
  return Fixed(ErrorCode::kInternal, "the engine does not take this query; nothing was charged",
               "this is a fault of the program: please report the query and the version",
               engine_text);
}

Error PostProcessingFailed(duckdb_error_type type, const std::string& engine_text) {
  switch (type) {
    case DUCKDB_ERROR_INTERRUPT:
      return Fixed(
          ErrorCode::kUnavailable,
          "the part of the query above its aggregates ran longer than its time limit",
          "ask for fewer rows or simpler arithmetic there; the answer is stored and asking "
          "again costs nothing",
          engine_text);
    case DUCKDB_ERROR_OUT_OF_MEMORY:
      return Fixed(ErrorCode::kUnavailable,
                   "the part of the query above its aggregates needs more memory than it may have",
                   "ask for fewer rows there; the answer is stored and asking again costs nothing",
                   engine_text);
    case DUCKDB_ERROR_DIVIDE_BY_ZERO:
      return Fixed(ErrorCode::kInvalidQuery, "division by zero above the aggregates",
                   "guard it: x / nullif(y, 0)", engine_text);
    case DUCKDB_ERROR_OUT_OF_RANGE:
      return Fixed(ErrorCode::kInvalidQuery, "a number above the aggregates is out of range",
                   "cast to double precision or numeric first", engine_text);
    case DUCKDB_ERROR_CONVERSION:
      return Fixed(ErrorCode::kInvalidQuery, "a cast above the aggregates has no result",
                   "cast only what has the form of the type", engine_text);
    default:
      return Fixed(ErrorCode::kInvalidQuery, "the part of the query above its aggregates failed",
                   "try it without the outer expressions to find which one", engine_text);
  }
}

Error EngineUnavailable(const std::string& engine_text) {
  return Fixed(ErrorCode::kUnavailable, "the database cannot be opened or read",
               "check that the file of `engine: path` exists, is readable, and was made by this "
               "version of the engine",
               engine_text);
}

}  // namespace tacit::engine::duckdb
