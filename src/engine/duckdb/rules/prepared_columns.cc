#include <map>
#include <set>

#include "analysis/types.h"
#include "engine/duckdb/prepare/prepared_tables.h"
#include "engine/duckdb/rules/rules.h"
#include "plan/tree/make.h"
#include "plan/tree/walk.h"

namespace tacit::engine::duckdb {
namespace {

using analysis::ExactMeasure;
using analysis::MeasureKind;

// Why 2^50: below it a double is within half a step of the grid, so that clamping a stored integer
// again gives what clamping the number itself gives.
constexpr Int128 kExactStepsMax = Int128{1} << 50;

bool IsSmall(const policy::Grid& grid) {
  return grid.low_steps >= -kExactStepsMax && grid.high_steps <= kExactStepsMax;
}

bool Contains(const policy::Grid& a, const policy::Grid& b) {
  return a.step == b.step && a.low_steps <= b.low_steps && b.high_steps <= a.high_steps;
}

// A filter can narrow a range: the stored integer is then clamped once more, unless the filter is
// asked of it.
bool Serves(const policy::Grid& stored, const policy::Grid& wanted) {
  return Contains(stored, wanted) && (Contains(wanted, stored) || IsSmall(stored));
}

bool IsSummed(const ExactMeasure& measure) {
  return measure.kind == MeasureKind::kSum || measure.kind == MeasureKind::kSumOfSquares ||
         measure.kind == MeasureKind::kQuantile;
}

std::optional<policy::Grid> StoredGrid(const tree::KnownColumn& column) {
  if (!column.step || !column.range.IsBounded() || !column.stored_type.IsNumber()) {
    return std::nullopt;
  }
  const Result<policy::Grid> grid =
      policy::MakeGrid({*column.range.low, *column.range.high}, *column.step);
  if (!grid.ok()) return std::nullopt;
  return *grid;
}

tree::KnownColumn DescribeGrid(tree::KnownColumn column, const sql::ColumnReference& on_grid) {
  column.name = on_grid;
  column.column = on_grid.column;
  column.stored_type = kBigintType;
  column.type = analysis::QueryTypeOf(kBigintType);
  return column;
}

// One measure after the other over what is stored.
class Changing {
 public:
  Changing(tree::Names& names, const tree::Project& project,
           const std::vector<tree::Aggregate>& aggregates, const HasGrid& has_grid)
      : names_(names), has_grid_(has_grid) {
    tree::ForEachRelation(project.input, [&](const tree::Rows& relation) {
      if (const auto* stored = tree::As<tree::PreparedScan>(relation)) {
        prepared_.insert(stored->scan.alias());
      }
      const auto* scan = tree::As<tree::RowScan>(relation);
      if (scan != nullptr && scan->prepared) prepared_.insert(scan->alias);
    });
    for (const tree::Typed& filter : project.filters) filters.push_back(filter.expression);
    for (const tree::Aggregate& aggregate : aggregates) {
      measures.push_back(aggregate.measure);
      on_grid.push_back(Change(measures.back()));
    }
  }

  std::vector<ExactMeasure> measures;
  std::vector<bool> on_grid;  // Aggregate::on_grid of each
  std::vector<sql::Expression> filters;

 private:
  bool Change(ExactMeasure& measure) {
    const auto* reference = sql::As<sql::ColumnReference>(measure.argument);
    if (reference == nullptr || !prepared_.contains(reference->table)) return false;
    if (!IsSummed(measure) && measure.kind != MeasureKind::kValues) return false;
    const tree::KnownColumn column = *names_.Find(*reference);
    const std::optional<policy::Grid> grid = StoredGrid(column);
    if (has_grid_ && !has_grid_(column.table, column.column)) return false;
    if (!grid || (IsSummed(measure) && !Serves(*grid, measure.grid))) return false;
    const sql::ColumnReference stored{reference->table, GridColumn(column.column)};
    const auto [found, is_new] = passing_.emplace(stored.table + "." + stored.column, *grid);
    if (is_new) {
      names_.columns.push_back(DescribeGrid(column, stored));
      const bool whole = column.stored_type.IsInteger() && grid->step == 1;
      if (whole) found->second = AskOnGrid(*reference, stored, *grid, filters);
    }
    measure.argument = sql::MakeExpression(stored, measure.argument->position);
    if (!IsSummed(measure)) return false;
    const bool within = Contains(measure.grid, found->second);
    // Otherwise it is a whole number to be clamped, one step each.
    measure.type = analysis::QueryTypeOf(kBigintType);
    measure.grid.step = 1;
    return within;
  }

  tree::Names& names_;
  const HasGrid& has_grid_;
  std::set<std::string> prepared_;
  std::map<std::string, policy::Grid> passing_;  // of the grid columns in use: what filters leave
};

}  // namespace

// proof: engine/duckdb/rules/rules.md#numbers-on-their-grid-are-stored
Result<tree::ExactNode> OverPreparedColumns(tree::ExactNode exact, const HasGrid& has_grid) {
  tree::Project project = tree::ProjectOf(exact.groups.rows);
  Changing changed(exact.names, project, exact.groups.aggregates, has_grid);
  const tree::Binder binder(exact.names);
  std::erase_if(project.columns, [](const tree::ProjectedColumn& column) {
    return column.form != tree::Form::kKey;
  });
  TACIT_TRY(tree::Asked asked, tree::Ask(std::move(changed.measures), binder));
  for (tree::ProjectedColumn& column : asked.columns) project.columns.push_back(std::move(column));
  for (size_t i = 0; i < asked.aggregates.size(); ++i) {
    asked.aggregates[i].on_grid = changed.on_grid[i];
  }
  for (size_t i = 0; i < project.filters.size(); ++i) {
    if (changed.filters[i].get() == project.filters[i].expression.get()) continue;
    TACIT_TRY(project.filters[i], binder.Type(changed.filters[i]));
  }
  exact.groups.aggregates = std::move(asked.aggregates);
  exact.groups.rows = tree::WithProject(exact.groups.rows, project);
  return exact;
}

bool ReadsGridColumn(const tree::Aggregate& aggregate) {
  const auto* column = sql::As<sql::ColumnReference>(aggregate.measure.argument);
  return column != nullptr && IsGridColumn(column->column);
}

}  // namespace tacit::engine::duckdb
