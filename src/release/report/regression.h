#pragma once

#include "release/report/score.h"

namespace tacit::release {

// A line through numbers: how one column of numbers follows from the others, all measured in
// standard deviations of the real ones, so that tables can be compared.
struct Regression {
  std::vector<double> coefficients;  // by predictor; none: there was nothing to fit
  double r_squared = 0;              // of the real rows, by these coefficients
};

// Which of the number columns is explained, by all others: the one with the most different values.
std::optional<size_t> ExplainedColumn(const CodedTable& real);

// Taught by one table, asked about the real one. Rows without a number are left out.
Regression Regress(const CodedTable& taught, const CodedTable& real, size_t explained);

// Root mean square of how far coefficients are from those of the real rows.
double CoefficientError(const Regression& made, const Regression& real);

}  // namespace tacit::release
