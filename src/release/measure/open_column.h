#pragma once

#include <string>

#include "release/measure/curator.h"

namespace tacit::release {

inline constexpr uint32_t kNullId = 0xffffffff;

// A column of texts that nobody listed. Exact: whoever has one is inside a mechanism.
struct OpenColumn {
  size_t column = 0;
  std::vector<uint32_t> ids;        // by row of the Joint: a place among the values, or kNullId
  std::vector<std::string> values;  // each different
};

// What showing the values of one open column costs.
struct ShowingPrice {
  Rational rho;
  Delta delta;  // above 0
};

// Which values are had by enough rows to be shown: those whose noisy count reaches a threshold that
// a value of the rows by which neighbours differ reaches with probability delta at most
// (../proof.md). At most kShownMax of them, those with the largest noisy counts, in the order of
// their texts. The joint's codes of the column are then their places, one more for all others, and
// one more for NULL.
std::vector<std::string> ShowValues(const OpenColumn& open, const Moved& moved,
                                    const ShowingPrice& price, Joint& joint, Entropy& entropy);

// The joint's codes of the column, once it is released which values are shown: `values`, sorted.
// Whatever else a row has is one cell.
void CodeBy(const std::vector<std::string>& values, const OpenColumn& open, Joint& joint);

// The count that a value needs to be shown, about, in parts of a row.
Int128 ShowingThreshold(const Moved& moved, const ShowingPrice& price);

// Why 500: pairs of longer lists hold little but noise.
inline constexpr size_t kShownMax = 500;

}  // namespace tacit::release
