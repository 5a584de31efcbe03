#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "world.h"

namespace tacit::adversary {

// One step between neighbours: what one database has and the other has not.
struct Step {
  std::string who;
  std::string added;    // statements of the first database
  std::string removed;  // statements of the second one
  // The rows stand before everybody else's, where an engine's first row of a group is seen first.
  bool first = false;
  int people = 1;         // how many it moves
  bool exchange = false;  // a step of replace_one alone
  // The table that most queries start from: others are not moved by the step.
  std::string table = {};
  // The data breaks what a table needs to be read at all: it can be neither prepared nor indexed,
  // and questions to the table have to be refused.
  bool broken = false;
  // Another table that such queries bring it together with; empty: none.
  std::string partner = {};
};
const std::vector<Step>& Steps();

// A pair of neighbours under one policy.
struct Scene {
  size_t number = 0;
  const Step* step = nullptr;
  std::string terms;  // of the policy, for people
  std::string policy;
  bool prepared = false;

  std::string ScriptOfOne() const;
  std::string ScriptOfOther() const;
};
// Every step, under terms that it is a step of; the first ones cover every step.
const std::vector<Scene>& Scenes();

// Who computes the exact values.
enum class Rows { kInDuckdb, kInPostgres };

// The opened deployments of a scene.
struct Stage {
  Stage(const Scene& scene, Rows rows);
  engine::Engine& EngineOfOne() const { return there_one ? *there_one : one->engine(); }
  engine::Engine& EngineOfOther() const { return there_other ? *there_other : other->engine(); }
  std::unique_ptr<neighbours::World> one;
  std::unique_ptr<neighbours::World> other;
  // Of the same tables on a server; null where the worlds' own are asked.
  std::unique_ptr<engine::Engine> there_one;
  std::unique_ptr<engine::Engine> there_other;
  // Where `one` is prepared, or on a server, the same data as imported: its answers must be the
  // same.
  std::unique_ptr<neighbours::World> unprepared;
};

// Two worlds that differ in their hidden columns alone, and in which nobody is above a cap.
struct HiddenWorlds {
  std::unique_ptr<neighbours::World> one;
  std::unique_ptr<neighbours::World> other;
  std::unique_ptr<engine::Engine> there_one;
  std::unique_ptr<engine::Engine> there_other;
};
HiddenWorlds MakeHiddenWorlds(Rows rows);

// on_postgres.cc: the world's tables on the server that test/engines/with_postgres.py started, in a
// schema of their own; with `prepared`, read from the copies that owner::PrepareOnServer makes.
std::unique_ptr<engine::Engine> OnPostgres(const neighbours::World& world, bool prepared);

}  // namespace tacit::adversary
