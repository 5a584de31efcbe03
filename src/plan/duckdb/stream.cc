#include <algorithm>

#include "analysis/blocks/block_map.h"
#include "plan/duckdb/exact_sql.h"
#include "plan/duckdb/functions.h"
#include "plan/duckdb/prepared.h"

// Rows of a prepared table stand in the order of their units and ranks, so that one pass over them
// can cap groups: engine/duckdb/capped_stream.cc. A scan with filters keeps the order; after a join
// the numbers and ranks that rows carry sort them again, which takes less than windows.
namespace tacit::plan::duckdb {

using analysis::MeasureKind;

bool IsRanked(const analysis::RowSource& source) {
  if (const auto* scan = analysis::As<analysis::TableScan>(source)) {
    return scan->is_public ? !scan->unique_on.empty() : scan->prepared;
  }
  const auto* join = analysis::As<analysis::RowJoin>(source);
  return join != nullptr && IsRanked(join->left) && IsRanked(join->right);
}

namespace {

// The scan that numbers the units. A constant could be a parameter here too, but then every range
// would bind it again.
const analysis::TableScan* NumberingScan(const analysis::Block& block) {
  const auto* unit = sql::As<sql::ColumnReference>(block.rows.unit);
  if (!block.group_cap || unit == nullptr || !block.constants.empty() ||
      !block.group_cap->groups.fits_ulong_p() || !block.group_cap->rows.fits_ulong_p() ||
      !IsRanked(block.rows.source)) {
    return nullptr;
  }
  const analysis::TableScan* numbering = nullptr;
  analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
    if (scan.alias == unit->table) numbering = &scan;
  });
  return numbering;
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

std::string NumberedKey(const analysis::Key& key, const std::string& text) {
  if (!IsText(key)) return text;
  return std::string(kTextNumberFunction) + "(" + text + ", CAST($3 AS BIGINT))";
}

std::string StreamedSummand(const analysis::Measure& measure, const std::string& argument) {
  if (measure.kind == MeasureKind::kValues) return argument;
  // A grid has at most 2^62 steps, its squares more.
  const char* type = measure.kind == MeasureKind::kSum ? "BIGINT" : "HUGEINT";
  return "CAST(" + PrintSummand("(" + argument + ")", measure) + " AS " + type + ")";
}

constexpr char kInRange[] = " BETWEEN CAST($1 AS BIGINT) AND CAST($2 AS BIGINT)";

// Of one scan, in stored order.
Result<std::string> PrintStoredRows(const analysis::Block& block, const std::string& alias) {
  const std::string number = Quote(alias) + "." + Quote(kNumberColumn);
  std::string items = number;
  for (const analysis::Key& key : block.keys) {
    TACIT_TRY(const std::string text, PrintKey(key, block));
    items += ", " + NumberedKey(key, text);
  }
  for (size_t i = 0; i < block.measures.size(); ++i) {
    const analysis::Measure& measure = block.measures[i];
    if (measure.filter) {
      TACIT_TRY(const std::string filter, PrintBelow(measure.filter, block));
      items += ", " + filter;
    }
    if (measure.argument) {
      TACIT_TRY(const std::string argument, PrintArgument(block, i));
      items += ", " + StreamedSummand(measure, argument);
    }
  }
  TACIT_TRY(const RowsText source, PrintSource(block, 1));
  std::string text = "SELECT " + items + " FROM " + source.text + " WHERE " + number + kInRange;
  for (const sql::Expression& filter : block.rows.filters) {
    TACIT_TRY(const std::string condition, PrintBelow(filter, block));
    text += " AND (" + condition + ")";
  }
  return text;
}

// Of everything else, sorted.
Result<std::string> PrintSortedStream(const analysis::Block& block) {
  const auto number = [](const char* letter, size_t i) { return letter + std::to_string(i + 1); };
  std::string items = "u";
  for (size_t i = 0; i < block.keys.size(); ++i) {
    items += ", " + NumberedKey(block.keys[i], "rows." + number("k", i));
  }
  for (size_t i = 0; i < block.measures.size(); ++i) {
    const analysis::Measure& measure = block.measures[i];
    if (measure.filter) {
      items += ", " + number("f", FirstWith(block, i, &analysis::Measure::filter));
    }
    if (measure.argument) {
      items += ", " + StreamedSummand(
                          measure, number("a", FirstWith(block, i, &analysis::Measure::argument)));
    }
  }
  std::string order = "u";
  for (size_t i = 0; i < PrintOrders(block).size(); ++i) order += ", " + number("o", i);
  TACIT_TRY(const RowsText rows, PrintUncapped(block));
  TACIT_TRY(const std::string listed, PrintListedRows(block, rows.text));
  return "SELECT " + items + " FROM " + listed + " WHERE u" + kInRange + " ORDER BY " + order;
}

}  // namespace

Result<std::optional<StreamedCap>> PrintStream(const analysis::Block& block, bool with_units) {
  const analysis::TableScan* scan = NumberingScan(block);
  if (scan == nullptr || !HasPlainKeys(block)) return std::optional<StreamedCap>();
  const bool all_public = AllPublic(block);
  // Beside private keys, a list of public ones has to be looked up on its own.
  const bool mixed = !all_public && AnyPublic(block);
  StreamedCap stream{.rows_sql = "",
                     .sorts = mixed || !analysis::As<analysis::TableScan>(block.rows.source),
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
  TACIT_TRY(stream.rows_sql,
            stream.sorts ? PrintSortedStream(block) : PrintStoredRows(block, scan->alias));
  return std::optional<StreamedCap>(std::move(stream));
}

}  // namespace tacit::plan::duckdb
