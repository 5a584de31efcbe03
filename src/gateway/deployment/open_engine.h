#pragma once

#include <memory>
#include <optional>

#include "engine/duckdb/database/database.h"
#include "engine/engine.h"
#include "gateway/deployment/stored_data.h"

namespace tacit::gateway {

// One that opens what it needs when it needs it.
std::unique_ptr<engine::Engine> MakeEngine(const policy::Policy& policy, const StoredData& stored);

// What the engines of several threads share: an open file, or the tables of a server. Copies stand
// for the same.
class OpenEngine {
 public:
  static Result<OpenEngine> Open(const policy::Policy& policy, const StoredData& stored);

  std::unique_ptr<engine::Engine> ForAThread() const;
  // Whether it could answer: the file is open, or the server there and its tables what they were.
  Result<Done> Check() const;

 private:
  std::optional<engine::duckdb::Database> database_;
  policy::EngineSettings settings_;
  std::shared_ptr<const engine::server::Catalog> catalog_;
};

}  // namespace tacit::gateway
