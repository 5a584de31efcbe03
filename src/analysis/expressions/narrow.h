#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sql/bind/bind.h"
#include "sql/range.h"

namespace tacit::analysis {

// What conjuncts of WHERE and FILTER say about columns: after age >= 18 its values begin at 18.
// Summands are clamped to the range that follows, so a condition read too narrowly costs accuracy,
// never privacy.
class NarrowedRanges {
 public:
  // Reads column compared with a literal, BETWEEN two literals, IN a list, AND of those, and NOT of
  // comparisons and of OR between them; everything else says nothing.
  void Narrow(const sql::Bound& condition);

  sql::Range RangeOf(const sql::BoundColumn& column, const sql::Range& declared) const;

 private:
  void NarrowByNot(const sql::Bound& condition);
  void NarrowByComparison(const std::string& symbol, const std::vector<sql::Bound>& sides);
  void Meet(const sql::Bound& operand, const sql::Range& range);

  std::map<std::pair<std::string, std::string>, sql::Range> ranges_;
};

}  // namespace tacit::analysis
