#pragma once

#include <functional>
#include <string>

#include "engine/duckdb/database.h"

namespace tacit::owner {

// Called a few times a second while a table is stored: its name, and percent (below 0: unknown).
// Returning false ends the work.
using Progress = std::function<bool(const std::string& table, double percent)>;

// Runs a statement while another thread reports how far it is, and stops it when told to. The
// callback sees what the statement returns, as in Connection::Run.
std::optional<engine::duckdb::Failure> RunWithProgress(
    engine::duckdb::Connection& connection, const engine::duckdb::Connection::Statement& statement,
    const std::string& table, const Progress& progress,
    const engine::duckdb::Connection::ChunkReader& reader = nullptr);

// The progress of one part of the work: its 0 and 100 are these percentages of the whole.
Progress Between(const Progress& whole, double from, double to);

}  // namespace tacit::owner
