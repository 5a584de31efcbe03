#include "engine/postgres/statement/dialect.h"

#include "engine/statement/printer.h"
#include "plan/above/post_text.h"
#include "sql/print/quote.h"

namespace tacit::engine::postgres {
namespace {

using statement::kGroupPlace;
using statement::kPlaceInGroup;

// Which row of its table a row is, in one statement.
constexpr char kRowColumn[] = "tacit_row";

std::string Listed(const std::vector<std::string>& parts) { return statement::ListOf(parts, ", "); }

// As bytes of a text: a mark, four for its length, and itself.
std::string TextBytes(const std::string& text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string bytes = "'\\x01";
  const auto add = [&bytes](unsigned byte) {
    bytes += kDigits[byte / 16];
    bytes += kDigits[byte % 16];
  };
  const size_t size = text.size();
  for (int shift = 24; shift >= 0; shift -= 8) add((size >> shift) & 0xff);
  for (const char c : text) add(static_cast<unsigned char>(c));
  return bytes + "'::bytea";
}

}  // namespace

std::string PostgresStatement::Parameter(size_t number, const std::string& type) const {
  const std::string text = "CAST($" + std::to_string(number) + " AS " + type + ")";
  return type == "text" ? "(" + text + " COLLATE \"C\")" : text;
}

std::string PostgresStatement::KeyValue(const policy::KeyValue& value) const {
  const std::string text = plan::KeyValueText(value);
  return value.kind == policy::KeyValue::Kind::kText ? "(" + text + " COLLATE \"C\")" : text;
}

std::string PostgresStatement::Values(const std::vector<std::string>& values) const {
  return "SELECT * FROM (VALUES (" + statement::ListOf(values, "), (") + ")) AS listed(v)";
}

std::string PostgresStatement::WholeNumbers(const Integer& low, const Integer& end,
                                            const Integer& step, const std::string& type) const {
  const Integer last = end - 1;
  const auto number = [](const Integer& of) { return "CAST('" + of.get_str() + "' AS bigint)"; };
  return "SELECT CAST(number AS " + type + ") AS v FROM generate_series(" + number(low) + ", " +
         number(last) + ", " + number(step) + ") AS number";
}

std::optional<std::string> PostgresStatement::AsDouble(const std::string&, const ValueType&) const {
  return std::nullopt;
}

std::string PostgresStatement::ColumnsOf(const CatalogTable& table) const {
  std::vector<std::string> items;
  for (const CatalogColumn& column : table.columns) {
    items.push_back(column.read + " AS " + words_.Identifier(column.seen.name));
  }
  return Listed(items);
}

// ONLY: rows of tables that inherit from it are in no key of its own. Partitions are its rows.
std::string PostgresStatement::StoredTable(const CatalogTable& table) const {
  return std::string(table.is_partitioned ? "" : "ONLY ") + sql::QuoteIdentifier(catalog_.schema) +
         "." + sql::QuoteIdentifier(table.name);
}

std::string PostgresStatement::Table(const std::string& name) const {
  const CatalogTable* table = catalog_.Find(name);
  if (table == nullptr) return words_.Missing("the table " + name);
  return "(SELECT " + ColumnsOf(*table) + " FROM " + StoredTable(*table) + ")";
}

// PostgreSQL has no min() of these.
std::string PostgresStatement::Least(const std::string& name, const std::string& column) const {
  const std::string text = words_.Identifier(column);
  const CatalogTable* table = catalog_.Find(name);
  const CatalogColumn* stored = table != nullptr ? table->Find(column) : nullptr;
  const bool has_least =
      stored == nullptr || (stored->stored != Stored::kUuid && stored->stored != Stored::kBoolean);
  return has_least ? "min(" + text + ")" : "(array_agg(" + text + " ORDER BY " + text + "))[1]";
}

statement::NumberedTable PostgresStatement::Numbered(const std::string& name,
                                                     const std::vector<std::string>&) const {
  const std::string base = sql::QuoteIdentifier("tacit_base");
  const CatalogTable* table = catalog_.Find(name);
  if (table == nullptr) return {.table = words_.Missing("the table " + name), .row = base};
  // Of several partitions each has a first row.
  const std::string row = table->is_partitioned ? "row_number() OVER ()" : "ctid";
  return {.table = "(SELECT " + row + " AS " + kRowColumn + ", " + ColumnsOf(*table) + " FROM " +
                   StoredTable(*table) + ") AS " + base,
          .row = base + "." + kRowColumn};
}

// As engine/duckdb/functions/row_hash.cc reads the row; the key's parameter holds its bytes. The
// first 64 bits of the digest compare as bytes as they do as a number.
std::string PostgresStatement::RowHash(const tree::Scan& scan, const std::string& unit,
                                       size_t key_parameter) const {
  const CatalogTable* table = catalog_.Find(scan.table);
  if (table == nullptr) return words_.Missing("the table " + scan.table);
  const std::string root = scan.hops.empty() ? scan.table : scan.hops.back().to_table;
  const std::string unit_name =
      scan.unit_column.empty() ? scan.hops.back().to_column : scan.unit_column;
  const CatalogTable* unit_table = catalog_.Find(root);
  const CatalogColumn* unit_stored = unit_table != nullptr ? unit_table->Find(unit_name) : nullptr;
  if (unit_stored == nullptr) return words_.Missing("the column " + unit_name + " of " + root);
  const std::string unit_text = words_.Cast(unit, unit_stored->seen.type, kTextType);
  std::string bytes = "CAST($" + std::to_string(key_parameter) + " AS bytea) || " +
                      TextBytes(scan.table) + " || " +
                      PrintBytes(unit_text, Stored::kText, kTextType);
  for (const std::string& column : scan.stored_columns) {
    const CatalogColumn* stored = table->Find(column);
    if (stored == nullptr) return words_.Missing("the column " + column + " of " + scan.table);
    const std::string value = sql::QuoteIdentifier("tacit_base") + "." + words_.Identifier(column);
    bytes += " || (" + PrintBytes(value, stored->stored, stored->seen.type) + ")";
  }
  return "substring(sha256(" + bytes + ") FROM 1 FOR 8)";
}

std::string PostgresStatement::FirstRanked(const statement::Ranked& ranked) const {
  const std::string name = ranked.rank_name.empty() ? "tacit_place" : ranked.rank_name;
  return "SELECT * FROM (SELECT " + ranked.items + ", " + ranked.rank + " AS " + name + " FROM " +
         ranked.from + ") AS ranked WHERE " + name + " <= " + ranked.rows.get_str();
}

// proof: plan/price/group_cap.md#claim
std::string PostgresStatement::GroupPlaced(const statement::RowsToPlace& rows) const {
  const std::string group = "PARTITION BY u, " + rows.keys;
  const std::string numbered = "SELECT *, row_number() OVER (PARTITION BY u ORDER BY " +
                               rows.order + ") AS tacit_place FROM " + rows.from;
  const std::string placed = "SELECT *, row_number() OVER (" + group +
                             " ORDER BY tacit_place) AS " + std::string(kPlaceInGroup) +
                             ", min(tacit_place) OVER (" + group + ") AS tacit_first FROM (" +
                             numbered + ") AS numbered";
  return "SELECT *, dense_rank() OVER (PARTITION BY u ORDER BY tacit_first) AS " +
         std::string(kGroupPlace) + " FROM (" + placed + ") AS placed";
}

std::string PostgresStatement::SemiJoin(const std::string& rows, const std::string& keys,
                                        const std::string& on) const {
  return "(SELECT * FROM (" + rows + ") AS rows WHERE EXISTS (SELECT 1 FROM (" + keys +
         ") AS keys WHERE " + on + ")) AS rows";
}

std::string PostgresStatement::ComparedLast(const std::string& equality) const { return equality; }

// Only DuckDB's rules make such scans.
std::string PostgresStatement::PreparedUnit(const tree::Scan& scan) const {
  return words_.Missing("a prepared copy of " + scan.table);
}

// What is computed in doubles is one, whatever type the query gives it.
tree::Aggregate PostgresStatement::AsComputed(tree::Aggregate aggregate) const {
  if (in_doubles_.contains(aggregate.argument)) aggregate.measure.type = kDoubleType;
  return aggregate;
}

std::string PostgresStatement::Aggregate(const tree::Aggregate& aggregate,
                                         tree::CountPeople people) const {
  return PrintAggregate(AsComputed(aggregate), people, words_);
}

std::string PostgresStatement::OwnSumBefore(const tree::Aggregate& aggregate,
                                            const std::string& order) const {
  return PrintOwnSumBefore(AsComputed(aggregate), order, words_);
}

std::string PostgresStatement::People(tree::CountPeople people, const std::string& filter) const {
  const std::string passing = filter.empty() ? "" : " FILTER (WHERE " + filter + ")";
  const std::string count = people == tree::CountPeople::kRows ? "count(*)" : "count(DISTINCT u)";
  return "CAST(" + count + passing + " AS numeric)";
}

std::string PostgresStatement::Nothing(const tree::Aggregate& aggregate) const {
  if (!analysis::ReadsCells(aggregate.measure)) return "0";
  if (aggregate.measure.kind == analysis::MeasureKind::kQuantile) return "''";
  std::string zeros = "0";
  for (size_t i = 1; i < aggregate.measure.values.size(); ++i) zeros += ",0";
  return "'" + zeros + "'";
}

}  // namespace tacit::engine::postgres
