#pragma once

#include <string_view>

#include "accounting/event.h"
#include "base/result.h"

namespace tacit::accounting {

// Reads a term as the command line writes it, with an optional *COUNT at the end:
//   laplace:EPS  pure:EPS  exponential:EPS  approx:EPS,DELTA  gaussian:sigma=S
//   sgaussian:sigma=S,q=Q  dlaplace:scale=S[,sensitivity=D]  dgaussian:sigma=S
// Every parameter is checked; the error names the parameter and its range.
Result<Term> ParseTerm(std::string_view text);

}  // namespace tacit::accounting
