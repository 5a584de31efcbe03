#pragma once

#include "analysis/facts.h"
#include "gateway/services.h"

namespace tacit::gateway::workload {

// A question of a workload as it would be bought by itself: at the price that it names, or the
// smallest whose errors are within its wish.
struct PricedQuestion {
  Request request;
  analysis::Facts facts;
  plan::PrivatePlan plan;
  Rational epsilon;  // the plan's price
};

// Before anything is released: an average's error is reckoned for 1,000 people whose average is in
// the middle half of its bounds, which is public; the margin of the answer is computed from what is
// released. Refused for what only an answer can show: parts of what is shown.
Result<PricedQuestion> PriceQuestion(const Request& request, const Services& services);

}  // namespace tacit::gateway::workload
