#include <algorithm>

#include "plan/duckdb/exact_sql.h"
#include "plan/duckdb/functions.h"
#include "plan/duckdb/prepared.h"

// Rows of a prepared table stand in the order of their units and ranks, so that one pass over them
// can cap groups: engine/duckdb/capped_stream.cc. The order holds for a scan with filters; a join
// would not keep it.
namespace tacit::plan::duckdb {
namespace {

using analysis::MeasureKind;

// A constant could be a parameter here too, but then every range would bind it again.
const analysis::TableScan* StreamedScan(const analysis::Block& block) {
  const auto* scan = analysis::As<analysis::TableScan>(block.rows.source);
  const bool streamed = block.group_cap && scan != nullptr && scan->prepared && !scan->is_public &&
                        block.constants.empty() && block.group_cap->groups.fits_ulong_p() &&
                        block.group_cap->rows.fits_ulong_p();
  return streamed ? scan : nullptr;
}

bool IsPublic(const analysis::Key& key) { return key.IsPublic(); }

bool IsText(const analysis::Key& key) { return key.type.kind == sql::TypeKind::kText; }

bool AllPublic(const analysis::Block& block) {
  return std::all_of(block.keys.begin(), block.keys.end(), IsPublic);
}

// Equal keys of these types are equal bytes, whatever their width.
bool HasPlainKeys(const analysis::Block& block) {
  return std::all_of(block.keys.begin(), block.keys.end(), [](const analysis::Key& key) {
    using sql::TypeKind;
    const TypeKind kind = key.type.kind;
    return key.type.IsInteger() || kind == TypeKind::kText || kind == TypeKind::kBoolean ||
           kind == TypeKind::kDate || kind == TypeKind::kTimestamp;
  });
}

bool AnyPublic(const analysis::Block& block) {
  return std::any_of(block.keys.begin(), block.keys.end(), IsPublic);
}

// What the pass can compute: everything but counts by cell.
std::optional<StreamedMeasure> Streamed(const analysis::Measure& measure) {
  StreamedMeasure streamed{
      .counts_units = measure.kind == MeasureKind::kUnits,
      .has_filter = static_cast<bool>(measure.filter),
      .has_argument = static_cast<bool>(measure.argument),
      .is_sum = measure.kind == MeasureKind::kSum || measure.kind == MeasureKind::kSumOfSquares};
  const bool known = streamed.counts_units || streamed.is_sum ||
                     measure.kind == MeasureKind::kRows || measure.kind == MeasureKind::kValues;
  // People under a filter are counted by their rows that pass it, which takes another set.
  if (!known || (streamed.counts_units && streamed.has_filter)) return std::nullopt;
  return streamed;
}

Result<std::string> PrintItems(const analysis::Block& block, const std::string& alias) {
  std::string items = Quote(alias) + "." + Quote(kNumberColumn);
  for (size_t i = 0; i < block.keys.size(); ++i) {
    TACIT_TRY(std::string key, PrintBelow(block.keys[i].expression, block));
    if (IsText(block.keys[i])) {
      key = std::string(kTextNumberFunction) + "(" + key + ", CAST($3 AS BIGINT))";
    }
    items += ", " + key + " AS k" + std::to_string(i + 1);
  }
  for (size_t i = 0; i < block.measures.size(); ++i) {
    const analysis::Measure& measure = block.measures[i];
    const std::string number = std::to_string(i + 1);
    if (measure.filter) {
      TACIT_TRY(const std::string filter, PrintBelow(measure.filter, block));
      items += ", " + filter + " AS f" + number;
    }
    if (measure.argument) {
      TACIT_TRY(std::string argument, PrintBelow(ComputedArgument(block, i), block));
      // A grid has at most 2^62 steps, its squares more.
      const char* type = measure.kind == MeasureKind::kSum ? "BIGINT" : "HUGEINT";
      if (measure.kind != MeasureKind::kValues) {
        argument = "CAST(" + PrintSummand("(" + argument + ")", measure) + " AS " + type + ")";
      }
      items += ", " + argument + " AS s" + number;
    }
  }
  return items;
}

}  // namespace

Result<std::optional<StreamedCap>> PrintStream(const analysis::Block& block, bool with_units) {
  const analysis::TableScan* scan = StreamedScan(block);
  const bool all_public = AllPublic(block);
  // Beside private keys, a list of public ones would have to be looked up on its own.
  const bool mixed = !all_public && AnyPublic(block);
  if (scan == nullptr || mixed || !HasPlainKeys(block)) return std::optional<StreamedCap>();
  StreamedCap stream{.rows_sql = "",
                     .numbered = {},
                     .units_sql = "SELECT coalesce(max(" + Quote(kNumberColumn) + "), 0) FROM " +
                                  Quote(scan->table),
                     .keys_sql = "",
                     .groups = block.group_cap->groups.get_ui(),
                     .rows = block.group_cap->rows.get_ui(),
                     .measures = {}};
  for (const analysis::Key& key : block.keys) stream.numbered.push_back(IsText(key));
  if (with_units) stream.measures.push_back({.counts_units = true});
  for (const analysis::Measure& measure : block.measures) {
    const std::optional<StreamedMeasure> streamed = Streamed(measure);
    if (!streamed) return std::optional<StreamedCap>();
    stream.measures.push_back(*streamed);
  }
  if (all_public) {
    TACIT_TRY(stream.keys_sql, KeyListSql(block));
  }
  TACIT_TRY(const std::string items, PrintItems(block, scan->alias));
  TACIT_TRY(const RowsText source, PrintSource(block, 1));
  stream.rows_sql = "SELECT " + items + " FROM " + source.from + " WHERE " + Quote(scan->alias) +
                    "." + Quote(kNumberColumn) +
                    " BETWEEN CAST($1 AS BIGINT) AND CAST($2 AS BIGINT)";
  for (const sql::Expression& filter : block.rows.filters) {
    TACIT_TRY(const std::string condition, PrintBelow(filter, block));
    stream.rows_sql += " AND (" + condition + ")";
  }
  return std::optional<StreamedCap>(std::move(stream));
}

}  // namespace tacit::plan::duckdb
