#pragma once

#include <string>

#include "analysis/facts.h"
#include "base/result.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// How far a released column is off in 95 % of answers. A mean's error depends on how many people
// match, which is private: it is said for kPeopleForMeans.
inline constexpr int kPeopleForMeans = 1000;
struct ErrorEstimate {
  const Measure* measure = nullptr;  // whose mechanism is named
  Rational moe95;
  std::string condition;
};
ErrorEstimate ErrorOf(const analysis::ReleasedColumn& column, const analysis::Block& block,
                      const std::vector<Measure>& measures);

// Whether averages have their margins beside them too (average_margin.h).
enum class WithAverageMargins { kNo, kYes };

// SELECT ... FROM "tacit_noisy_1": the released integers as the columns that the query uses, with
// their errors beside them, and then `others` as they are. `from` is what follows FROM. DuckDB.
std::string FinishSql(const analysis::Block& block, const std::vector<Measure>& measures,
                      const std::string& from, const std::vector<std::string>& others = {},
                      WithAverageMargins with_margins = WithAverageMargins::kNo);

}  // namespace tacit::plan
