#include "plan/room.h"

#include <algorithm>
#include <set>

#include "analysis/blocks/block_map.h"

namespace tacit::plan {
namespace {

// What a row is carried with besides its columns: unit, rank, hash, pointers of a hash table that
// is half empty.
constexpr int kRowBytes = 96;
constexpr int kCellBytes = 16;
// Why 256: patterns are no longer either, and texts that are grouped by, joined by or counted as
// distinct are names and codes. A table of longer ones needs a larger rows_max.
constexpr int kTextBytes = 256;
// A group in memory: vectors of its keys and numbers.
constexpr int kGroupBytes = 128;
constexpr int kGroupCellBytes = 48;
// A cell and its rows are two words: counted in two threads and merged, then listed, then held.
constexpr int kCountedCellBytes = 96;
constexpr int kHeldCellBytes = 32;
// The rule too_many_keys.
constexpr int kPublicGroupsMax = 1'000'000;

int WidthOf(bool is_text) { return is_text ? kTextBytes : kCellBytes; }

// The unit shows as a text to queries, whatever it is.
bool MayBeText(const analysis::RowColumn& column) {
  if (column.is_unit) return !column.stored_type.IsNumber();
  return column.type.kind == sql::TypeKind::kText || column.type.kind == sql::TypeKind::kUnknown;
}

// What the rows of a block are made of.
struct Parts {
  std::vector<const analysis::TableScan*> scans;
  Integer rows_per_unit;  // the most at any step
  int copies = 2;         // of all rows that may be held at once: a sort has what it reads, too
};

void AddParts(const analysis::RowSource& source, Parts& parts);

void AddQuery(const analysis::UnitQuery& query, Parts& parts) {
  parts.copies += 2;
  parts.rows_per_unit = std::max(parts.rows_per_unit, query.inner.rows_per_unit);
  AddParts(query.inner.source, parts);
}

void AddParts(const analysis::RowSource& source, Parts& parts) {
  if (const auto* scan = analysis::As<analysis::TableScan>(source)) {
    parts.scans.push_back(scan);
  } else if (const auto* join = analysis::As<analysis::RowJoin>(source)) {
    parts.copies += 1;
    AddParts(join->left, parts);
    AddParts(join->right, parts);
  } else if (const auto* query = analysis::As<analysis::UnitQuery>(source)) {
    AddQuery(*query, parts);
  } else if (const auto* all = analysis::As<analysis::RowUnion>(source)) {
    for (const analysis::UnitQuery& part : all->parts) AddQuery(part, parts);
  }
}

// Every row stands for a row of some scan, and one of those meets no more rows than a unit can have
// for each of the scan's own.
Integer RowsOf(const Parts& parts) {
  Integer rows = 0;
  for (const analysis::TableScan* scan : parts.scans) {
    if (scan->is_public) continue;
    const Integer& own = scan->rows_per_unit;
    rows += scan->rows_max * std::max(Integer(1), Integer((parts.rows_per_unit + own - 1) / own));
  }
  return rows;
}

// Bytes of the columns that the block looks at anywhere.
Integer ColumnBytes(const analysis::Block& block) {
  analysis::Block visited = block;
  visited.columns.clear();
  std::set<std::pair<std::string, std::string>> used;
  analysis::MapColumns(visited, [&](const sql::ColumnReference& reference) {
    used.emplace(reference.table, reference.column);
    return reference;
  });
  Integer bytes = 0;
  for (const auto& [table, column] : used) {
    const auto found = std::find_if(block.columns.begin(), block.columns.end(),
                                    [&, &t = table, &c = column](const auto& known) {
                                      return known.first.table == t && known.first.column == c;
                                    });
    bytes += WidthOf(found == block.columns.end() || MayBeText(found->second));
  }
  return bytes;
}

// A table that is not prepared is sorted whole.
Integer SortedBytes(const Parts& parts) {
  Integer bytes = 0;
  for (const analysis::TableScan* scan : parts.scans) {
    if (scan->prepared || scan->is_public) continue;
    const auto columns = static_cast<unsigned long>(scan->stored_columns.size());
    bytes += scan->rows_max * (kRowBytes + Integer(columns) * kTextBytes) * 2;
  }
  return bytes;
}

Integer PublicBytes(const Parts& parts) {
  Integer bytes = 0;
  for (const analysis::TableScan* scan : parts.scans) {
    if (!scan->is_public) continue;
    const auto columns = static_cast<unsigned long>(scan->stored_columns.size());
    bytes += scan->rows_max * (kRowBytes + Integer(columns) * kTextBytes);
  }
  return bytes;
}

Integer PublicGroups(const analysis::Block& block) {
  Integer groups = 1;
  for (const analysis::Key& key : block.keys) {
    if (!key.outcomes.empty()) groups *= static_cast<unsigned long>(key.outcomes.size());
    for (const analysis::KeySource& source : key.sources) {
      const std::optional<int64_t> count = policy::MostOf(source.keys);
      groups *= Integer(static_cast<long>(count.value_or(kPublicGroupsMax)));
    }
  }
  return std::min(groups, Integer(kPublicGroupsMax));
}

// Counts of a mode's values, in each group.
Integer ListBytes(const analysis::Block& block) {
  Integer bytes = 0;
  for (const analysis::ExactMeasure& measure : block.measures) {
    bytes += 8 * static_cast<unsigned long>(measure.values.size());
  }
  return bytes;
}

// Cells of quantiles that hold rows, in all groups: there are no more of them than rows, and in a
// group no more than its grid has.
Integer FullCells(const analysis::Block& block, const Integer& rows, const Integer& groups) {
  Integer cells = 0;
  for (const analysis::ExactMeasure& measure : block.measures) {
    if (measure.kind != analysis::MeasureKind::kQuantile) continue;
    const Int128 steps = measure.grid.high_steps - measure.grid.low_steps;
    cells += std::min(rows, Integer(groups * (ToInteger(steps / measure.cell_steps) + 1)));
  }
  return cells;
}

}  // namespace

std::optional<Room> RoomOf(const analysis::Block& block) {
  Parts parts;
  parts.rows_per_unit = block.rows.rows_per_unit;
  AddParts(block.rows.source, parts);
  for (const analysis::TableScan* scan : parts.scans) {
    if (scan->rows_max == 0) return std::nullopt;
  }
  Integer key_bytes = 0;
  for (const analysis::Key& key : block.keys) {
    key_bytes += WidthOf(key.type.kind == sql::TypeKind::kText);
  }
  const auto measures = static_cast<unsigned long>(block.measures.size());
  for (const analysis::ExactMeasure& measure : block.measures) {
    // A set of them, and of the groups they are in.
    const bool is_set = measure.kind == analysis::MeasureKind::kUnits ||
                        measure.kind == analysis::MeasureKind::kDistinct;
    parts.copies += is_set ? 1 : 0;
  }
  const Integer rows = RowsOf(parts);
  const Integer groups = block.HasPrivateKeys() ? rows : PublicGroups(block);
  const Integer lists = ListBytes(block);
  const Integer cells = FullCells(block, rows, groups);
  const Integer row_bytes =
      kRowBytes + ColumnBytes(block) + key_bytes + Integer(measures) * kCellBytes;
  const auto keys = static_cast<unsigned long>(block.keys.size());
  return Room{.engine_bytes = rows * row_bytes * parts.copies + SortedBytes(parts) +
                              PublicBytes(parts) + groups * (lists + key_bytes + kRowBytes) +
                              cells * kCountedCellBytes,
              .held_bytes = groups * (kGroupBytes + (Integer(keys) + measures) * kGroupCellBytes +
                                      key_bytes + lists) +
                            cells * kHeldCellBytes};
}

}  // namespace tacit::plan
