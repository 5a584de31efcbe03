#include <algorithm>

#include "engine/duckdb/functions/own_functions.h"
#include "engine/duckdb/rules/rules.h"
#include "engine/duckdb/statement/dialect.h"
#include "engine/statement/printer.h"
#include "plan/tree/walk.h"

// Rows of a prepared table stand in the order of their units and ranks, so that one pass over them
// can cap groups: ../exact/capped_stream.cc. A scan with filters keeps the order; after a join the
// numbers and ranks that rows carry sort them again, which takes less than windows.
namespace tacit::engine::duckdb {
namespace {

using analysis::MeasureKind;
using statement::kNumberColumn;
using statement::Printer;

// The list of public keys that rows are looked up in, if any key is public.
tree::KeyList ListOfKeys(const tree::GroupPlaces& places) {
  const auto* listed = tree::As<tree::Listed>(places.input);
  return listed == nullptr ? tree::KeyList() : listed->keys;
}

// The scan that numbers the units. A constant could be a parameter here too, but then every range
// would bind it again.
const tree::Scan* NumberingScan(const tree::ExactNode& exact, const tree::GroupPlaces& places) {
  const tree::Project& project = tree::ProjectOf(places.input);
  if (!exact.names.constants.empty() || !IsRanked(project.input)) return nullptr;
  const tree::Scan* numbering = nullptr;
  tree::ForEachRelation(project.input, [&](const tree::Rows& relation) {
    const auto* stored = tree::As<tree::PreparedScan>(relation);
    if (stored != nullptr && stored->scan.unit == places.unit) numbering = &stored->scan;
  });
  return numbering;
}

const tree::ProjectedColumn& ColumnNamed(const tree::Project& project, const std::string& name) {
  return *std::find_if(project.columns.begin(), project.columns.end(),
                       [&](const tree::ProjectedColumn& column) { return column.name == name; });
}

bool IsText(const tree::ProjectedColumn& key) { return key.type.kind == sql::TypeKind::kText; }

// Equal keys of these types are equal bytes, whatever their width.
bool IsPlainKey(const tree::ProjectedColumn& key) {
  using sql::TypeKind;
  const TypeKind kind = key.type.kind;
  return key.type.IsInteger() || kind == TypeKind::kText || kind == TypeKind::kBoolean ||
         kind == TypeKind::kDate || kind == TypeKind::kTimestamp;
}

// More than a pass can count is no limit.
uint64_t Limit(const Integer& cap) { return cap.fits_ulong_p() ? cap.get_ui() : UINT64_MAX; }

StreamedLimit LimitOf(const std::optional<analysis::GroupCap>& cap) {
  if (!cap) return {};
  return {.groups = Limit(cap->groups), .rows = Limit(cap->rows)};
}

// What the pass can compute: everything but counts by cell.
std::optional<StreamedMeasure> Streamed(const tree::Aggregate& aggregate) {
  const MeasureKind kind = aggregate.measure.kind;
  StreamedMeasure streamed{
      .limit = LimitOf(aggregate.measure.cap),
      .counts_units = kind == MeasureKind::kUnits,
      .has_filter = !aggregate.filter.empty(),
      .has_argument = !aggregate.argument.empty(),
      .is_sum = kind == MeasureKind::kSum || kind == MeasureKind::kSumOfSquares};
  const bool known = streamed.counts_units || streamed.is_sum || kind == MeasureKind::kRows ||
                     kind == MeasureKind::kValues;
  if (aggregate.measure.own_sum) {
    if (!FitsInt128(*aggregate.measure.own_sum)) return std::nullopt;
    streamed.own_sum = SaturateToInt128(*aggregate.measure.own_sum);
  }
  // People under a filter are counted by their rows that pass it, which takes another set.
  if (!known || (streamed.counts_units && streamed.has_filter)) return std::nullopt;
  return streamed;
}

std::string NumberedKey(const tree::ProjectedColumn& key, const std::string& text) {
  if (!IsText(key)) return text;
  return std::string(kTextNumberFunction) + "(" + text + ", CAST($3 AS BIGINT))";
}

std::string StreamedSummand(const tree::Aggregate& aggregate, const std::string& argument) {
  if (aggregate.measure.kind == MeasureKind::kValues) return argument;
  // A grid has at most 2^62 steps, its squares more.
  const char* type = aggregate.measure.kind == MeasureKind::kSum ? "BIGINT" : "HUGEINT";
  return "CAST(" + PrintSummand("(" + argument + ")", aggregate) + " AS " + type + ")";
}

constexpr char kInRange[] = " BETWEEN CAST($1 AS BIGINT) AND CAST($2 AS BIGINT)";

// Of one scan, in stored order.
Result<std::string> PrintStoredRows(const tree::ExactNode& exact, const tree::Project& project,
                                    const Printer& printer, const std::string& alias) {
  const std::string number = printer.Quote(alias) + "." + printer.Quote(kNumberColumn);
  std::string items = number;
  for (const std::string& name : exact.groups.keys) {
    const tree::ProjectedColumn& key = ColumnNamed(project, name);
    TACIT_TRY(const std::string text, printer.Print(key));
    items += ", " + NumberedKey(key, text);
  }
  for (const tree::Aggregate& aggregate : exact.groups.aggregates) {
    if (!aggregate.filter.empty()) {
      TACIT_TRY(const std::string filter, printer.Print(ColumnNamed(project, aggregate.filter)));
      items += ", " + filter;
    }
    if (!aggregate.argument.empty()) {
      TACIT_TRY(const std::string argument,
                printer.Print(ColumnNamed(project, aggregate.argument)));
      items += ", " + StreamedSummand(aggregate, argument);
    }
  }
  TACIT_TRY(const std::string source, printer.Source(project.input));
  std::string text = "SELECT " + items + " FROM " + source + " WHERE " + number + kInRange;
  for (const tree::Typed& filter : project.filters) {
    TACIT_TRY(const std::string condition, printer.Print(filter));
    text += " AND (" + condition + ")";
  }
  return text;
}

// Of everything else, sorted.
Result<std::string> PrintSortedRows(const tree::ExactNode& exact, const tree::GroupPlaces& places,
                                    const tree::Project& project, const Printer& printer) {
  std::string items = "u";
  for (const std::string& key : exact.groups.keys) {
    items += ", " + NumberedKey(ColumnNamed(project, key), "rows." + key);
  }
  for (const tree::Aggregate& aggregate : exact.groups.aggregates) {
    if (!aggregate.filter.empty()) items += ", " + aggregate.filter;
    if (!aggregate.argument.empty()) {
      items += ", " + StreamedSummand(aggregate, aggregate.argument);
    }
  }
  std::string order = "u";
  for (size_t i = 1; i <= project.ranks.size(); ++i) order += ", o" + std::to_string(i);
  TACIT_TRY(const std::string listed, printer.From(places.input));
  return "SELECT " + items + " FROM " + listed + " WHERE u" + kInRange + " ORDER BY " + order;
}

}  // namespace

// proof: engine/duckdb/rules/rules.md#the-group-cap-in-one-pass
Result<std::optional<StreamedCap>> StreamCap(const tree::ExactNode& exact) {
  using Nothing = std::optional<StreamedCap>;
  const tree::GroupPlaces* places = tree::PlacesOf(exact.groups.rows);
  const tree::Scan* scan = places == nullptr ? nullptr : NumberingScan(exact, *places);
  if (scan == nullptr) return Nothing();
  const tree::Project& project = tree::ProjectOf(places->input);
  const tree::KeyList keys = ListOfKeys(*places);
  // Beside private keys, a list of public ones has to be looked up on its own.
  const bool mixed = keys && !exact.all_of;
  const Printer printer(exact, StatementDialect());
  StreamedCap stream{.rows_sql = "",
                     .sorts = mixed || !tree::As<tree::PreparedScan>(project.input),
                     .numbered = {},
                     .units_sql = "SELECT coalesce(max(" + printer.Quote(kNumberColumn) +
                                  "), 0) FROM " + printer.Quote(scan->table),
                     .keys_sql = "",
                     .groups = LimitOf(exact.groups.cap).groups,
                     .measures = {}};
  for (const std::string& name : exact.groups.keys) {
    const tree::ProjectedColumn& key = ColumnNamed(project, name);
    if (!IsPlainKey(key)) return Nothing();
    stream.numbered.push_back(IsText(key));
  }
  if (exact.groups.with_people)
    stream.measures.push_back({.limit = LimitOf(exact.groups.cap), .counts_units = true});
  for (const tree::Aggregate& aggregate : exact.groups.aggregates) {
    const std::optional<StreamedMeasure> streamed = Streamed(aggregate);
    if (!streamed) return Nothing();
    stream.measures.push_back(*streamed);
  }
  if (exact.all_of) {
    TACIT_TRY(stream.keys_sql, printer.KeyList(*exact.all_of));
  }
  TACIT_TRY(stream.rows_sql, stream.sorts
                                 ? PrintSortedRows(exact, *places, project, printer)
                                 : PrintStoredRows(exact, project, printer, scan->alias()));
  return Nothing(std::move(stream));
}

}  // namespace tacit::engine::duckdb
