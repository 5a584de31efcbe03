#include "engine/statement/printer.h"

// The scan of a protected table: rows with a unit, at most rows_per_unit of each, and which ones
// stay is decided by a keyed hash of the whole row. analysis/relations/scan.md has the claim.
namespace tacit::engine::statement {
namespace {

constexpr char kBase[] = "tacit_base";

std::string Base(const Dialect& dialect, const std::string& column) {
  return dialect.Words().Identifier(kBase) + "." + dialect.Words().Identifier(column);
}

std::string AllColumns(const Dialect& dialect, const std::vector<std::string>& stored) {
  std::vector<std::string> all;
  for (const std::string& column : stored) all.push_back(Base(dialect, column));
  return ListOf(all, ", ");
}

// Following foreign keys: each parent key once, so that no row can be multiplied.
struct Parents {
  std::string joins;
  std::string unit;
};
Parents PrintParents(const tree::Scan& scan, const Dialect& dialect) {
  const auto quote = [&](const std::string& name) { return dialect.Words().Identifier(name); };
  if (scan.hops.empty()) return {.joins = "", .unit = Base(dialect, scan.unit_column)};
  std::string joins;
  std::string child = quote(kBase);
  for (size_t i = 0; i < scan.hops.size(); ++i) {
    const policy::UnitHop& hop = scan.hops[i];
    const bool last = i + 1 == scan.hops.size();
    const std::string next = !last                      ? scan.hops[i + 1].via
                             : scan.unit_column.empty() ? hop.to_column
                                                        : scan.unit_column;
    const std::string parent = quote("tacit_parent_" + std::to_string(i + 1));
    const std::string via = quote(i == 0 ? hop.via : "tacit_next");
    joins += " JOIN (SELECT " + quote(hop.to_column) + " AS " + quote("tacit_key") + ", " +
             dialect.Least(hop.to_table, next) + " AS " + quote("tacit_next") + " FROM " +
             dialect.Table(hop.to_table) + " AS " + quote("tacit_stored") + " GROUP BY " +
             quote(hop.to_column) + ") AS " + parent + " ON " + child + "." + via + " = " + parent +
             "." + quote("tacit_key");
    child = parent;
  }
  return {.joins = joins, .unit = child + "." + quote("tacit_next")};
}

}  // namespace

std::vector<std::string> Printer::Read(const std::string& relation) const {
  std::vector<std::string> columns;
  const auto read = read_.find(relation);
  if (read == read_.end()) return columns;
  for (const std::string& column : read->second) columns.push_back(Base(dialect_, column));
  return columns;
}

// proof: analysis/relations/scan.md#claim
std::string Printer::Scan(const tree::Scan& scan, const std::optional<Integer>& cap) const {
  const Parents parents = PrintParents(scan, dialect_);
  std::vector<std::string> items = Read(scan.alias());
  items.push_back(parents.unit + " AS " + Quote(analysis::kUnitColumn));
  if (!cap && scan.ranked) items.push_back("1 AS " + Quote(kRankColumn));
  const std::string from = dialect_.Table(scan.table) + " AS " + Quote(kBase) + parents.joins +
                           " WHERE " + parents.unit + " IS NOT NULL";
  std::string text = "SELECT " + ListOf(items, ", ") + " FROM " + from;
  if (cap) {
    // The number of a row among its unit's: by the keyed hash, then by everything that tells two
    // rows apart.
    text = dialect_.FirstRanked({.items = ListOf(items, ", "),
                                 .from = from,
                                 .rank = "row_number() OVER (PARTITION BY " + parents.unit +
                                         " ORDER BY " +
                                         dialect_.RowHash(scan, parents.unit, key_parameter_) +
                                         ", " + AllColumns(dialect_, scan.stored_columns) + ")",
                                 .rank_name = scan.ranked ? Quote(kRankColumn) : "",
                                 .rows = *cap});
  }
  return "(" + text + ") AS " + Quote(scan.alias());
}

std::string Printer::Prepared(const tree::Scan& scan) const {
  std::vector<std::string> items = Read(scan.alias());
  items.push_back(dialect_.PreparedUnit(scan));
  return "(SELECT " + ListOf(items, ", ") + " FROM " + dialect_.PreparedTable(scan.table) + " AS " +
         Quote(kBase) + ") AS " + Quote(scan.alias());
}

std::string Printer::RowScan(const tree::RowScan& scan) const {
  std::vector<std::string> items = Read(scan.alias);
  NumberedTable numbered{.table = dialect_.Table(scan.table) + " AS " + Quote(kBase), .row = ""};
  if (scan.told_apart) {
    numbered = dialect_.Numbered(scan.table, scan.stored_columns);
    items.push_back(numbered.row + " AS " + Quote(kNumberColumn));
  }
  if (items.empty()) items.push_back("1 AS " + Quote("tacit_row"));
  return "(SELECT " + ListOf(items, ", ") + " FROM " + numbered.table + ") AS " + Quote(scan.alias);
}

std::string Printer::PublicScan(const tree::PublicScan& scan) const {
  std::vector<std::string> items = Read(scan.alias);
  if (items.empty()) items.push_back("1 AS " + Quote("tacit_row"));
  const std::string from = dialect_.Table(scan.table) + " AS " + Quote(kBase);
  std::string text = "SELECT " + ListOf(items, ", ") + " FROM " + from;
  if (!scan.one_each.empty() && !scan.is_one_each) {
    text = dialect_.FirstRanked({.items = ListOf(items, ", "),
                                 .from = from,
                                 .rank = "row_number() OVER (PARTITION BY " +
                                         AllColumns(dialect_, scan.one_each) + " ORDER BY " +
                                         AllColumns(dialect_, scan.stored_columns) + ")",
                                 .rank_name = "",
                                 .rows = 1});
  }
  return "(" + text + ") AS " + Quote(scan.alias);
}

UnitRows PrintUnitRows(const tree::Scan& scan, size_t key_parameter, const Dialect& dialect) {
  const Parents parents = PrintParents(scan, dialect);
  const NumberedTable numbered = dialect.Numbered(scan.table, scan.stored_columns);
  return {.row = numbered.row,
          .unit = parents.unit,
          .table = numbered.table,
          .parents = parents.joins,
          .hash = scan.unit_is_unique ? "" : dialect.RowHash(scan, parents.unit, key_parameter),
          .columns = AllColumns(dialect, scan.stored_columns)};
}

}  // namespace tacit::engine::statement
