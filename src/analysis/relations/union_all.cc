#include "analysis/relations/union_all.h"

#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/joins/unit_equality.h"
#include "analysis/rules.h"
#include "analysis/texts/examples.h"

namespace tacit::analysis {
namespace {

UnitQuery PartOf(const ProtectedRows& rows) {
  UnitQuery part{.alias = "", .inner = rows.rows, .items = {}, .group_by = {}, .grouped = false};
  for (const NamedColumn& column : rows.columns) part.items.push_back(column.expression);
  return part;
}

// A bare string is a text, as in PostgreSQL.
sql::Type TypeInUnion(const Expression& item, const sql::Type& type) {
  const bool bare_string =
      sql::As<sql::Literal>(item) != nullptr && type.kind == sql::TypeKind::kUnknown;
  return bare_string ? sql::Type{.kind = sql::TypeKind::kText, .precision = 0, .scale = 0} : type;
}

}  // namespace

// proof: analysis/relations/union_all.md#claim
Result<ProtectedRows> UniteRows(Known& known, const ProtectedRows& left, const ProtectedRows& right,
                                sql::Position position) {
  const auto refuse = [&](const std::string& why) {
    return Refuse(rules::kSetOperationBelow, position, why,
                  "aggregate each part first: " + ExampleCount(left.rows) + " UNION ALL " +
                      ExampleCount(right.rows));
  };
  if (left.columns.size() != right.columns.size()) {
    return Refuse(rules::kWrongShape, position,
                  "both parts of UNION ALL must have the same number of columns", "");
  }
  if (!left.rows.unit || !right.rows.unit) {
    return refuse("UNION ALL of tables whose rows are units has no rule");
  }
  if (!CompareAsUnits(known, left.rows, right.rows)) {
    return refuse("UNION ALL of tables whose units are of different types has no rule");
  }
  RowUnion united{.alias = NextAlias(known), .parts = {PartOf(left), PartOf(right)}};
  ProtectedRows output;
  for (size_t i = 0; i < left.columns.size(); ++i) {
    const Expression& a = left.columns[i].expression;
    const Expression& b = right.columns[i].expression;
    TACIT_TRY(const Inferred first, Infer(known, a, left.rows.filters));
    TACIT_TRY(const Inferred second, Infer(known, b, right.rows.filters));
    const sql::Type type = TypeInUnion(a, first.type);
    if (!(type == TypeInUnion(b, second.type))) {
      return refuse("UNION ALL of columns of different types has no rule; cast them");
    }
    RowColumn column;
    column.table = "the union";
    column.column = left.columns[i].name;
    column.type = type;
    column.range = sql::UnionOf(first.range, second.range);
    column.equals_unit = NamesUnit(known, a) && NamesUnit(known, b);
    column.never_null = IsNeverNull(known, a) && IsNeverNull(known, b);
    column.hidden = UsesHidden(known, a) || UsesHidden(known, b);
    column.is_unit = UsesUnit(known, a) || UsesUnit(known, b);
    const sql::ColumnReference place{united.alias, "c" + std::to_string(i + 1)};
    output.columns.push_back(
        {"", left.columns[i].name, AddColumn(known, place, std::move(column)), false});
  }
  output.rows.unit =
      AddColumn(known, {united.alias, kUnitColumn}, ColumnOf(known, *BareColumn(left.rows.unit)));
  output.rows.rows_per_unit = left.rows.rows_per_unit + right.rows.rows_per_unit;
  output.rows.source = RowSource(RowSourceNode{std::move(united)});
  return output;
}

}  // namespace tacit::analysis
