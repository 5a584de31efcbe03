#include "engine/duckdb/statement/dialect.h"

#include <algorithm>

#include "engine/duckdb/functions/own_functions.h"
#include "plan/above/post_text.h"
#include "sql/print/quote.h"

namespace tacit::engine::duckdb {
namespace {

using statement::kGroupPlace;
using statement::kNumberColumn;
using statement::kPlaceInGroup;
using statement::kRankColumn;
using statement::NumberedTable;
using statement::Ranked;
using statement::RowsToPlace;

std::string Base(const std::string& column) {
  return sql::QuoteIdentifier("tacit_base") + "." + sql::QuoteIdentifier(column);
}

class DuckdbStatements final : public statement::Dialect {
 public:
  const sql::Dialect& Words() const override { return sql::DuckDbInsideUnitDialect(); }

  std::string Parameter(size_t number, const std::string& type) const override {
    return "CAST($" + std::to_string(number) + " AS " + type + ")";
  }
  std::string KeyValue(const policy::KeyValue& value) const override {
    return plan::KeyValueText(value);
  }
  std::string Values(const std::vector<std::string>& values) const override {
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + value;
    return "SELECT unnest([" + list + "]) AS v";
  }
  std::string WholeNumbers(const Integer& low, const Integer& end, const Integer& step,
                           const std::string& type) const override {
    // In FROM it gives its numbers one by one; as a list it would be held whole, at 64 bytes each.
    return "SELECT CAST(range AS " + type + ") AS v FROM range(" + low.get_str() + ", " +
           end.get_str() + ", " + step.get_str() + ")";
  }
  std::optional<std::string> AsDouble(const std::string& column,
                                      const ValueType& stored) const override {
    if (stored.kind != TypeKind::kNumeric || stored.precision > kFromDecimalDigitsMax) {
      return std::nullopt;
    }
    return std::string(kFromDecimalFunction) + "(" + column + ")";
  }

  NumberedTable Numbered(const std::string& table,
                         const std::vector<std::string>& stored_columns) const override {
    const std::string base = sql::QuoteIdentifier("tacit_base");
    const std::string stored = sql::QuoteIdentifier(table);
    // A column of that name hides the engine's own: rows are then counted as they are stored.
    if (std::any_of(stored_columns.begin(), stored_columns.end(),
                    [](const std::string& name) { return policy::FoldedName(name) == "rowid"; })) {
      return {.table = "(SELECT *, row_number() OVER () - 1 AS tacit_row FROM " + stored + ") AS " +
                       base,
              .row = base + ".tacit_row"};
    }
    return {.table = stored + " AS " + base, .row = base + ".rowid"};
  }
  std::string RowHash(const tree::Scan& scan, const std::string& unit,
                      size_t key_parameter) const override {
    std::string text = std::string(kRowHashFunction) + "(" + Parameter(key_parameter, "VARCHAR") +
                       ", " + sql::QuoteString(scan.table) + ", CAST(" + unit + " AS VARCHAR)";
    for (const std::string& column : scan.stored_columns) {
      const bool opaque = scan.opaque_columns.contains(column);
      // What has no text, as an instant before all that the engine can write, is hashed as none.
      text += opaque ? ", TRY(CAST(" + Base(column) + " AS VARCHAR))" : ", " + Base(column);
    }
    return text + ")";
  }
  std::string FirstRanked(const Ranked& ranked) const override {
    const bool named = !ranked.rank_name.empty();
    return "SELECT " + ranked.items +
           (named ? ", " + ranked.rank + " AS " + ranked.rank_name : "") + " FROM " + ranked.from +
           " QUALIFY " + (named ? ranked.rank_name : ranked.rank) + " <= " + ranked.rows.get_str();
  }
  // proof: plan/price/group_cap.md#claim
  std::string GroupPlaced(const RowsToPlace& rows) const override {
    const std::string group = "PARTITION BY u, " + rows.keys;
    const std::string numbered = "SELECT *, row_number() OVER (PARTITION BY u ORDER BY " +
                                 rows.order + ") AS tacit_place FROM " + rows.from;
    const std::string placed = "SELECT *, row_number() OVER (" + group +
                               " ORDER BY tacit_place) AS " + kPlaceInGroup +
                               ", min(tacit_place) OVER (" + group + ") AS tacit_first FROM (" +
                               numbered + ") AS numbered";
    return "SELECT *, dense_rank() OVER (PARTITION BY u ORDER BY tacit_first) AS " +
           std::string(kGroupPlace) + " FROM (" + placed + ") AS placed";
  }
  std::string SemiJoin(const std::string& rows, const std::string& keys,
                       const std::string& on) const override {
    return "(" + rows + ") AS rows SEMI JOIN (" + keys + ") AS keys ON " + on;
  }
  std::string ComparedLast(const std::string& equality) const override {
    return "coalesce(" + equality + ", false)";
  }
  std::string PreparedUnit(const tree::Scan& scan) const override {
    const std::string stored = scan.hops.empty() ? scan.unit_column : analysis::kUnitColumn;
    std::string items = Base(stored) + " AS " + sql::QuoteIdentifier(analysis::kUnitColumn);
    const auto add = [&](const char* column) {
      items += ", " + Base(column) + " AS " + sql::QuoteIdentifier(column);
    };
    add(kNumberColumn);
    if (scan.ranked) add(kRankColumn);
    return items;
  }

  std::string Aggregate(const tree::Aggregate& aggregate, tree::CountPeople people) const override {
    return PrintAggregate(aggregate, people);
  }
  std::string People(tree::CountPeople people, const std::string& filter) const override {
    const std::string passing = filter.empty() ? "" : " FILTER (WHERE " + filter + ")";
    return "CAST(" + PrintPeople(people) + passing + " AS HUGEINT)";
  }
  std::string OwnSumBefore(const tree::Aggregate& aggregate,
                           const std::string& order) const override {
    return PrintOwnSumBefore(aggregate, order);
  }
  std::string Nothing(const tree::Aggregate& aggregate) const override {
    return analysis::ReadsCells(aggregate.measure) ? PrintNoCells(aggregate.measure) : "0";
  }
};

}  // namespace

const statement::Dialect& StatementDialect() {
  static const DuckdbStatements dialect;
  return dialect;
}

}  // namespace tacit::engine::duckdb
