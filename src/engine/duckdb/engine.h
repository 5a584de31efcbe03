#pragma once

#include <map>
#include <optional>
#include <set>

#include "engine/duckdb/database/asker_connection.h"
#include "engine/duckdb/files/open_data.h"
#include "engine/duckdb/statement/statements.h"
#include "engine/engine.h"
#include "policy/policy.h"

namespace tacit::engine::duckdb {

// The embedded engine: one file, or files that are read in place, opened read-only when it is first
// needed (files/open_data.h). For one thread; several engines may share a database that is open
// already.
class DuckdbEngine final : public Engine {
 public:
  DuckdbEngine(std::string path, const Limits& limits, std::string identity = "")
      : DuckdbEngine(DataSource{.path = std::move(path), .identity = std::move(identity)}, limits) {
  }
  DuckdbEngine(DataSource source, const Limits& limits)
      : source_(std::move(source)), limits_(limits) {}
  explicit DuckdbEngine(Database open) : open_(std::move(open)) {}

  void WorkFor(const std::string& asker) override { asker_ = asker; }
  Result<policy::Schema> ReadSchema() override;
  Result<std::vector<std::vector<ResultColumn>>> Prepare(const plan::PrivatePlan& plan) override;
  Result<ExactRelease> Run(const plan::Release& release,
                           const std::vector<Value>& parameters) override;
  Result<std::vector<Told>> Explain(const plan::PrivatePlan& plan) override;
  Result<ResultTable> Read(const plan::PublicTable& table) override;

  size_t SessionsKept() const { return connections_.size(); }

 private:
  Result<AskerConnection*> Open();
  // The release's statements, in the form that is fastest here.
  Result<const Statements*> StatementsFor(const plan::Release& release, AskerConnection& asker);
  bool HoldNoValueTwice(const std::vector<std::vector<StoredColumn>>& by, AskerConnection& asker);

  DataSource source_;
  Limits limits_;
  std::optional<Database> open_;
  std::string asker_;
  std::map<std::string, AskerConnection> connections_;      // by asker
  std::optional<std::set<StoredColumn>> distinct_columns_;  // read when first needed
  // Of the plan that was prepared last: what is prepared is then run.
  std::vector<std::pair<plan::tree::Exact, Statements>> prepared_;
};

// What a statement needs in memory whatever it spills, and what a thread does: partitions of hash
// tables, buffers of sorts.
inline constexpr int64_t kUnspillableMb = 64;

// Of statements over people's rows, as the policy says.
Limits ExactLimits(const policy::DuckdbSettings& engine);

}  // namespace tacit::engine::duckdb
