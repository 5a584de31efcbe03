#pragma once

#include <string>

#include "answer/answer.h"
#include "base/result.h"

namespace tacit::answer {

struct PlotStyle {
  size_t width = 80;  // columns of the terminal
  bool utf8 = true;   // else ASCII
};

// The answer as a picture with error bars. Many values along a date or a number are points over an
// axis, anything else bars, one a row. Refused where there is no number, or nothing to draw.
Result<std::string> FormatPlot(const Answer& answer, const PlotStyle& style);

}  // namespace tacit::answer
