#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "anonymize/table/table.h"

namespace tacit::attack {

// How a column is made coarser, step by step.
enum class Ladder {
  kDate,      // 1987-03-14: the day, the month, the year, 5 years, 10 years
  kNumber,    // steps of 1, 2, 5, 10, 20 units
  kPrefix,    // one character at the end goes with every step: 75013, 7501, 750, ...
  kCategory,  // stays as it is
};

inline constexpr uint32_t kCoarsenSteps = 5;

// Dates and numbers are known by their look, empty cells aside; prefixes are asked for.
Ladder LadderOf(const anonymize::CodedColumn& column);

// Of a column of numbers: 1, or for wide ones (incomes) the power of ten below a fiftieth of the
// range.
double UnitOf(const anonymize::CodedColumn& column);

// A cell after `step` steps; what does not look like its ladder stays as it is.
std::string Coarsen(Ladder ladder, std::string_view cell, uint32_t step, double unit = 1);

}  // namespace tacit::attack
