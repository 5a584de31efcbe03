#include "analysis/texts/examples.h"

#include "analysis/blocks/block_map.h"
#include "analysis/expressions/columns.h"
#include "analysis/texts/hidden_names.h"
#include "policy/stored_types.h"
#include "sql/print/quote.h"

namespace tacit::analysis {

std::string ExampleCount(const Rows& rows) {
  std::string table;
  ForEachScan(rows.source, [&](const TableScan& scan) {
    if (!scan.is_public && table.empty()) table = scan.table;
  });
  return "SELECT count(*) FROM " + sql::QuoteIdentifierIfNeeded(table);
}

std::string ExampleJoin(const Known& known, const ProtectedRows& left, const ProtectedRows& right) {
  const auto unit_of = [&](const ProtectedRows& side) -> const RowColumn* {
    for (const NamedColumn& column : side.columns) {
      const auto* bare = BareColumn(column.expression);
      if (bare == nullptr || IsConstant(*bare) || bare->column == kUnitColumn) continue;
      const RowColumn& facts = ColumnOf(known, *bare);
      if (facts.equals_unit && facts.stored_type.kind != TypeKind::kOpaque) return &facts;
    }
    return nullptr;
  };
  const RowColumn* a = unit_of(left);
  const RowColumn* b = unit_of(right);
  if (a == nullptr || b == nullptr || !MayName(known, *a) || !MayName(known, *b)) return "";
  if (!policy::AreSameKeys(a->stored_type, b->stored_type)) return "";
  const auto quote = sql::QuoteIdentifierIfNeeded;
  return "SELECT count(*) FROM " + quote(a->table) + " a JOIN " + quote(b->table) + " b ON a." +
         quote(a->column) + " = b." + quote(b->column);
}

}  // namespace tacit::analysis
