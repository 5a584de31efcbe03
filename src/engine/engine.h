#pragma once

#include "base/result.h"
#include "engine/exact_tables.h"
#include "plan/private_plan.h"
#include "policy/schema.h"

namespace tacit::engine {

// The database that holds people's rows, and the only source of exact values.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Names and types of the stored tables. Reads no row.
  virtual Result<policy::Schema> ReadSchema() = 0;

  // The columns that each release will have as a table: its keys, then its measures. Makes sure,
  // while nothing is charged yet, that the engine is there and takes every statement of the plan.
  // Reads no row.
  virtual Result<std::vector<std::vector<ResultColumn>>> Prepare(const plan::PrivatePlan& plan) = 0;

  // Carries out a release that has been charged. `parameters` are its $1, $2, ... Every failure has
  // the same public text: which one a row provoked would be an answer.
  virtual Result<ExactRelease> Run(const plan::Release& release,
                                   const std::vector<Value>& parameters) = 0;

  // A public table, as it is.
  virtual Result<ResultTable> Read(const plan::PublicTable& table) = 0;
};

}  // namespace tacit::engine
