#include "plan/duckdb/exact_sql.h"

#include <algorithm>

#include "analysis/blocks/block_map.h"
#include "base/mutant.h"
#include "plan/duckdb/functions.h"
#include "plan/duckdb/prepared.h"

namespace tacit::plan::duckdb {

using analysis::Block;
using analysis::MeasureKind;

bool TellsRowsApart(const Block& block) {
  if (TACIT_MUTANT("row_unit_counts_rows")) return false;
  return !block.rows.unit && block.rows.rows_per_unit != 1;
}

size_t FirstWith(const Block& block, size_t i, sql::Expression analysis::Measure::*part) {
  for (size_t j = 0; j < i; ++j) {
    if (block.measures[j].*part == block.measures[i].*part) return j;
  }
  return i;
}

Result<std::string> PrintArgument(const Block& block, size_t i) {
  const sql::Expression& argument = block.measures[i].argument;
  for (const analysis::Measure& other : block.measures) {
    if (!(other.argument == argument) || other.kind == MeasureKind::kValues) continue;
    const bool on_grid = other.kind == MeasureKind::kSum ||
                         other.kind == MeasureKind::kSumOfSquares ||
                         other.kind == MeasureKind::kSumOfProducts;
    const bool fraction =
        other.type.kind == sql::TypeKind::kNumeric || other.type.kind == sql::TypeKind::kDouble;
    if (!on_grid || !fraction) return PrintBelow(argument, block);
  }
  const sql::TypeKind kind = block.measures[i].type.kind;
  const bool fraction = kind == sql::TypeKind::kNumeric || kind == sql::TypeKind::kDouble;
  if (!fraction || sql::As<sql::ColumnReference>(argument)) return PrintBelow(argument, block);
  return PrintInDoubles(argument, block);
}

namespace {

std::string Number(const char* letter, size_t i) { return letter + std::to_string(i + 1); }

bool HasOuterJoin(const analysis::RowSource& source) {
  const auto* join = analysis::As<analysis::RowJoin>(source);
  return join != nullptr && (join->kind != sql::JoinKind::kInner || HasOuterJoin(join->left) ||
                             HasOuterJoin(join->right));
}

// The prepared table whose rows the block reads, each at most once: tables of people are joined on
// the person, so that others with one row of each multiply none, and a public one is met once.
const analysis::TableScan* RepeatingScan(const Block& block) {
  const analysis::RowSource& source = block.rows.source;
  if (!block.rows.unit || block.group_cap || !IsRanked(source) || HasOuterJoin(source)) {
    return nullptr;
  }
  const analysis::TableScan* found = nullptr;
  int several = 0;
  analysis::ForEachScan(source, [&](const analysis::TableScan& scan) {
    if (scan.is_public || scan.rows_per_unit == 1) return;
    found = &scan;
    ++several;
  });
  return several == 1 ? found : nullptr;
}

// What tells the units of the rows apart: where the table is prepared, their numbers, which are
// faster to compare than most units.
std::string PrintTellingUnits(const Block& block, const sql::ColumnReference& unit) {
  std::string table = unit.table;
  if (const analysis::TableScan* scan = RepeatingScan(block)) table = scan->alias;
  bool numbered = false;
  analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
    numbered = numbered || (scan.alias == table && scan.prepared);
  });
  return Quote(table) + "." + Quote(numbered ? kNumberColumn : unit.column);
}

// The stored row that a row was made of. Two tables whose rows are people are never joined.
std::string PrintRowIdentity(const Block& block) {
  std::string row;
  analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
    if (scan.is_public) return;
    TACIT_ASSERT(row.empty());
    row = Quote(scan.alias) + "." + Quote(kNumberColumn);
  });
  return row;
}

Result<std::string> PrintConditions(const Block& block) {
  std::string conditions;
  for (const sql::Expression& filter : block.rows.filters) {
    TACIT_TRY(const std::string condition, PrintBelow(filter, block));
    conditions += (conditions.empty() ? " WHERE (" : " AND (") + condition + ")";
  }
  return conditions;
}

}  // namespace

Result<RowsText> PrintUncapped(const Block& block) {
  std::string items;
  const auto add = [&](const std::string& text, const std::string& name) {
    items += (items.empty() ? "" : ", ") + text + " AS " + name;
  };
  for (size_t i = 0; i < block.keys.size(); ++i) {
    TACIT_TRY(const std::string key, PrintKey(block.keys[i], block));
    add(key, Number("k", i));
  }
  for (size_t i = 0; i < block.measures.size(); ++i) {
    const analysis::Measure& measure = block.measures[i];
    if (measure.argument && FirstWith(block, i, &analysis::Measure::argument) == i) {
      TACIT_TRY(const std::string argument, PrintArgument(block, i));
      add(argument, Number("a", i));
    }
    if (measure.factor && FirstWith(block, i, &analysis::Measure::factor) == i) {
      TACIT_TRY(const std::string factor, PrintBelow(measure.factor, block));
      add(factor, Number("b", i));
    }
    if (measure.filter && FirstWith(block, i, &analysis::Measure::filter) == i) {
      TACIT_TRY(const std::string filter, PrintBelow(measure.filter, block));
      add(filter, Number("f", i));
    }
  }
  const auto* unit = sql::As<sql::ColumnReference>(block.rows.unit);
  if (unit != nullptr) add(PrintTellingUnits(block, *unit), "u");
  if (TellsRowsApart(block)) add(PrintRowIdentity(block), "u");
  if (block.group_cap) {
    for (const std::string& order : PrintOrders(block)) items += ", " + order;
  }
  if (items.empty()) items = "1 AS one";
  const int key_parameter = static_cast<int>(block.constants.size()) + 1;
  TACIT_TRY(const RowsText source, PrintSource(block, key_parameter));
  std::string text = "SELECT " + items + " FROM " + source.text;
  if (!block.constants.empty()) text += " CROSS JOIN " + PrintConstants(block);
  TACIT_TRY(const std::string conditions, PrintConditions(block));
  return RowsText{text + conditions, source.uses_deployment_key};
}

namespace {

Result<RowsText> PrintRows(const Block& block) {
  TACIT_TRY(RowsText rows, PrintUncapped(block));
  if (block.rows.unit && !IsPlain(block.rows.source)) {
    rows.text = PrintUnitCapped(block, rows.text);
  }
  if (block.group_cap) {
    TACIT_TRY(rows.text, PrintCapped(block, rows.text));
  }
  return rows;
}

// How people are told apart where they have several rows.
enum class People { kByNumbers, kBySets };

// Where each unit has one row at most, rows are units.
std::string PrintUnitCount(const Block& block, People people) {
  const bool told_apart = block.rows.unit || TellsRowsApart(block);
  if (!told_apart || block.rows.rows_per_unit == 1) return "count(*)";
  if (people == People::kByNumbers) return std::string(kPeopleFunction) + "(u)";
  return "count(DISTINCT u)";
}

std::string PrintAggregate(const Block& block, size_t i, People people) {
  const analysis::Measure& measure = block.measures[i];
  const std::string argument = Number("a", FirstWith(block, i, &analysis::Measure::argument));
  const size_t same_filter = FirstWith(block, i, &analysis::Measure::filter);
  const std::string filter =
      measure.filter ? " FILTER (WHERE " + Number("f", same_filter) + ")" : std::string();
  switch (measure.kind) {
    case MeasureKind::kRows:
      return "CAST(count(*)" + filter + " AS HUGEINT)";
    case MeasureKind::kValues:
      return "CAST(count(" + argument + ")" + filter + " AS HUGEINT)";
    case MeasureKind::kDistinct:
      return "CAST(count(DISTINCT " + argument + ")" + filter + " AS HUGEINT)";
    case MeasureKind::kUnits:
      return "CAST(" + PrintUnitCount(block, people) + filter + " AS HUGEINT)";
    case MeasureKind::kQuantile:
    case MeasureKind::kMode:
      return PrintCells(argument, measure, filter);
    case MeasureKind::kSumOfProducts: {
      const std::string factor = Number("b", FirstWith(block, i, &analysis::Measure::factor));
      return "CAST(coalesce(sum(" + PrintProduct(argument, factor, measure) + ")" + filter +
             ", 0) AS HUGEINT)";
    }
    case MeasureKind::kSum:
      return PrintSum(argument, measure, filter);
    case MeasureKind::kSumOfSquares:
      return "CAST(coalesce(sum(" + PrintSummand(argument, measure) + ")" + filter +
             ", 0) AS HUGEINT)";
  }
  TACIT_ASSERT(false);
  return "";
}

struct Lists {
  std::string keys;        // k1, k2
  std::string aggregates;  // ... AS m1, ... AS m2, after a comma where keys stand before
};

Lists PrintLists(const Block& block, bool with_units, People people) {
  Lists lists;
  for (size_t i = 0; i < block.keys.size(); ++i) {
    lists.keys += (i == 0 ? "" : ", ") + Number("k", i);
  }
  if (with_units) {
    lists.aggregates = "CAST(" + PrintUnitCount(block, people) + " AS HUGEINT) AS units";
  }
  for (size_t i = 0; i < block.measures.size(); ++i) {
    lists.aggregates += (lists.aggregates.empty() ? "" : ", ") + PrintAggregate(block, i, people) +
                        " AS " + Number("m", i);
  }
  return lists;
}

std::string Comma(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : ", ") + b;
}

// Every key of the list, zeros included; rows with another key are left out.
Result<std::string> PrintAllGroups(const Block& block, const std::string& rows,
                                   const Lists& lists) {
  TACIT_TRY(const std::string keys, KeyListSql(block));
  std::string items;
  std::string on;
  for (size_t i = 0; i < block.keys.size(); ++i) {
    const std::string key = Number("k", i);
    items = Comma(items, "keys." + key);
    on += (on.empty() ? "" : " AND ") + ("found." + key) + " = keys." + key;
  }
  for (size_t i = 0; i < block.measures.size(); ++i) {
    const std::string measure = Number("m", i);
    const bool list = analysis::ReadsCells(block.measures[i]);
    const std::string nothing = list ? PrintNoCells(block.measures[i]) : "0";
    items = Comma(items, "coalesce(found." + measure + ", " + nothing + ") AS " + measure);
  }
  return "SELECT " + items + " FROM (" + keys + ") AS keys LEFT JOIN (SELECT " +
         Comma(lists.keys, lists.aggregates) + " FROM (" + rows + ") AS rows GROUP BY " +
         lists.keys + ") AS found ON " + on;
}

// Private keys; beside them, public ones only limit which rows count.
Result<std::string> PrintFoundGroups(const Block& block, const std::string& rows,
                                     const Lists& lists) {
  std::string on;
  for (size_t i = 0; i < block.keys.size(); ++i) {
    if (!block.keys[i].IsPublic()) continue;
    on += (on.empty() ? "" : " AND ") + ("rows." + Number("k", i)) + " = keys." + Number("k", i);
  }
  std::string from = "(" + rows + ") AS rows";
  if (!on.empty()) {
    TACIT_TRY(const std::string keys, KeyListSql(block));
    from += " SEMI JOIN (" + keys + ") AS keys ON " + on;
  }
  return "SELECT " + Comma(lists.keys, lists.aggregates) + " FROM " + from + " GROUP BY " +
         lists.keys;
}

// The table whose rows are counted and nothing else, all of them but for filters. Its statement
// needs no column, and the engine is a tenth faster when none is named.
const analysis::TableScan* CountedTable(const Block& block) {
  const auto* scan = analysis::As<analysis::TableScan>(block.rows.source);
  const bool whole = scan != nullptr && (scan->prepared || !block.rows.unit);
  const bool counted = std::all_of(block.measures.begin(), block.measures.end(), [](const auto& m) {
    return m.kind == MeasureKind::kRows && !m.filter;
  });
  return whole && counted && block.keys.empty() && block.constants.empty() ? scan : nullptr;
}

// The whole statement over rows of the block.
Result<std::string> PrintGroups(const Block& block, const std::string& rows, bool with_units,
                                People people) {
  const Lists lists = PrintLists(block, with_units, people);
  if (block.keys.empty()) {
    TACIT_ASSERT(!with_units && !lists.aggregates.empty());
    if (const analysis::TableScan* table = CountedTable(block)) {
      TACIT_TRY(const std::string conditions, PrintConditions(block));
      return "SELECT " + lists.aggregates + " FROM " + Quote(table->table) + " AS " +
             Quote(table->alias) + conditions;
    }
    return "SELECT " + lists.aggregates + " FROM (" + rows + ") AS rows";
  }
  if (block.HasPrivateKeys()) return PrintFoundGroups(block, rows, lists);
  TACIT_ASSERT(!with_units);
  return PrintAllGroups(block, rows, lists);
}

}  // namespace

Result<ExactQuery> ExactSql(const Block& asked, bool with_units) {
  const Block block = OverPreparedColumns(asked);
  TACIT_TRY(const RowsText rows, PrintRows(block));
  ExactQuery query{.sql = "",
                   .uses_deployment_key = rows.uses_deployment_key,
                   .stream = std::nullopt,
                   .distinct_joins = std::nullopt,
                   .sets_sql = ""};
  const People people = RepeatingScan(block) ? People::kByNumbers : People::kBySets;
  TACIT_TRY(query.sql, PrintGroups(block, rows.text, with_units, people));
  if (people == People::kByNumbers) {
    TACIT_TRY(query.sets_sql, PrintGroups(block, rows.text, with_units, People::kBySets));
    if (query.sets_sql == query.sql) query.sets_sql.clear();  // it counts nobody
  }
  TACIT_TRY(query.stream, PrintStream(block, with_units));
  if (std::optional<LoosenedJoins> loosened = LoosenJoins(block)) {
    TACIT_TRY(const RowsText joined, PrintRows(loosened->block));
    DistinctJoins joins{.sql = "", .by = std::move(loosened->by)};
    TACIT_TRY(joins.sql, PrintGroups(block, joined.text, with_units, people));
    query.distinct_joins = std::move(joins);
  }
  return query;
}

}  // namespace tacit::plan::duckdb
