#include "analysis/joins/join_rows.h"

#include <algorithm>

#include "analysis/blocks/block_map.h"
#include "analysis/expressions/columns.h"
#include "analysis/joins/off_the_unit.h"
#include "analysis/joins/row_limit.h"
#include "analysis/joins/unit_equality.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// A column of the preserved side stays; one of the other side is NULL where nothing matched.
Expression NullWhereUnmatched(const Expression& expression, const Expression& unit) {
  if (BareColumn(expression) != nullptr) return expression;
  sql::Case choice;
  choice.branches.push_back(
      {MakeExpression(sql::IsNull{unit, true}, expression->position), expression});
  return MakeExpression(std::move(choice), expression->position);
}

Error FullJoin(const Known& known, const ProtectedRows& left, const ProtectedRows& right,
               sql::Position position) {
  const std::string example = ExampleJoin(known, left, right);
  return Refuse(rules::kFullJoin, position, "a FULL join of protected rows has no rule",
                "keep one side with LEFT JOIN, or the rows on both sides: " +
                    (example.empty() ? ExampleCount(left.rows) : example));
}

// The equality of units that makes the join lawful; nothing where there is none.
const Expression* UnitEqualityIn(const Known& known, const std::vector<Expression>& conditions,
                                 const Rows& left, const Rows& right) {
  if (!left.unit || !right.unit) return nullptr;
  const auto found = std::find_if(conditions.begin(), conditions.end(), [&](const Expression& e) {
    return IsUnitEqualityOf(known, e, left, right);
  });
  return found == conditions.end() ? nullptr : &*found;
}

// An outer join: `other` may be missing, and its columns are columns [begin, end) of `combined`.
void MakeNullable(Known& known, const Rows& other, size_t begin, size_t end,
                  ProtectedRows& combined) {
  ForEachAlias(other.source, [&](const std::string& alias) { known.nullable.insert(alias); });
  for (size_t i = begin; i < end; ++i) {
    combined.columns[i].expression = NullWhereUnmatched(combined.columns[i].expression, other.unit);
  }
}

}  // namespace

// proof: analysis/joins/joins.md#joins-how-many-rows-of-one-unit-come-out
Result<ProtectedRows> JoinRows(Known& known, const WrittenJoin& written, ProtectedRows left,
                               ProtectedRows right) {
  const sql::Position position = written.position;
  if (written.join.kind == sql::JoinKind::kFull) return FullJoin(known, left, right, position);
  ProtectedRows combined;
  TACIT_TRY(JoinConditions conditions, ConditionsOf(known, written, left, right, combined));
  const Expression* equality = UnitEqualityIn(known, conditions.holding, left.rows, right.rows);
  if (equality == nullptr) {
    for (const Expression& conjunct : ResolvedWhere(known, written, combined)) {
      conditions.on.push_back(conjunct);
    }
    return OffTheUnit(known, conditions.on, left, right, position);
  }
  if (!CompareAsUnits(known, left.rows, right.rows)) {
    return OffTheUnit(known, conditions.on, left, right, position);
  }

  const bool inner = written.IsInner();
  const bool flipped = written.join.kind == sql::JoinKind::kRight;
  const Rows& preserved = flipped ? right.rows : left.rows;
  const Rows& other = flipped ? left.rows : right.rows;
  combined.rows.unit = preserved.unit;
  combined.rows.rows_per_unit = left.rows.rows_per_unit * right.rows.rows_per_unit;
  TACIT_CHECK(CheckRowsOfOneUnit(
      known, combined.rows, std::max(left.rows.rows_per_unit, right.rows.rows_per_unit), position));
  combined.rows.filters = preserved.filters;
  // An outer join's other side is filtered before it is joined: its filters decide what matches,
  // not what stays.
  std::vector<Expression>& filtered = inner ? combined.rows.filters : conditions.on;
  filtered.insert(filtered.end(), other.filters.begin(), other.filters.end());
  if (!inner) {
    const size_t columns_left = left.columns.size();
    MakeNullable(known, other, flipped ? 0 : columns_left,
                 flipped ? columns_left : combined.columns.size(), combined);
  }
  std::erase_if(conditions.on, [&](const Expression& e) { return HoldsByUnits(known, e); });
  const auto [preserved_unit, other_unit] = CarriedUnits(known, *equality, preserved, other);
  combined.rows.source =
      RowSource(RowSourceNode{RowJoin{.kind = inner ? sql::JoinKind::kInner : sql::JoinKind::kLeft,
                                      .left = preserved.source,
                                      .right = other.source,
                                      .left_unit = preserved_unit,
                                      .right_unit = other_unit,
                                      .on = sql::JoinConjuncts(std::move(conditions.on))}});
  return combined;
}

}  // namespace tacit::analysis
