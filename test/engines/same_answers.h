#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "world.h"

// Every case of test/sql on another engine and on DuckDB: the same policy, key and random tape, and
// the same rows. What leaves must be the same byte for byte; or the engine refuses by name, before
// anything is charged.
namespace tacit::golden {

// The engine of a database whose tables are those of the world.
using OpenOther = std::function<std::unique_ptr<engine::Engine>(const neighbours::World& world,
                                                                const std::string& name)>;

// A question about what cannot be stored there, in words; empty: there is nothing of the kind.
using CannotHold =
    std::function<std::string(const std::string& database, const std::string& query)>;

struct Compared {
  size_t answered = 0;
  size_t both_refused = 0;
  size_t differ = 0;                      // with another tape: the comparison can fail
  std::map<std::string, size_t> by_name;  // what the engine alone refuses
  std::string List() const;               // "3 + of text, interval", a line each
};

// Of every `stride`th case, and of the one database that TACIT_SQL_ONLY names.
Compared CompareAnswers(const OpenOther& open, size_t stride, const CannotHold& cannot = {});

// What decides about refusals and prices is the same: types, keys, and what is never NULL.
// Where an engine has no such type as a column's, the column is opaque there.
void ExpectSameSchema(const policy::Schema& one, const policy::Schema& other, bool has_intervals);

// Prints it, and compares it with a file that says how often what is refused by name; of a sample
// only that nothing else is, and nothing more often.
void ExpectKnownRefusals(const Compared& compared, const std::string& path, size_t stride,
                         const std::string& engine);

}  // namespace tacit::golden
