#pragma once

#include <string>
#include <vector>

#include "answer/answer.h"

namespace tacit::answer {

// How far an answer is from the errors that were asked for; from what was released alone.
struct Shortfall {
  bool met = true;    // every number is within what was asked
  bool known = true;  // every number's error is known
  // Of the number that needs it most: how many times smaller its error has to be. Of one that is
  // asked for as a part of itself and lies next to zero, as if it were as large as its error
  // allows: it may only seem to be so small.
  double factor = 0;
  double error = 0;          // its error, or what part of it that is, as was asked
  double number = 0;         // itself
  std::string column = {};   // and its column
  bool is_relative = false;  // as was asked
};

// `wished` are the columns of the plan that was asked for; they say what is wished of them.
Shortfall ShortfallOf(const Answer& answer, const std::vector<plan::OutputColumn>& wished);

}  // namespace tacit::answer
