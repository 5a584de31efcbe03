#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tacit::anonymize {

// Which rows look alike: one group number a row, numbered in the order of the first row.
struct Groups {
  std::vector<uint32_t> of;  // by row
  uint32_t count = 0;
};

// Everybody in one group.
inline Groups OneGroup(size_t rows) { return {std::vector<uint32_t>(rows, 0), rows > 0 ? 1u : 0u}; }

// Splits groups by one more column. Grouping by several columns is this, column after column.
Groups Refine(const Groups& groups, std::span<const uint32_t> codes, size_t values);

std::vector<uint32_t> SizesOf(const Groups& groups);

}  // namespace tacit::anonymize
