#pragma once

#include <optional>
#include <string>

#include "engine/trino/engine.h"
#include "world.h"

namespace tacit::golden {

// The cluster that with_trino.py started; nothing where none was.
std::optional<policy::TrinoSettings> TestCluster(const std::string& schema);

// One statement, as anybody. A failure ends the test.
void RunInTrino(const std::string& sql);

// A schema of that name with the world's tables: the same columns and rows, and their keys in the
// settings that are given back. Columns of types that Trino has not hold their texts.
policy::TrinoSettings LoadIntoTrino(const neighbours::World& world, const std::string& schema);

}  // namespace tacit::golden
