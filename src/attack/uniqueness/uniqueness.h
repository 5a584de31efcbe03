#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "anonymize/table/table.h"
#include "attack/progress.h"
#include "attack/report.h"
#include "base/result.h"

namespace tacit::attack {

struct UniquenessOptions {
  std::vector<std::string> columns = {};  // what a reader may know; none: all columns
  uint32_t up_to = 3;                     // columns known at once
  uint32_t shown = 5;                     // sets a size in the report; 0: all
};

// How many people a set of columns singles out.
struct KnownSet {
  std::vector<size_t> columns;  // indexes into the options' columns, rising
  uint64_t unique = 0;          // rows that no other row equals on these columns
  uint64_t few = 0;             // rows that fewer than 5 rows equal, themselves included
};

// Every set of 1 to up_to columns, in the order of a depth-first walk.
Result<std::vector<KnownSet>> CountUnique(const anonymize::Table& table,
                                          const UniquenessOptions& options,
                                          const Progress& progress = {});

Result<Report> AttackUniqueness(const anonymize::Table& table, UniquenessOptions options,
                                const Progress& progress = {});

}  // namespace tacit::attack
