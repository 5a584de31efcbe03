#pragma once

#include <cstdio>
#include <string>

namespace tacit::anonymize {

// As measures of a release are shown: four digits.
inline std::string MeasureText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace tacit::anonymize
