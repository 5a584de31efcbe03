#include <algorithm>
#include <set>

#include "analysis/blocks/block_map.h"
#include "base/mutant.h"
#include "plan/duckdb/exact_sql.h"
#include "plan/duckdb/functions.h"
#include "plan/duckdb/prepared.h"
#include "sql/walk.h"

// The scan of a protected table: rows with a unit, at most rows_per_unit of each, and which ones
// stay is decided by a keyed hash of the whole row. scan.md has the claim.
namespace tacit::plan::duckdb {
namespace {

using analysis::TableScan;

std::string ListOf(const std::vector<std::string>& parts, const std::string& separator) {
  std::string list;
  for (const std::string& part : parts) list += (list.empty() ? "" : separator) + part;
  return list;
}

// Which stored columns the block uses of one scan.
std::set<std::string> UsedColumns(const analysis::Block& block, const std::string& alias) {
  std::set<std::string> used;
  analysis::Block copy = block;
  copy.columns.clear();
  copy.rows.unit = {};
  analysis::MapColumns(copy, [&](const sql::ColumnReference& reference) {
    if (reference.table == alias && !reference.column.empty()) used.insert(reference.column);
    return reference;
  });
  used.erase(kUnitColumn);
  return used;
}

// All that a query sees of the rows that it reads. What stands below a query or a union inside each
// person is seen through its own columns only.
std::vector<sql::ColumnReference> ColumnsRead(const analysis::Block& block,
                                              const analysis::RowSource& source) {
  std::vector<sql::ColumnReference> columns;
  const auto add_numbered = [&](const std::string& alias, size_t count) {
    for (size_t i = 1; i <= count; ++i) columns.push_back({alias, "c" + std::to_string(i)});
  };
  if (const auto* scan = analysis::As<TableScan>(source)) {
    for (const std::string& column : UsedColumns(block, scan->alias)) {
      columns.push_back({scan->alias, column});
    }
  } else if (const auto* query = analysis::As<analysis::UnitQuery>(source)) {
    add_numbered(query->alias, query->items.size());
  } else if (const auto* united = analysis::As<analysis::RowUnion>(source)) {
    add_numbered(united->alias, united->parts.front().items.size());
  } else if (const auto* literals = analysis::As<analysis::LiteralRows>(source)) {
    add_numbered(literals->alias, literals->types.size());
  } else {
    const auto& join = *analysis::As<analysis::RowJoin>(source);
    columns = ColumnsRead(block, join.left);
    const std::vector<sql::ColumnReference> right = ColumnsRead(block, join.right);
    columns.insert(columns.end(), right.begin(), right.end());
  }
  return columns;
}

// Following a foreign key: each parent key once, so that no row can be multiplied.
std::string PrintParents(const TableScan& scan, std::string* unit) {
  std::string joins;
  std::string child = Quote("tacit_base");
  for (size_t i = 0; i < scan.hops.size(); ++i) {
    const policy::UnitHop& hop = scan.hops[i];
    const bool last = i + 1 == scan.hops.size();
    const std::string next = !last                      ? scan.hops[i + 1].via
                             : scan.unit_column.empty() ? hop.to_column
                                                        : scan.unit_column;
    const std::string parent = Quote("tacit_parent_" + std::to_string(i + 1));
    const std::string via = i == 0 ? Quote(hop.via) : Quote("tacit_next");
    joins += " JOIN (SELECT " + Quote(hop.to_column) + " AS " + Quote("tacit_key") + ", min(" +
             Quote(next) + ") AS " + Quote("tacit_next") + " FROM " + Quote(hop.to_table) +
             " GROUP BY " + Quote(hop.to_column) + ") AS " + parent + " ON " + child + "." + via +
             " = " + parent + "." + Quote("tacit_key");
    child = parent;
  }
  *unit = child + "." + Quote("tacit_next");
  return joins;
}

std::vector<std::string> AllColumns(const TableScan& scan) {
  std::vector<std::string> all;
  for (const std::string& column : scan.stored_columns) {
    all.push_back(Quote("tacit_base") + "." + Quote(column));
  }
  return all;
}

std::string PrintHash(const TableScan& scan, const std::string& unit, int key_parameter) {
  std::vector<std::string> hashed = AllColumns(scan);
  for (size_t i = 0; i < hashed.size(); ++i) {
    if (!scan.opaque_columns.contains(scan.stored_columns[i])) continue;
    hashed[i] = "CAST(" + hashed[i] + " AS VARCHAR)";
  }
  return std::string(kRowHashFunction) + "(CAST($" + std::to_string(key_parameter) +
         " AS VARCHAR), " + QuoteText(scan.table) + ", CAST(" + unit + " AS VARCHAR), " +
         ListOf(hashed, ", ") + ")";
}

// The number of a row among its unit's: by the keyed hash, then by everything that tells two rows
// apart.
std::string PrintRank(const TableScan& scan, const std::string& unit, int key_parameter) {
  return "row_number() OVER (PARTITION BY " + unit + " ORDER BY " +
         PrintHash(scan, unit, key_parameter) + ", " + ListOf(AllColumns(scan), ", ") + ")";
}

// The items tacit_unit and, if wished, tacit_rank, and what follows FROM TABLE AS tacit_base.
struct UnitText {
  std::string items;
  std::string from;
  bool uses_key = false;
};

// A prepared table holds rows with a unit and within the cap alone: prepare counted the others
// before the copy was taken into use, and a policy with another cap has another copy. Asking again
// would read two more columns of every row.
UnitText PrintPreparedUnit(const TableScan& scan, bool with_rank) {
  const std::string base = Quote("tacit_base") + ".";
  std::vector<std::string> items = {base +
                                        Quote(scan.hops.empty() ? scan.unit_column : kUnitColumn) +
                                        " AS " + Quote(kUnitColumn),
                                    base + Quote(kNumberColumn) + " AS " + Quote(kNumberColumn)};
  if (with_rank) items.push_back(base + Quote(kRankColumn) + " AS " + Quote(kRankColumn));
  return {.items = ListOf(items, ", "), .from = "", .uses_key = false};
}

UnitText PrintUnit(const TableScan& scan, bool with_rank, int key_parameter) {
  if (scan.prepared) return PrintPreparedUnit(scan, with_rank);
  std::string unit = Quote("tacit_base") + "." + Quote(scan.unit_column);
  const std::string parents = scan.hops.empty() ? "" : PrintParents(scan, &unit);
  UnitText text{.items = unit + " AS " + Quote(kUnitColumn),
                .from = parents + " WHERE " + unit + " IS NOT NULL",
                .uses_key = !scan.unit_is_unique};
  const std::string rank = scan.unit_is_unique ? "1" : PrintRank(scan, unit, key_parameter);
  if (with_rank) text.items += ", " + rank + " AS " + Quote(kRankColumn);
  if (!scan.unit_is_unique) {
    text.from += " QUALIFY " + (with_rank ? Quote(kRankColumn) : rank) +
                 " <= " + scan.rows_per_unit.get_str();
  }
  return text;
}

// One row for each value of the joined columns; which one is decided by the public rows alone.
std::string PrintOneEach(const TableScan& scan) {
  std::vector<std::string> keys;
  for (const std::string& column : scan.unique_on) {
    keys.push_back(Quote("tacit_base") + "." + Quote(column));
  }
  return " QUALIFY row_number() OVER (PARTITION BY " + ListOf(keys, ", ") + " ORDER BY " +
         ListOf(AllColumns(scan), ", ") + ") <= 1";
}

// A stored table as tacit_base, and what tells its rows apart in one statement.
struct NumberedTable {
  std::string table;
  std::string row;
};

NumberedTable PrintNumbered(const TableScan& scan) {
  const std::string base = Quote("tacit_base");
  // A column of that name hides the engine's own: rows are then counted as they are stored.
  if (std::any_of(scan.stored_columns.begin(), scan.stored_columns.end(),
                  [](const std::string& name) { return policy::FoldedName(name) == "rowid"; })) {
    return {.table = "(SELECT *, row_number() OVER () - 1 AS tacit_row FROM " + Quote(scan.table) +
                     ") AS " + base,
            .row = base + ".tacit_row"};
  }
  return {.table = Quote(scan.table) + " AS " + base, .row = base + ".rowid"};
}

std::string PrintScan(const TableScan& scan, const analysis::Block& block, int key_parameter,
                      bool* uses_key) {
  const bool row_is_unit = scan.hops.empty() && scan.unit_column.empty();
  NumberedTable numbered{.table = Quote(scan.table) + " AS " + Quote("tacit_base"), .row = ""};
  std::vector<std::string> columns;
  for (const std::string& column : UsedColumns(block, scan.alias)) {
    columns.push_back(Quote("tacit_base") + "." + Quote(column));
  }
  const bool has_unit = !scan.is_public && !row_is_unit;
  UnitText unit;
  if (has_unit) {
    unit = PrintUnit(scan, block.group_cap.has_value(), key_parameter);
    columns.push_back(unit.items);
    *uses_key = *uses_key || unit.uses_key;
  }
  if (!scan.is_public && TellsRowsApart(block)) {
    numbered = PrintNumbered(scan);
    columns.push_back(numbered.row + " AS " + Quote(kNumberColumn));
  }
  if (columns.empty()) columns.push_back("1 AS " + Quote("tacit_row"));
  std::string text = "(SELECT " + ListOf(columns, ", ") + " FROM " + numbered.table + unit.from;
  if (scan.is_public && !scan.unique_on.empty() && !scan.unit_is_unique) text += PrintOneEach(scan);
  return text + ") AS " + Quote(scan.alias);
}

class SourcePrinter {
 public:
  SourcePrinter(const analysis::Block& block, int key_parameter)
      : block_(block), key_parameter_(key_parameter) {}

  Result<std::string> Print(const analysis::RowSource& source) {
    if (const auto* scan = analysis::As<TableScan>(source)) {
      return PrintScan(*scan, block_, key_parameter_, &uses_key_);
    }
    if (const auto* query = analysis::As<analysis::UnitQuery>(source)) {
      TACIT_TRY(const std::string text, PrintUnitQuery(*query));
      return "(" + text + ") AS " + Quote(query->alias);
    }
    if (const auto* united = analysis::As<analysis::RowUnion>(source)) {
      std::vector<std::string> parts;
      for (const analysis::UnitQuery& part : united->parts) {
        TACIT_TRY(parts.emplace_back(), PrintUnitQuery(part));
      }
      return "(" + ListOf(parts, " UNION ALL ") + ") AS " + Quote(united->alias);
    }
    if (const auto* literals = analysis::As<analysis::LiteralRows>(source)) {
      return PrintLiterals(*literals);
    }
    const auto& join = *analysis::As<analysis::RowJoin>(source);
    TACIT_TRY(const std::string left, Print(join.left));
    TACIT_TRY(std::string right, Print(join.right));
    if (analysis::As<analysis::RowJoin>(join.right)) right = "(" + right + ")";
    TACIT_TRY(const std::string on, PrintOn(join));
    if (on.empty()) return left + " CROSS JOIN " + right;
    const bool outer = join.kind == sql::JoinKind::kLeft;
    return left + (outer ? " LEFT JOIN " : " JOIN ") + right + " ON " + on;
  }

  bool uses_key() const { return uses_key_; }

 private:
  // The carried units first: people never meet, whatever the query says.
  Result<std::string> PrintOn(const analysis::RowJoin& join) {
    const bool people = HasPeople(join.left) && HasPeople(join.right);
    TACIT_ASSERT(!people || (join.left_unit && join.right_unit));
    std::vector<std::string> conditions;
    if (join.left_unit && !TACIT_MUTANT("join_without_units")) {
      const std::string equal = PrintUnit(join.left_unit) + " = " + PrintUnit(join.right_unit);
      conditions.push_back(join.units_afterwards ? "coalesce(" + equal + ", false)" : equal);
    }
    if (join.on) {
      TACIT_TRY(conditions.emplace_back(), PrintBelow(join.on, block_));
      if (conditions.size() > 1) conditions.back() = "(" + conditions.back() + ")";
    }
    return ListOf(conditions, " AND ");
  }
  static bool HasPeople(const analysis::RowSource& source) {
    bool people = false;
    analysis::ForEachScan(source, [&](const TableScan& scan) { people |= !scan.is_public; });
    return people;
  }
  // A column of the compiler's own, which no name in a query can mean.
  static std::string PrintUnit(const sql::Expression& unit) {
    const auto& column = *sql::As<sql::ColumnReference>(unit);
    TACIT_ASSERT(column.column == kUnitColumn);
    return Quote(column.table) + "." + Quote(column.column);
  }

  Result<std::string> PrintLiterals(const analysis::LiteralRows& literals) {
    std::vector<std::string> rows;
    for (const std::vector<sql::Expression>& row : literals.rows) {
      std::vector<std::string> values;
      for (size_t i = 0; i < row.size(); ++i) {
        const sql::Expression typed =
            sql::MakeExpression(sql::Cast{row[i], literals.types[i]}, row[i]->position);
        TACIT_TRY(values.emplace_back(), PrintBelow(typed, block_));
      }
      rows.push_back("(" + ListOf(values, ", ") + ")");
    }
    std::vector<std::string> names;
    for (size_t i = 0; i < literals.types.size(); ++i) {
      names.push_back(Quote("c" + std::to_string(i + 1)));
    }
    return "(VALUES " + ListOf(rows, ", ") + ") AS " + Quote(literals.alias) + "(" +
           ListOf(names, ", ") + ")";
  }

  // A window looks at rows of one person: the carried unit is in its partition, whatever the query
  // wrote there. Its order ends with everything that the rows are read by, so that ties are rows
  // that nothing can tell apart.
  sql::Expression InsideUnit(const sql::Expression& item, const analysis::Rows& rows) const {
    return sql::Transform(item, [&](const sql::Expression& node) -> sql::Expression {
      const auto* call = sql::As<sql::WindowCall>(node);
      if (call == nullptr) return node;
      sql::WindowCall ordered = *call;
      if (!TACIT_MUTANT("window_without_unit")) {
        ordered.window.partition_by.insert(ordered.window.partition_by.begin(), rows.unit);
      }
      if (!DependsOnTies(*call)) return sql::MakeExpression(std::move(ordered), node->position);
      for (const sql::ColumnReference& column : ColumnsRead(block_, rows.source)) {
        ordered.window.order_by.push_back({sql::MakeExpression(column), false, false});
      }
      return sql::MakeExpression(std::move(ordered), node->position);
    });
  }
  // Ranks and aggregates over peers are the same for every order among equals.
  static bool DependsOnTies(const sql::WindowCall& call) {
    const std::string& name = call.function.name;
    const std::optional<sql::Frame>& frame = call.window.frame;
    return (frame && frame->unit == sql::FrameUnit::kRows) || name == "row_number" ||
           name == "ntile" || name == "lag" || name == "lead" || name == "first_value" ||
           name == "last_value";
  }

  Result<std::string> PrintUnitQuery(const analysis::UnitQuery& query) {
    TACIT_TRY(const std::string from, Print(query.inner.source));
    std::vector<std::string> items;
    for (size_t i = 0; i < query.items.size(); ++i) {
      TACIT_TRY(const std::string item,
                PrintBelow(InsideUnit(query.items[i], query.inner), block_));
      items.push_back(item + " AS " + Quote("c" + std::to_string(i + 1)));
    }
    const std::string unit = PrintUnit(query.inner.unit);
    items.push_back(unit + " AS " + Quote(kUnitColumn));
    std::string text = "SELECT " + ListOf(items, ", ") + " FROM " + from;
    std::vector<std::string> conditions;
    for (const sql::Expression& filter : query.inner.filters) {
      TACIT_TRY(const std::string condition, PrintBelow(filter, block_));
      conditions.push_back("(" + condition + ")");
    }
    if (!conditions.empty()) text += " WHERE " + ListOf(conditions, " AND ");
    if (query.grouped) {
      std::vector<std::string> keys = {unit};  // whatever the keys are, no group mixes people
      for (const sql::Expression& key : query.group_by) {
        if (sql::As<sql::Literal>(key)) continue;  // a number would mean the item at that place
        TACIT_TRY(keys.emplace_back(), PrintBelow(key, block_));
      }
      text += " GROUP BY " + ListOf(keys, ", ");
    }
    return text;
  }

  const analysis::Block& block_;
  int key_parameter_;
  bool uses_key_ = false;
};

}  // namespace

UnitRows PrintUnitRows(const TableScan& scan, int deployment_key_parameter) {
  const NumberedTable numbered = PrintNumbered(scan);
  UnitRows rows{.row = numbered.row,
                .unit = Quote("tacit_base") + "." + Quote(scan.unit_column),
                .table = numbered.table,
                .parents = "",
                .hash = "CAST(0 AS UBIGINT)",
                .columns = ListOf(AllColumns(scan), ", ")};
  if (!scan.hops.empty()) rows.parents = PrintParents(scan, &rows.unit);
  // Where the database keeps units apart, there is no order inside one.
  if (!scan.unit_is_unique) rows.hash = PrintHash(scan, rows.unit, deployment_key_parameter);
  return rows;
}

Result<RowsText> PrintSource(const analysis::Block& block, int deployment_key_parameter) {
  SourcePrinter printer(block, deployment_key_parameter);
  TACIT_TRY(std::string from, printer.Print(block.rows.source));
  return RowsText{std::move(from), printer.uses_key()};
}

}  // namespace tacit::plan::duckdb
