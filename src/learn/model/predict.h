#pragma once

#include "learn/model/model.h"

namespace tacit::learn {

// What a line says of one row.
struct Prediction {
  double value = 0;  // within the target's public range
  // Where the model has errors: in 95 % of cases the row's own target is in between.
  std::optional<double> low;
  std::optional<double> high;
};

// A cell of a row to predict, as the feature's column has it: a number; true, t, yes, 1 and their
// opposites for a boolean, in whatever case; one of the texts that the model knows for a category.
// Nothing for an empty cell; the error names what was read.
Result<std::optional<double>> ReadCell(const LinearModel& model, size_t feature,
                                       std::string_view text);

// `values` are of the model's features, in their order. What lies outside a feature's public range
// counts as its end, as it did when the model was learned.
Prediction Predict(const LinearModel& model, const std::vector<double>& values);

}  // namespace tacit::learn
