#pragma once

#include <string>

#include "engine/postgres/engine.h"
#include "world.h"

namespace tacit::golden {

// The server that with_postgres.py started; nothing where none was.
std::optional<policy::PostgresSettings> TestServer(const std::string& schema);

// The statements, as the server's owner. A failure ends the program.
void RunAsOwner(const std::string& sql);

// A schema of that name with the world's tables: the same columns, keys and rows. Columns of types
// that have no rules hold their texts.
void LoadTables(const neighbours::World& world, const std::string& schema);

}  // namespace tacit::golden
