#include "analysis/known.h"

namespace tacit::analysis {

std::string NextAlias(Known& known) { return "t" + std::to_string(++known.scans); }

Expression AddColumn(Known& known, const sql::ColumnReference& place, RowColumn column) {
  known.columns.emplace(std::pair(place.table, place.column), std::move(column));
  return MakeExpression(place);
}

}  // namespace tacit::analysis
