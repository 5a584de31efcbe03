#pragma once

#include "engine/duckdb/database/api.h"

namespace tacit::engine::duckdb {

// tacit_people of own_functions.h, for all connections of the connection's database.
bool RegisterCountPeople(duckdb_connection connection);

// What a statement fails with when more people have to be kept than there is memory for. It must be
// asked in another way then: how many there are is nobody's business.
inline constexpr char kTooManyKept[] = "tacit_people: too many kept";
// Of all statements together, for a test.
void SetKeptPeopleMax(int64_t people);

}  // namespace tacit::engine::duckdb
