#pragma once

#include "engine/duckdb/database/asker_connection.h"
#include "engine/duckdb/statement/statements.h"
#include "engine/exact_tables.h"
#include "plan/private_plan.h"

// Runs the pushed-down queries of a plan.

namespace tacit::engine::duckdb {

// The columns of the released table, as the engine types them. Reads no row; an error here is a
// fault of the program, found before anything was charged.
Result<std::vector<ResultColumn>> PrepareExact(AskerConnection& asker, const plan::Release& release,
                                               const std::string& sql);

// A NULL measure, a sum over nobody, is 0. Every failure, and every result that has not the shape
// that the plan promised, has the same public text: see errors.h.
Result<ExactRelease> RunExact(AskerConnection& asker, const plan::Release& release,
                              const Statements& statements, const std::vector<Value>& parameters);

}  // namespace tacit::engine::duckdb
