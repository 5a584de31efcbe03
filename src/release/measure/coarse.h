#pragma once

#include "release/measure/curator.h"

namespace tacit::release {

// Why 25: what noise can tell apart in pairs of wide columns at epsilon 1 on thirty thousand rows;
// single values are filled in again from the histogram. Less noise makes it more, up to the most.
inline constexpr size_t kCoarseCells = 25;
inline constexpr size_t kCoarseCellsMost = 60;
// Why 20: medians, quartiles, deciles and twentieths are what wide columns are cut at by whoever
// compares or reports them. Bins that end there as well say nothing wrong about either side.
inline constexpr size_t kTwentieths = 20;

// Which cells are worth a place in tables of two columns, from the column's noisy histogram alone:
// an ordered column of many cells becomes some bins of equal mass, and a NULL that cannot be
// told from noise is left out.
View CoarseView(const ColumnShape& shape, const NoisyTable& histogram);

// The nearest shares to these numbers: none negative, sum 1.
std::vector<double> OntoSimplex(const std::vector<double>& values);

// Cells of the view as cells of the column: within each cell of the view, fine cells in proportion
// to `shares`, which have noise of this variance, in random order.
std::vector<uint16_t> Refined(const std::vector<uint16_t>& coarse, const View& view,
                              const std::vector<double>& shares, double variance, Entropy& entropy);

// Whole numbers in proportion to the shares that add up to `total`: the largest remainders are
// rounded up. Equal ones where all shares are zero.
std::vector<size_t> Apportion(const std::vector<double>& shares, size_t total);
// So many cells in these proportions, in random order.
std::vector<uint16_t> Dealt(const std::vector<double>& shares, size_t count, Entropy& entropy);

// In [0, 1), for choices among released values.
double Uniform(Entropy& entropy);
// Below `bound`, which is at least 1 and far below 2^53.
size_t UniformBelow(size_t bound, Entropy& entropy);

}  // namespace tacit::release
