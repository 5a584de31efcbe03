#pragma once

#include "release/fit/rows.h"

namespace tacit::release {

// How many are measured.
inline constexpr size_t kTriples = 4;

// A few tables of three columns in which the model is farthest off, chosen and measured with all
// that the curator has left. What differs from the model by less than noise would is the model's.
std::vector<TableTarget> MeasureTriples(const Measured& measured, const Targets& targets,
                                        const Mixture& mixture, size_t threads, Curator& curator);

// Why 30: some four thousand triples, whose counting takes seconds; of more columns none is looked
// at.
inline constexpr size_t kTripleColumnsMax = 30;

}  // namespace tacit::release
