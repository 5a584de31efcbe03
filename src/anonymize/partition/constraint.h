#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tacit::anonymize {

enum class LKind { kDistinct, kEntropy };

// How far two distributions are from each other: by the share of people that must move, or by the
// share times how far they must move along the order of the values (the earth mover's distance with
// all values one apart, and with values in line).
enum class Distance { kEqual, kOrdered };

// What every class of rows must fulfil.
struct Requirement {
  uint32_t k = 1;  // at least so many rows
  double l = 1;    // at least so many sensitive values (or e^entropy)
  LKind l_kind = LKind::kDistinct;
  double t = 1;  // sensitive values at most so far from those of the whole table
  Distance distance = Distance::kEqual;

  bool LooksAtSensitive() const { return l > 1 || t < 1; }
};

// The figures of one class that l and t are about.
struct Diversity {
  uint32_t distinct = 0;
  double entropy = 0;  // natural; e^entropy is the entropy l
  double distance = 0;
  double largest_share = 0;  // of the most frequent value: the confidence of a guess
};

// Looks at the sensitive values of classes. Not for two threads at once: it counts in memory of its
// own.
class SensitiveColumn {
 public:
  // `codes` by row; `rows` are the rows of the table whose distribution t compares with. With
  // kOrdered the codes stand in the order of the values.
  SensitiveColumn(std::span<const uint32_t> codes, size_t values, std::span<const uint32_t> rows,
                  Distance distance);

  uint32_t CodeOf(uint32_t row) const { return codes_[row]; }
  size_t values() const { return counts_.size(); }

  Diversity Measure(std::span<const uint32_t> class_codes);
  bool Fulfils(const Requirement& requirement, std::span<const uint32_t> class_codes);

 private:
  double DistanceOf(double size) const;

  std::span<const uint32_t> codes_;
  Distance distance_;
  std::vector<double> overall_;    // the share of every value in the table
  std::vector<uint32_t> counts_;   // of the class being looked at
  std::vector<uint32_t> present_;  // the codes with a count
};

}  // namespace tacit::anonymize
