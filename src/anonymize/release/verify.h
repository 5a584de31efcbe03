#pragma once

#include <string>
#include <vector>

#include "anonymize/anonymize.h"

namespace tacit::anonymize {

// What a file fulfils, whoever made it. Rows are alike when all cells of the quasi-identifiers are
// the same text: a suppressed cell (*, NULL, nothing) is a value of its own and never a joker, so a
// row is not hidden among rows that a reader can tell from it.
struct Verified {
  Measures measures;                // its loss is taken from the cells' texts, see cell.h
  std::vector<std::string> broken;  // sentences; empty when the requirement holds
};

Result<Verified> Verify(const Table& table, const Request& request);

}  // namespace tacit::anonymize
