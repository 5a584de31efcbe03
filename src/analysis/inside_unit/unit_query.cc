#include "analysis/inside_unit/unit_query.h"

#include <algorithm>

#include "analysis/expressions/columns.h"
#include "analysis/inside_unit/infer_inside.h"
#include "analysis/inside_unit/rules_inside.h"
#include "analysis/inside_unit/value_sources.h"
#include "analysis/rules.h"
#include "analysis/texts/hidden_names.h"
#include "base/assert.h"
#include "base/mutant.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

bool IsRowNumberOfUnit(const Known& known, const Expression& item) {
  const auto* call = sql::As<sql::WindowCall>(item);
  if (call == nullptr || call->function.name != "row_number") return false;
  const std::vector<Expression>& partition = call->window.partition_by;
  return !partition.empty() && std::all_of(partition.begin(), partition.end(),
                                           [&](const auto& e) { return NamesUnit(known, e); });
}

// Windows are printed with the carried unit in their partition, whatever they say; columns that
// name it would only be compared again.
Expression WithoutUnits(const Known& known, const Expression& item) {
  return sql::Transform(item, [&](const Expression& node) -> Expression {
    const auto* call = sql::As<sql::WindowCall>(node);
    if (call == nullptr) return node;
    sql::WindowCall inside = *call;
    std::erase_if(inside.window.partition_by,
                  [&](const Expression& e) { return NamesUnit(known, e); });
    // Within one person it orders nothing.
    if (!inside.window.frame) {
      std::erase_if(inside.window.order_by, [&](const sql::OrderItem& order) {
        return NamesUnit(known, order.expression);
      });
    }
    return MakeExpression(std::move(inside), node->position);
  });
}

// What is known of the column that a resolved item becomes.
RowColumn DescribeItem(const Known& known, const Expression& item, const std::string& name,
                       const Inferred& inferred) {
  RowColumn column;
  if (const auto* bare = BareColumn(item); bare != nullptr && !IsConstant(*bare)) {
    column = ColumnOf(known, *bare);
    // Of the side of an outer join that may be missing, it is NULL in rows of many people.
    column.equals_unit =
        TACIT_MUTANT("nullable_unit") ? column.equals_unit : NamesUnit(known, item);
    column.never_null = IsNeverNull(known, item);
  } else {
    column.table = "the subquery";
    column.column = name;
    MarkBySources(known, item, column);
  }
  column.type = inferred.type;
  // A bare string is a text, as in PostgreSQL.
  if (column.type.kind == sql::TypeKind::kUnknown) column.type.kind = sql::TypeKind::kText;
  column.range = inferred.range;
  return column;
}

Result<Done> CheckKeyTypes(const Known& known, const std::vector<Expression>& keys) {
  for (const Expression& key : keys) {
    TACIT_TRY(const Inferred inferred, Infer(known, key));
    if (inferred.type.kind == sql::TypeKind::kOpaque) {
      return OpaqueColumn(known, ColumnOf(known, *BareColumn(key)), key->position);
    }
  }
  return Done{};
}

Result<Done> CheckItem(const Known& known, const Expression& item, const Rows& rows,
                       const std::vector<Expression>& group_by, bool grouped) {
  if (grouped) TACIT_CHECK(CheckGrouped(known, item, group_by));
  TACIT_CHECK(CheckWindows(known, item, rows));
  if (sql::HasWindow(item) && grouped) {
    return Refuse(rules::kWindowBelow, item->position,
                  "a window over grouped rows of one person has no rule", "use two queries");
  }
  return Done{};
}

}  // namespace

// proof: analysis/inside_unit/unit_query.md#claim
Result<ProtectedRows> MakeUnitQuery(Known& known, const ProtectedRows& input,
                                    const std::vector<sql::SelectItem>& items,
                                    const std::vector<Expression>& group_by, bool grouped,
                                    const Environment& environment) {
  TACIT_ASSERT(input.rows.unit);
  UnitQuery query{.alias = NextAlias(known),
                  .inner = input.rows,
                  .items = {},
                  .group_by = group_by,
                  .grouped = grouped};
  TACIT_CHECK(CheckKeyTypes(known, group_by));
  ProtectedRows output;
  for (const sql::SelectItem& item : items) {
    TACIT_TRY(const Expression resolved,
              ResolveInsideUnit(known, item.expression, input, environment));
    TACIT_CHECK(CheckItem(known, resolved, input.rows, group_by, grouped));
    TACIT_TRY(const Inferred inferred, InferInsideUnit(known, resolved, input.rows));
    const Expression& added = query.items.emplace_back(WithoutUnits(known, resolved));
    RowColumn column = DescribeItem(known, added, sql::OutputName(item), inferred);
    column.numbers_rows = IsRowNumberOfUnit(known, resolved);
    const sql::ColumnReference place{query.alias, "c" + std::to_string(query.items.size())};
    output.columns.push_back(
        {"", sql::OutputName(item), AddColumn(known, place, std::move(column)), false});
  }
  output.rows.unit =
      AddColumn(known, {query.alias, kUnitColumn}, ColumnOf(known, *BareColumn(input.rows.unit)));
  const bool one_row =
      grouped && std::all_of(group_by.begin(), group_by.end(),
                             [&](const Expression& e) { return NamesUnit(known, e); });
  output.rows.rows_per_unit = one_row ? Integer(1) : input.rows.rows_per_unit;
  output.rows.source = RowSource(RowSourceNode{std::move(query)});
  return output;
}

}  // namespace tacit::analysis
