#include "base/mutant.h"
#include "plan/duckdb/exact_sql.h"

// The second wall. What leaves for the noise is capped once more by the carried unit, directly
// under the aggregates: were the analysis wrong about how many rows of one person a query makes, an
// answer would be wrong, and nobody's rows would count for more than was declared. unit_cap.md has
// the claim and the list of plain shapes, whose bound is a fact of the printed text.
namespace tacit::plan::duckdb {
namespace {

std::string Name(const char* letter, size_t i) { return letter + std::to_string(i + 1); }

}  // namespace

std::string SeenColumns(const analysis::Block& block) {
  std::string list;
  const auto add = [&](const std::string& name) { list += (list.empty() ? "" : ", ") + name; };
  for (size_t i = 0; i < block.keys.size(); ++i) add(Name("k", i));
  for (size_t i = 0; i < block.measures.size(); ++i) {
    const auto add_first = [&](sql::Expression analysis::Measure::*part, const char* letter) {
      if (block.measures[i].*part && FirstWith(block, i, part) == i) add(Name(letter, i));
    };
    add_first(&analysis::Measure::argument, "a");
    add_first(&analysis::Measure::factor, "b");
    add_first(&analysis::Measure::filter, "f");
  }
  return list;
}

bool IsPlain(const analysis::RowSource& source) {
  if (analysis::As<analysis::TableScan>(source)) return true;
  const auto* join = analysis::As<analysis::RowJoin>(source);
  return join != nullptr && IsPlain(join->left) && IsPlain(join->right);
}

std::string PrintUnitCapped(const analysis::Block& block, const std::string& rows) {
  if (TACIT_MUTANT("rows_not_capped_again")) return rows;
  const std::string order = SeenColumns(block);
  return "SELECT * FROM (" + rows + ") AS seen QUALIFY row_number() OVER (PARTITION BY u" +
         (order.empty() ? "" : " ORDER BY " + order) + ") <= " + block.rows.rows_per_unit.get_str();
}

}  // namespace tacit::plan::duckdb
