#pragma once

#include "release/domain/source.h"
#include "release/fit/rows.h"
#include "release/measure/curator.h"

namespace tacit::release {

// Of a table with several rows of a person, one may count for so many rows at most and yet every
// row counts: those of whoever has more count for less, in whole parts of a row. How many rows a
// person has is then one more column of the release, so that made rows can have their full number.
struct RowWeights {
  int64_t counted = 1;         // so many rows is what one person counts for, at most
  Attribute rows_of_person;    // bins of the number of rows; the first counts in full
  std::vector<int64_t> parts;  // what a row of each bin counts

  // What the mechanism has to know of it, where the bins are this column.
  Weighing At(size_t column) const;
  ColumnShape Shape() const { return {.cells = parts.size()}; }
  // By what a step moves the rows (../proof.md).
  Moved MovedBy(const policy::Table& table, const policy::Privacy& privacy) const;
  // Gives rows that were counted as whole ones their parts; the last column has the bins.
  void Apply(Joint& joint) const;
};

// Why 5040: whole parts of one row for any number of rows up to ten.
inline constexpr int64_t kRowParts = 5040;

// kInvalidArgument where the table has no column that says whose row it is, for more rows than
// the policy lets count, and for so few that a row would count for nothing.
Result<RowWeights> RowWeightsFor(int64_t counted, const policy::Policy& policy,
                                 const policy::Table& table);

// Rows of the table; the last attribute is how many rows the row's person has.
Result<Source> WeighedSource(const policy::Policy& policy, const policy::Table& table,
                             const std::vector<Attribute>& attributes);

}  // namespace tacit::release
