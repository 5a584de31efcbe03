#include "analysis/block_map.h"

#include "sql/walk.h"

namespace tacit::analysis {
namespace {

using Change = std::function<sql::ColumnReference(const sql::ColumnReference&)>;

void MapExpression(Expression& expression, const Change& change) {
  if (!expression) return;
  expression = sql::Transform(expression, [&](const Expression& node) -> Expression {
    const auto* reference = sql::As<sql::ColumnReference>(node);
    return reference == nullptr ? node : MakeExpression(change(*reference), node->position);
  });
}

RowSource MapSource(const RowSource& source, const Change& change) {
  if (const auto* scan = As<TableScan>(source)) {
    TableScan changed = *scan;
    changed.alias = change({scan->alias, ""}).table;
    return RowSource(RowSourceNode{std::move(changed)});
  }
  RowJoin join = *As<RowJoin>(source);
  join.left = MapSource(join.left, change);
  join.right = MapSource(join.right, change);
  MapExpression(join.on, change);
  return RowSource(RowSourceNode{std::move(join)});
}

}  // namespace

void MapColumns(Block& block, const Change& change) {
  block.rows.source = MapSource(block.rows.source, change);
  for (Expression& filter : block.rows.filters) MapExpression(filter, change);
  MapExpression(block.rows.unit, change);
  for (auto& [reference, column] : block.columns) reference = change(reference);
  for (Key& key : block.keys) {
    MapExpression(key.expression, change);
    for (KeySource& source : key.sources) source.column = change(source.column);
  }
  for (Expression& filter : block.key_filters) MapExpression(filter, change);
  for (Measure& measure : block.measures) {
    MapExpression(measure.argument, change);
    MapExpression(measure.filter, change);
  }
}

void ForEachScan(const RowSource& source, const std::function<void(const TableScan&)>& visit) {
  if (const auto* scan = As<TableScan>(source)) return visit(*scan);
  const RowJoin& join = *As<RowJoin>(source);
  ForEachScan(join.left, visit);
  ForEachScan(join.right, visit);
}

}  // namespace tacit::analysis
