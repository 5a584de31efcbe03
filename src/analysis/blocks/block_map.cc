#include "analysis/blocks/block_map.h"

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

RowSource MapSource(const RowSource& source, const Change& change);

void MapRows(Rows& rows, const Change& change) {
  rows.source = MapSource(rows.source, change);
  for (Expression& filter : rows.filters) MapExpression(filter, change);
  MapExpression(rows.unit, change);
}

void MapUnitQuery(UnitQuery& query, const Change& change) {
  MapRows(query.inner, change);
  for (Expression& item : query.items) MapExpression(item, change);
  for (Expression& key : query.group_by) MapExpression(key, change);
}

RowSource MapSource(const RowSource& source, const Change& change) {
  if (const auto* query = As<UnitQuery>(source)) {
    UnitQuery changed = *query;
    MapUnitQuery(changed, change);
    changed.alias = change({query->alias, ""}).table;
    return RowSource(RowSourceNode{std::move(changed)});
  }
  if (const auto* united = As<RowUnion>(source)) {
    RowUnion changed = *united;
    for (UnitQuery& part : changed.parts) MapUnitQuery(part, change);
    changed.alias = change({united->alias, ""}).table;
    return RowSource(RowSourceNode{std::move(changed)});
  }
  if (const auto* scan = As<TableScan>(source)) {
    TableScan changed = *scan;
    changed.alias = change({scan->alias, ""}).table;
    return RowSource(RowSourceNode{std::move(changed)});
  }
  if (const auto* literals = As<LiteralRows>(source)) {
    LiteralRows changed = *literals;
    changed.alias = change({literals->alias, ""}).table;
    return RowSource(RowSourceNode{std::move(changed)});
  }
  RowJoin join = *As<RowJoin>(source);
  join.left = MapSource(join.left, change);
  join.right = MapSource(join.right, change);
  MapExpression(join.left_unit, change);
  MapExpression(join.right_unit, change);
  MapExpression(join.on, change);
  return RowSource(RowSourceNode{std::move(join)});
}

}  // namespace

void MapColumns(Block& block, const Change& change) {
  MapRows(block.rows, change);
  for (auto& [reference, column] : block.columns) reference = change(reference);
  for (Key& key : block.keys) {
    MapExpression(key.expression, change);
    for (KeySource& source : key.sources) source.column = change(source.column);
  }
  for (Expression& filter : block.key_filters) MapExpression(filter, change);
  for (ExactMeasure& measure : block.measures) {
    MapExpression(measure.argument, change);
    MapExpression(measure.filter, change);
    MapExpression(measure.factor, change);
  }
}

void ForEachAlias(const RowSource& source, const std::function<void(const std::string&)>& visit) {
  if (const auto* scan = As<TableScan>(source)) return visit(scan->alias);
  if (const auto* literals = As<LiteralRows>(source)) return visit(literals->alias);
  if (const auto* query = As<UnitQuery>(source)) {
    ForEachAlias(query->inner.source, visit);
    return visit(query->alias);
  }
  if (const auto* united = As<RowUnion>(source)) {
    for (const UnitQuery& part : united->parts) ForEachAlias(part.inner.source, visit);
    return visit(united->alias);
  }
  const RowJoin& join = *As<RowJoin>(source);
  ForEachAlias(join.left, visit);
  ForEachAlias(join.right, visit);
}

void ForEachScan(const RowSource& source, const std::function<void(const TableScan&)>& visit) {
  if (const auto* scan = As<TableScan>(source)) return visit(*scan);
  if (As<LiteralRows>(source)) return;
  if (const auto* query = As<UnitQuery>(source)) return ForEachScan(query->inner.source, visit);
  if (const auto* united = As<RowUnion>(source)) {
    for (const UnitQuery& part : united->parts) ForEachScan(part.inner.source, visit);
    return;
  }
  const RowJoin& join = *As<RowJoin>(source);
  ForEachScan(join.left, visit);
  ForEachScan(join.right, visit);
}

}  // namespace tacit::analysis
