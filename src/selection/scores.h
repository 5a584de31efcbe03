#pragma once

#include <string>
#include <vector>

#include "gateway/services.h"
#include "plan/price/price.h"

namespace tacit::selection {

// Why 1,000: as many commands as a workload may have; each is planned before the first is charged.
inline constexpr size_t kScoresMax = 1'000;

// A question with one number, a count or a sum, which decides and is never shown.
struct Score {
  std::string text;
  plan::Release release;  // what the engine is asked
};

// The questions of a text, with ; between them, in its order.
struct Scores {
  std::vector<Score> scores;
  Rational step;        // of all numbers: what one whole step is worth
  Integer sensitivity;  // one step between neighbours moves no number further, in steps
  // Whether each person added moves no number down: counts, and sums of what is not negative.
  bool moves_together = true;
  plan::Price price;  // of the whole choice
};

// Refused, with the question's place in the text: what has groups, several numbers, or a number
// that something is made of after the noise; and numbers of different steps. Charges nothing and
// reads no row. `base` says who asks, at which price and when.
Result<Scores> ReadScores(const std::string& text, const gateway::Request& base,
                          const gateway::Services& services);

}  // namespace tacit::selection
