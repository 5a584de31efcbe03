#include "analysis/analyzer.h"

// UNION ALL of protected rows: rows per unit add up. See union_all.md.
namespace tacit::analysis {
namespace {

UnitQuery PartOf(const ProtectedRows& rows) {
  UnitQuery part{.alias = "", .inner = rows.rows, .items = {}, .group_by = {}, .grouped = false};
  for (const NamedColumn& column : rows.columns) part.items.push_back(column.expression);
  return part;
}

}  // namespace

Result<ProtectedRows> Analyzer::UniteRows(const ProtectedRows& left, const ProtectedRows& right,
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
  if (!CompareAsUnits(left.rows, right.rows)) {
    return refuse("UNION ALL of tables whose units are of different types has no rule");
  }
  RowUnion united{.alias = "t" + std::to_string(++scans_), .parts = {PartOf(left), PartOf(right)}};
  ProtectedRows output;
  for (size_t i = 0; i < left.columns.size(); ++i) {
    const Expression& a = left.columns[i].expression;
    const Expression& b = right.columns[i].expression;
    TACIT_TRY(Inferred first, Infer(a, left.rows.filters));
    TACIT_TRY(Inferred second, Infer(b, right.rows.filters));
    // A bare string is a text, as in PostgreSQL.
    for (Inferred* side : {&first, &second}) {
      const bool literal = sql::As<sql::Literal>(side == &first ? a : b) != nullptr;
      if (literal && side->type.kind == sql::TypeKind::kUnknown) {
        side->type = {.kind = sql::TypeKind::kText, .precision = 0, .scale = 0};
      }
    }
    if (!(first.type == second.type)) {
      return refuse("UNION ALL of columns of different types has no rule; cast them");
    }
    RowColumn column;
    column.table = "the union";
    column.column = left.columns[i].name;
    column.type = first.type;
    column.range = sql::UnionOf(first.range, second.range);
    column.equals_unit = NamesUnit(a) && NamesUnit(b);
    column.hidden = UsesHidden(a) || UsesHidden(b);
    column.is_unit = UsesUnit(a) || UsesUnit(b);
    const std::string name = "c" + std::to_string(i + 1);
    columns_.emplace(std::pair(united.alias, name), std::move(column));
    output.columns.push_back({"", left.columns[i].name,
                              MakeExpression(sql::ColumnReference{united.alias, name}), false});
  }
  columns_.emplace(std::pair(united.alias, std::string(kUnitColumn)),
                   ColumnOf(*BareColumn(left.rows.unit)));
  output.rows.unit = MakeExpression(sql::ColumnReference{united.alias, kUnitColumn});
  output.rows.rows_per_unit = left.rows.rows_per_unit + right.rows.rows_per_unit;
  output.rows.source = RowSource(RowSourceNode{std::move(united)});
  return output;
}

}  // namespace tacit::analysis
