#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "anonymize/partition/classes.h"
#include "anonymize/partition/domain.h"

namespace tacit::anonymize {

// A coarsened cell as text:
//   39            one value, as it was
//   20..30        numbers from 20 to 30, both of them occur
//   {a|b|c}       one of these; \ { } | inside a value have a \ before them
//   {?|20..30}    a missing cell, or a number of the range
//   Europe        a group of a declared hierarchy
//   *             anything
inline constexpr std::string_view kSuppressed = "*";

// `present` are the codes that occur in the class, distinct and in order; only sets look at them.
std::string CellText(const Domain& domain, Bounds bounds, std::span<const uint32_t> present);

// What a reader of a release knows from a cell. Labels of a hierarchy are values here: a text does
// not say that it is a group.
struct CellMeaning {
  bool anything = false;
  std::vector<std::string> values;
  std::vector<std::pair<double, double>> ranges;

  bool Holds(std::string_view value) const;
};
CellMeaning ParseCell(std::string_view text);

}  // namespace tacit::anonymize
