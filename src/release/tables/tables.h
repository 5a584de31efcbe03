#pragma once

#include "release/measure/pairs.h"

namespace tacit::release {

// A table to release: its columns, by their places among the shapes.
using TableColumns = std::vector<size_t>;

struct ReleasedTable {
  std::vector<uint64_t> counts;  // the last column runs fastest
  double sigma = 0;              // of the noise that each count was measured with
};
struct ReleasedTables {
  uint64_t rows = 0;  // what every table adds up to
  std::vector<ReleasedTable> tables;
};

// Counts the tables with noise and makes them agree: whole numbers, none negative, one total, and
// the same margins wherever two tables have columns in common. They are the tables of one set of
// rows, which was brought as near to what was measured as it goes. rho-zCDP for the rho given,
// which the tables share by their size (../proof.md). Every column is in some table.
ReleasedTables MeasureTables(const Joint& exact, const std::vector<ColumnShape>& columns,
                             const std::vector<TableColumns>& tables, const Moved& moved,
                             const Rho& rho, size_t rows_max, Entropy& entropy,
                             const Progress& progress);

// What each table pays of rho, about 1 together: larger tables more.
std::vector<double> TableParts(const std::vector<ColumnShape>& columns,
                               const std::vector<TableColumns>& tables);

size_t CellsOf(const TableColumns& table, const std::vector<ColumnShape>& columns);

}  // namespace tacit::release
