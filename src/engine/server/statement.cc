#include "engine/server/statement.h"

#include "engine/statement/printer.h"
#include "plan/tree/check.h"
#include "plan/tree/walk.h"
#include "sql/print/quote.h"

namespace tacit::engine::server {
namespace {

using statement::kGroupPlace;
using statement::kPlaceInGroup;

// Which row of its table a row is, in one statement.
constexpr char kRowColumn[] = "tacit_row";

// Refused by name, never approximated.
Result<std::string> Complete(Result<std::string> text, const ServerStatement& dialect) {
  if (!text.ok() || dialect.missing().empty()) return text;
  return statement::WithoutWords(dialect.Name(), dialect.missing());
}

}  // namespace

std::string ServerStatement::ColumnsOf(const CatalogTable& table) const {
  std::vector<std::string> items;
  for (const CatalogColumn& column : table.columns) {
    items.push_back(column.read + " AS " + Words().Identifier(column.seen.name));
  }
  return statement::ListOf(items, ", ");
}

std::string ServerStatement::Table(const std::string& name) const {
  const CatalogTable* table = catalog_.Find(name);
  if (table == nullptr) return Words().Missing("the table " + name);
  return "(SELECT " + ColumnsOf(*table) + " FROM " + StoredTable(*table) + ")";
}

statement::NumberedTable ServerStatement::Numbered(const std::string& name,
                                                   const std::vector<std::string>&) const {
  const std::string base = sql::QuoteIdentifier("tacit_base");
  const CatalogTable* table = catalog_.Find(name);
  if (table == nullptr) return {.table = Words().Missing("the table " + name), .row = base};
  return {.table = "(SELECT " + RowNumber(*table) + " AS " + kRowColumn + ", " + ColumnsOf(*table) +
                   " FROM " + StoredTable(*table) + ") AS " + base,
          .row = base + "." + kRowColumn};
}

std::string ServerStatement::RowHash(const tree::Scan& scan, const std::string& unit,
                                     size_t key_parameter) const {
  const CatalogTable* table = catalog_.Find(scan.table);
  if (table == nullptr) return Words().Missing("the table " + scan.table);
  const std::string root = scan.hops.empty() ? scan.table : scan.hops.back().to_table;
  const std::string unit_name =
      scan.unit_column.empty() ? scan.hops.back().to_column : scan.unit_column;
  const CatalogTable* unit_table = catalog_.Find(root);
  const CatalogColumn* unit_stored = unit_table != nullptr ? unit_table->Find(unit_name) : nullptr;
  if (unit_stored == nullptr) return Words().Missing("the column " + unit_name + " of " + root);
  const std::string unit_text = Words().Cast(unit, unit_stored->seen.type, kTextType);
  std::string bytes = BytesOfKey(key_parameter) + " || " + BytesOf(scan.table) + " || (" +
                      Bytes(unit_text, Stored::kText, kTextType) + ")";
  for (const std::string& column : scan.stored_columns) {
    const CatalogColumn* stored = table->Find(column);
    if (stored == nullptr) return Words().Missing("the column " + column + " of " + scan.table);
    const std::string value = sql::QuoteIdentifier("tacit_base") + "." + Words().Identifier(column);
    bytes += " || (" + Bytes(value, stored->stored, stored->seen.type) + ")";
  }
  return Digest(bytes);
}

std::string ServerStatement::FirstRanked(const statement::Ranked& ranked) const {
  // Not the name of a place in GroupPlaced, whose rows these may be.
  const std::string name = ranked.rank_name.empty() ? "tacit_cut" : ranked.rank_name;
  return "SELECT * FROM (SELECT " + ranked.items + ", " + ranked.rank + " AS " + name + " FROM " +
         ranked.from + ") AS ranked WHERE " + name + " <= " + ranked.rows.get_str();
}

// proof: plan/price/group_cap.md#claim
std::string ServerStatement::GroupPlaced(const statement::RowsToPlace& rows) const {
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

// Only DuckDB's rules make such scans.
std::string ServerStatement::PreparedUnit(const tree::Scan& scan) const {
  return Words().Missing("a prepared copy of " + scan.table);
}

// What is computed in doubles is one, whatever type the query gives it.
tree::Aggregate ServerStatement::AsComputed(tree::Aggregate aggregate) const {
  if (in_doubles_.contains(aggregate.argument)) aggregate.measure.type = kDoubleType;
  return aggregate;
}

std::string ServerStatement::Aggregate(const tree::Aggregate& aggregate,
                                       tree::CountPeople people) const {
  return statement::PrintAggregate(AsComputed(aggregate), people, Sums());
}

std::string ServerStatement::OwnSumBefore(const tree::Aggregate& aggregate,
                                          const std::string& order) const {
  return statement::PrintOwnSumBefore(AsComputed(aggregate), order, Sums());
}

std::string ServerStatement::People(tree::CountPeople people, const std::string& filter) const {
  return statement::PrintPeople(people, filter, Sums());
}

std::string ServerStatement::Nothing(const tree::Aggregate& aggregate) const {
  return statement::NothingAsText(aggregate);
}

std::string MarkedHex(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex = "01";
  const auto add = [&hex](unsigned byte) {
    hex += kDigits[byte / 16];
    hex += kDigits[byte % 16];
  };
  for (int shift = 24; shift >= 0; shift -= 8) add((text.size() >> shift) & 0xff);
  for (const char c : text) add(static_cast<unsigned char>(c));
  return hex;
}

std::set<std::string> InDoubles(const tree::ExactNode& exact) {
  std::set<std::string> names;
  for (const tree::ProjectedColumn& column : tree::ProjectOf(exact.groups.rows).columns) {
    if (column.form == tree::Form::kInDoubles) names.insert(column.name);
  }
  return names;
}

Result<std::string> PrintRelease(const plan::Release& release, const ServerStatement& dialect) {
  TACIT_ASSERT(tree::BrokenWall(*release.exact).empty());
  return Complete(statement::PrintExact(*release.exact, dialect), dialect);
}

Result<std::string> PrintPublic(const plan::PublicTable& table, const ServerStatement& dialect) {
  if (const auto* keys = std::get_if<tree::AllKeys>(&table.rows)) {
    return Complete(statement::PrintKeys(*keys, dialect), dialect);
  }
  if (const auto* read = std::get_if<tree::PublicColumns>(&table.rows)) {
    std::string columns;
    for (const auto& [stored, name] : read->columns) {
      columns += (columns.empty() ? "" : ", ") + dialect.Words().Identifier(stored) + " AS " +
                 dialect.Words().Identifier(name);
    }
    return Complete("SELECT " + columns + " FROM " + dialect.Table(read->table) + " AS tacit_base",
                    dialect);
  }
  return std::string("SELECT 1 AS tacit_row");
}

}  // namespace tacit::engine::server
