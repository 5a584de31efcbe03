#pragma once

#include <optional>
#include <vector>

#include "engine/duckdb/database/database.h"
#include "engine/duckdb/statement/statements.h"
#include "engine/exact_tables.h"

namespace tacit::engine::duckdb {

// The groups of a release with a group cap, in one pass over a prepared table: ranges of units are
// read by as many sessions as there are cores, each in stored order. plan/price/group_cap.md has
// the claim. `done` stays false when the rows did not come in that order, or when there are more
// groups than are worth a table each: the release's statement gives the same groups. With
// `has_units` the first measure goes into ExactGroup::units.
std::optional<Failure> ReadCapped(Connection& connection, const StreamedCap& stream, bool has_units,
                                  ExactGroups* groups, bool* done);

}  // namespace tacit::engine::duckdb
