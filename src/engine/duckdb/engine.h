#pragma once

#include <optional>

#include "engine/duckdb/database.h"
#include "engine/engine.h"

namespace tacit::engine::duckdb {

// The embedded engine: one file, opened read-only when it is first needed. For one thread; several
// may share a database that is open already.
class DuckdbEngine final : public Engine {
 public:
  DuckdbEngine(std::string path, const Limits& limits) : path_(std::move(path)), limits_(limits) {}
  explicit DuckdbEngine(Database open) : open_(std::move(open)) {}

  Result<policy::Schema> ReadSchema() override;
  Result<std::vector<std::vector<ResultColumn>>> Prepare(const plan::PrivatePlan& plan) override;
  Result<ExactRelease> Run(const plan::Release& release,
                           const std::vector<Value>& parameters) override;
  Result<ResultTable> Read(const plan::PublicTable& table) override;

 private:
  Result<Done> Open();

  std::string path_;
  Limits limits_;
  std::optional<Database> open_;
  std::optional<Connection> connection_;
};

// Why five minutes: far above what an aggregate over a large table takes; a statement that runs
// longer ends as a charged outcome with a fixed text.
inline constexpr Limits kExactLimits{.deadline = std::chrono::minutes(5)};

}  // namespace tacit::engine::duckdb
