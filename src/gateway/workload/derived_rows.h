#pragma once

#include "engine/engine.h"
#include "gateway/workload/workload_plan.h"

namespace tacit::gateway::workload {

// What was measured, as cells in order: of each family, by its sets of attributes.
class MeasuredTables {
 public:
  // `bytes` are those of the plan's releases, as they were released.
  static Result<MeasuredTables> Read(const WorkloadPlan& plan,
                                     const std::vector<std::string>& bytes);

  // The estimate of a table of a family; kept once it was made.
  const plan::workload::Cells& EstimateOf(size_t family, plan::workload::AttributeSet set) const;

 private:
  explicit MeasuredTables(const WorkloadPlan& plan) : plan_(&plan) {}

  const WorkloadPlan* plan_;
  std::vector<std::map<plan::workload::AttributeSet, plan::workload::Cells>> noisy_;
  mutable std::map<std::pair<size_t, plan::workload::AttributeSet>, plan::workload::Cells>
      estimates_;
};

// The rows of a table that was asked for: its keys, which are public, and where its numbers stand.
class DerivedRows {
 public:
  // `columns` are the table's. Reads public rows alone; the plan outlives it.
  static Result<DerivedRows> Make(const WorkloadPlan& plan, const DerivedTable& table,
                                  std::vector<engine::ResultColumn> columns,
                                  engine::Engine& engine);

  // The table as an ordinary release of it would be stored, each number rounded to its grid.
  std::string BytesFrom(const MeasuredTables& measured) const;

 private:
  struct Cell {
    size_t family = 0;
    plan::workload::AttributeSet set = 0;
    std::vector<size_t> places;  // they are added up
  };
  struct Row {
    std::vector<engine::Value> keys;
    std::vector<Cell> cells;
  };

  std::vector<engine::ResultColumn> columns_;
  std::vector<Row> rows_;
};

}  // namespace tacit::gateway::workload
