#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/exact_tables.h"
#include "plan/private_plan.h"
#include "policy/schema.h"

namespace tacit::engine {

// How an engine carries out a release, or reads a public table: for the owner's eyes, because it
// names hidden columns.
struct Told {
  std::string statement;
  std::vector<std::string> storage;  // how the rows are stored that it reads, one sentence each
};

// The database that holds people's rows, and the only source of exact values.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Whom it works for until the next call. What was planned for one asker is not found by another:
  // the time that it saves would tell what they asked. The owner has the empty name.
  virtual void WorkFor(const std::string& asker) { (void)asker; }

  // The question that was prepared last is over, answered or not: what is held for it can go, as
  // the one snapshot that all of its statements read.
  virtual void EndQuestion() {}

  // Names and types of the stored tables. Reads no row.
  virtual Result<policy::Schema> ReadSchema() = 0;

  // The columns that each release will have as a table: its keys, then its measures. Makes sure,
  // while nothing is charged yet, that the engine is there and takes every statement of the plan.
  // Reads no row, and nothing that was computed from rows: neither what it says nor the time that
  // it takes depends on them.
  virtual Result<std::vector<std::vector<ResultColumn>>> Prepare(const plan::PrivatePlan& plan) = 0;

  // Carries out a release that has been charged. `parameters` are the values of its own. Every
  // failure has the same public text: which one a row provoked would be an answer.
  virtual Result<ExactRelease> Run(const plan::Release& release,
                                   const std::vector<Value>& parameters) = 0;

  // What it would be told, for each release and then for each public table. Reads no row.
  virtual Result<std::vector<Told>> Explain(const plan::PrivatePlan& plan) = 0;

  // A public table, as it is.
  virtual Result<ResultTable> Read(const plan::PublicTable& table) = 0;
};

}  // namespace tacit::engine
