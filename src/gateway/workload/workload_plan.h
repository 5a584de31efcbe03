#pragma once

#include <map>

#include "gateway/workload/made_of_others.h"
#include "gateway/workload/priced_question.h"
#include "plan/workload/least_squares.h"
#include "plan/workload/tables.h"

namespace tacit::gateway::workload {

// One summand over one set of rows: what is measured of it, and where that stands in `to_draw`.
struct MeasuredFamily {
  plan::workload::CellCounts counts;
  plan::workload::Precisions precisions;
  std::map<plan::workload::AttributeSet, size_t> releases;
};

// A table that somebody asked for and that is estimated from what is measured.
struct DerivedTable {
  plan::workload::AskedTable asked;
  analysis::Block block;
  plan::Release release;  // as asked by itself, with the scales that the estimate has
};

// A question, and the price at which it is free once the workload is bought.
struct ServedQuestion {
  std::string text;
  std::string marked_by;  // bought.h
  Rational epsilon;
  std::vector<plan::OutputColumn> columns;  // with their errors at that price
};

struct WorkloadPlan {
  std::vector<ServedQuestion> questions;  // in the order asked
  plan::workload::Tables tables;
  std::vector<MeasuredFamily> families;
  // What is drawn: measured tables, then releases that share nothing.
  plan::PrivatePlan to_draw;
  size_t measured = 0;
  std::vector<DerivedTable> derived;
  std::vector<MadeOfOthers> made;  // of releases that share nothing
  std::string fingerprint;         // of all of it, with its precisions
};

// All questions planned together. Under zCDP counts and sums over the same rows share what is
// measured; whatever else another release tells is not drawn. Depends on texts, the policy, public
// keys and the wishes alone. With `total` every question is asked at one price such that all of
// them cost no more than it together.
Result<WorkloadPlan> PlanWorkload(const std::vector<Request>& questions,
                                  const std::optional<Epsilon>& total, const Services& services);

}  // namespace tacit::gateway::workload
