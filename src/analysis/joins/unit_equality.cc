#include "analysis/joins/unit_equality.h"

#include "analysis/blocks/block_map.h"
#include "analysis/expressions/columns.h"
#include "base/mutant.h"
#include "policy/stored_types.h"

namespace tacit::analysis {
namespace {

bool HasScan(const Rows& rows, const std::string& alias) {
  bool found = false;
  ForEachAlias(rows.source, [&](const std::string& name) { found = found || name == alias; });
  return found;
}

}  // namespace

const sql::Operator* PlainEquality(const Expression& conjunct) {
  const auto* equality = sql::As<sql::Operator>(conjunct);
  return equality != nullptr && equality->symbol == "=" && equality->arguments.size() == 2
             ? equality
             : nullptr;
}

bool CompareExactly(const sql::Type& a, const sql::Type& b) {
  return a == b || (a.IsInteger() && b.IsInteger());
}

// proof: analysis/joins/joins.md#joins-how-many-rows-of-one-unit-come-out
bool IsUnitEquality(const Known& known, const Expression& conjunct) {
  const sql::Operator* equality = PlainEquality(conjunct);
  if (equality == nullptr) return false;
  const auto* a = BareColumn(equality->arguments[0]);
  const auto* b = BareColumn(equality->arguments[1]);
  if (a == nullptr || b == nullptr || IsConstant(*a) || IsConstant(*b) || a->table == b->table) {
    return false;
  }
  if (!ColumnOf(known, *a).equals_unit || !ColumnOf(known, *b).equals_unit) return false;
  return CompareExactly(ColumnOf(known, *a).type, ColumnOf(known, *b).type);
}

bool IsUnitEqualityOf(const Known& known, const Expression& conjunct, const Rows& left,
                      const Rows& right) {
  if (!IsUnitEquality(known, conjunct)) return false;
  const sql::Operator& equality = *PlainEquality(conjunct);
  const std::string& a = BareColumn(equality.arguments[0])->table;
  const std::string& b = BareColumn(equality.arguments[1])->table;
  return (HasScan(left, a) && HasScan(right, b)) || (HasScan(left, b) && HasScan(right, a));
}

// Of two numbers of different kinds both may be rounded to one.
bool CompareAsUnits(const Known& known, const Rows& left, const Rows& right) {
  const ValueType& a = ColumnOf(known, *BareColumn(left.unit)).stored_type;
  const ValueType& b = ColumnOf(known, *BareColumn(right.unit)).stored_type;
  if (TACIT_MUTANT("units_of_different_types")) return true;
  return policy::AreSameKeys(a, b);
}

bool HoldsByUnits(const Known& known, const Expression& conjunct) {
  if (!IsUnitEquality(known, conjunct)) return false;
  const sql::Operator& equality = *PlainEquality(conjunct);
  return NamesUnit(known, equality.arguments[0]) && NamesUnit(known, equality.arguments[1]);
}

// Every scan inside a side carries the side's unit, or NULL where it is missing, so any of them may
// stand for it: a wrong choice loses rows and mixes nobody. The scans that the query equates are
// the ones that the engine joins best.
std::pair<Expression, Expression> CarriedUnits(const Known& known, const Expression& equality,
                                               const Rows& left, const Rows& right) {
  if (!HoldsByUnits(known, equality)) return {left.unit, right.unit};
  const sql::Operator& columns = *PlainEquality(equality);
  const auto carried = [&](size_t i) {
    return MakeExpression(
        sql::ColumnReference{BareColumn(columns.arguments[i])->table, kUnitColumn},
        equality->position);
  };
  const size_t first = HasScan(left, BareColumn(columns.arguments[0])->table) ? 0 : 1;
  return {carried(first), carried(1 - first)};
}

}  // namespace tacit::analysis
