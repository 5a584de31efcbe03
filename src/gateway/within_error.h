#pragma once

#include "answer/answer.h"
#include "gateway/services.h"

namespace tacit::gateway {

// A better price for the first step than a tenth of the usual one: where the asker has paid for how
// many people averages are of, and not for this question, the price at which they should be within
// what is wished. Nothing where it is not known, or no higher. `first` is the plan without it;
// reads no row.
Result<std::optional<Epsilon>> FirstStepOf(const Request& asked, const plan::PrivatePlan& first,
                                           Services& services);

// Answers a question whose asker named errors that only an answer can show to be met: parts of what
// is shown, averages, quotients, percentiles. It is asked at a low price and, as long as what was
// released shows that more is needed, again at a higher one, as an asker might by hand: each step
// is a question of its own with a charge of its own, all of them together cost no more than the
// policy's epsilon_max, and what was paid for before is tried first. What it does next depends on
// released values alone, so that a wish which was refused is refused again, for nothing. `first` is
// the plan of the first step; its columns say what is wished.
Result<answer::Answer> AnswerWithinError(const Request& asked, const plan::PrivatePlan& first,
                                         Services& services);

}  // namespace tacit::gateway
