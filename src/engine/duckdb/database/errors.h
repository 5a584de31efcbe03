#pragma once

#include <duckdb.h>

#include <string>

#include "base/error.h"

// Engine texts quote values of rows; they never leave. Every failure becomes one of a few fixed
// public texts, with the engine's own in private_detail.

namespace tacit::engine::duckdb {

// Of a statement over people's rows. One text for every cause: which error a row provoked, or that
// it was time or memory, would be an answer.
Error ExactQueryFailed(const std::string& engine_text);

// Of a statement that the engine does not take, before anything was charged or read.
Error PlanNotTaken(const std::string& engine_text);

// Of the part above the frontier, which sees released values only: fixed texts by kind.
Error PostProcessingFailed(duckdb_error_type type, const std::string& engine_text);

// Of opening the database or reading its catalog.
Error EngineUnavailable(const std::string& engine_text);

}  // namespace tacit::engine::duckdb
