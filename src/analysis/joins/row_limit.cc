#include "analysis/joins/row_limit.h"

#include <algorithm>

#include "analysis/rules.h"

namespace tacit::analysis {

// A row costs an engine at most a small multiple of the query's own length and of the texts stored
// in it: what a function makes of them is cut. Why 2^14 rows and 2^24 bytes: some hundredths of a
// second and some megabytes, so that whether somebody has all the rows the caps allow is not told
// by the time, the memory or a failure. The texts stored are not counted here: a person with one of
// a megabyte shows in the time all the same. What the owner declared for a table is not multiplied,
// and stays allowed.
Result<Done> CheckRowsOfOneUnit(const Known& known, const Rows& joined, const Integer& before,
                                sql::Position position) {
  const Integer by_length =
      (Integer(1) << 24) / Integer(static_cast<unsigned long>(known.written_bytes + 1));
  const Integer most = std::min(Integer(Integer(1) << 14), by_length);
  if (joined.rows_per_unit <= before || joined.rows_per_unit <= most) return Done{};
  return Refuse(rules::kTooManyRows, position,
                "these joins could make " + joined.rows_per_unit.get_str() +
                    " rows of one person; in a query of this length they may make " +
                    most.get_str(),
                "join fewer tables with many rows per person, or first make one row per person of "
                "each, in a subquery of FROM that groups by the person");
}

}  // namespace tacit::analysis
