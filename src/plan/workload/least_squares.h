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

// Precisions with which every wished table has at least the wished one, for little: from the
// largest sets down, each what the larger ones leave to be wished.
Precisions ChoosePrecisions(const CellCounts& counts, const Precisions& wished);

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
