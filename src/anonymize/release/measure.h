#pragma once

#include <optional>
#include <span>
#include <vector>

#include "anonymize/partition/classes.h"
#include "anonymize/partition/constraint.h"
#include "anonymize/partition/domain.h"

namespace tacit::anonymize {

// What can be said of a release as a whole.
struct Measures {
  uint64_t rows = 0;
  uint64_t classes = 0;
  uint64_t smallest = 0, largest = 0;  // rows in a class; `smallest` is the k that holds
  double average = 0;                  // rows a class: the average partition size
  // Rows in classes of 1, 2 to 4, 5 to 9, 10 to 29, 30 to 99 and 100 or more.
  std::vector<uint64_t> rows_by_size;
  double discernibility = 0;  // the mean size of a row's own class
  // Normalised certainty penalty (Xu and others 2006), the mean over all cells of
  // quasi-identifiers: 0 for an exact cell, the share of the column's range or of its values that a
  // coarser one leaves open, 1 for *.
  double loss = 0;
  std::vector<double> loss_by_column;
  // Of the sensitive column, when there is one: the least diverse class, the farthest class.
  struct Diversity {
    uint32_t distinct_l = 0;
    double entropy_l = 0;
    double t = 0;
    double rows_with_one_value = 0;  // share of rows whose class has a single sensitive value
  };
  std::optional<Diversity> sensitive;
};

inline constexpr uint32_t kSizeSteps[] = {1, 2, 5, 10, 30, 100};

// `sensitive` may be null.
Measures Measure(std::span<const Domain> domains, const Classes& classes,
                 SensitiveColumn* sensitive);

// The sizes and the sensitive column only: what needs no domains.
Measures MeasureSizes(const Classes& classes, SensitiveColumn* sensitive);

// The codes of one column that occur in a class, distinct and in order.
void PresentCodes(const Domain& domain, std::span<const uint32_t> rows,
                  std::vector<uint32_t>& present);

}  // namespace tacit::anonymize
