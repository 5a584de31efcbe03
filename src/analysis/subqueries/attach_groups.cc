#include "analysis/subqueries/attach_groups.h"

#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/inside_unit/infer_inside.h"
#include "analysis/inside_unit/value_sources.h"
#include "sql/walk.h"

namespace tacit::analysis {

// proof: analysis/subqueries/unit_subquery.md#claim
Result<Expression> AttachGroups(Known& known, const Rows& inner, const UnitEqualities& equalities,
                                const Expression& value, ProtectedRows& input) {
  UnitQuery query{
      .alias = NextAlias(known), .inner = inner, .items = {}, .group_by = {}, .grouped = true};
  const auto add = [&](const Expression& item, RowColumn column) {
    query.items.push_back(item);
    column.table = "the subquery";
    return AddColumn(known, {query.alias, "c" + std::to_string(query.items.size())},
                     std::move(column));
  };
  const Expression unit =
      AddColumn(known, {query.alias, kUnitColumn}, ColumnOf(known, *BareColumn(inner.unit)));
  std::vector<Expression> conditions;
  for (const auto& [mine, theirs] : equalities.others) {
    TACIT_TRY(const Inferred inferred, Infer(known, mine, inner.filters));
    RowColumn column;
    column.column = "key";
    column.type = inferred.type;
    query.group_by.push_back(mine);
    conditions.push_back(
        MakeExpression(sql::Operator{"=", {theirs, add(mine, std::move(column))}}));
  }
  RowColumn result;
  result.column = "value";
  TACIT_TRY(const Inferred inferred, InferInsideUnit(known, value, inner));
  result.type = inferred.type;
  result.range = inferred.range;
  MarkBySources(known, value, result);
  const Expression found = add(value, std::move(result));
  known.nullable.insert(query.alias);
  input.rows.source =
      RowSource(RowSourceNode{RowJoin{.kind = sql::JoinKind::kLeft,
                                      .left = input.rows.source,
                                      .right = RowSource(RowSourceNode{std::move(query)}),
                                      .left_unit = input.rows.unit,
                                      .right_unit = unit,
                                      .on = sql::JoinConjuncts(std::move(conditions))}});
  return found;
}

}  // namespace tacit::analysis
