#pragma once

#include <map>
#include <vector>

#include "plan/workload/tables.h"

// Which tables are measured, how precisely, and how every asked table is estimated from all of
// them. Tables are sets of attributes over the same rows; precision is one over the variance of the
// noise of a cell. least_squares.md has the claim.
namespace tacit::plan::workload {

// The number of cells of each attribute, by its index.
using CellCounts = std::vector<size_t>;
double CellsIn(const CellCounts& counts, AttributeSet set);

// The precision of every measured table.
using Precisions = std::map<AttributeSet, double>;

// Sums over cells next to each other of a table by keys and by digits, the coarsest first: for each
// value of the keys the cells whose digits make up a number of [from, to].
struct RangeSum {
  AttributeSet keys = 0;
  std::vector<size_t> digits;
  size_t from = 0;
  size_t to = 0;
};
// The variance of such a sum, for one value of the keys; with many values, that of the independent
// numbers that are no better. Every measured table that has a digit has those before it.
// proof: plan/workload/least_squares.md#ranges
double VarianceOf(const CellCounts& counts, const Precisions& measured, const RangeSum& sum);

struct RangeWish {
  RangeSum sum;
  double variance = 0;  // at most
};

// Precisions with which every wished table has at least the wished one, and every range at most the
// wished variance, for little: first ranges, then tables from the largest sets down, each what the
// larger ones leave to be wished.
Precisions ChoosePrecisions(const CellCounts& counts, const Precisions& wished,
                            const std::vector<RangeWish>& ranges = {});

// The precision that the measured tables together give a table: every linear function of its cells
// has at most the variance that independent cells of this precision would give it.
// proof: plan/workload/least_squares.md#the-variance
double PrecisionOf(const CellCounts& counts, const Precisions& measured, AttributeSet set);

// Cells in the order of MembersOf, the last attribute fastest.
using Cells = std::vector<double>;

// The best linear unbiased estimate of the table from all noisy ones. Tables estimated so agree:
// added up over an attribute, one is the estimate of the table without it.
// proof: plan/workload/least_squares.md#the-estimate
Cells Estimate(const CellCounts& counts, const Precisions& measured,
               const std::map<AttributeSet, Cells>& noisy, AttributeSet set);

}  // namespace tacit::plan::workload
