#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/rational.h"
#include "base/result.h"

namespace tacit::plan {

// How far off a number may be in 95 % of answers.
struct ErrorTarget {
  Rational error;         // in the number's own unit, or
  bool relative = false;  // a part of the number that is shown: 1/20 for 5 %
};
std::string ErrorText(const ErrorTarget& target);  // 40, 5 %

// The errors that an asker can live with instead of a price.
struct ErrorWish {
  std::vector<std::pair<std::string, ErrorTarget>> named;  // of an output column
  std::optional<ErrorTarget> others;                       // of every column that is not named

  // Of a column by its name, spelled so or else in another case; null where there is none.
  const ErrorTarget* Of(const std::string& column) const;
};
std::string ErrorText(const ErrorWish& wish);

// '40', '5 %', 'n = 40, share = 2 %', '"Unit Price" = 5 %, 40'.
Result<ErrorWish> ReadErrorWish(const std::string& text);

}  // namespace tacit::plan
