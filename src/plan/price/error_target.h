#pragma once

#include <optional>
#include <vector>

#include "analysis/facts.h"
#include "plan/price/draft.h"
#include "plan/price/error_wish.h"

namespace tacit::plan {

// A wish for errors, as far as it can be settled before anything is released.
struct ErrorPrice {
  // The smallest price, within a thousandth, that buys what noise alone decides: counts and sums
  // that are shown as they are released, ranks of what is chosen. Where nothing of the kind is
  // wished, a first step: a tenth of the policy's price.
  Price price;
  // By output column: what only an answer can show to be met. Averages, quotients, percentiles, and
  // parts of whatever is shown.
  std::vector<std::optional<ErrorTarget>> after;
};

// Refused when the policy's epsilon_max does not buy it, with what it would take; when a column is
// named that the answer does not have; and when nobody could tell whether the wish is met.
Result<ErrorPrice> PriceForError(const analysis::Facts& facts, const std::vector<Draft>& drafts,
                                 const policy::Privacy& privacy, const Price& asked,
                                 const ErrorWish& wish);

}  // namespace tacit::plan
