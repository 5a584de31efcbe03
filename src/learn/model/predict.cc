#include "learn/model/predict.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/assert.h"

namespace tacit::learn {
namespace {

std::string Folded(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    if (c != ' ' && c != '\t')
      folded += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return folded;
}

bool IsOneOf(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

// Whether it is the category's value; an error where the model knows no such text.
Result<std::optional<double>> ReadCategory(const LinearModel& model, const Column& column,
                                           std::string_view text) {
  if (text == column.value) return std::optional<double>(1.0);
  std::string known = column.reference;
  bool is_known = text == column.reference;
  for (const Column& other : model.features) {
    if (other.of != column.of) continue;
    known += ", " + other.value;
    is_known = is_known || text == other.value;
  }
  if (is_known) return std::optional<double>(0.0);
  return InvalidArgument("the model knows no " + column.of + " '" + std::string(text) + "'",
                         "it knows " + known);
}

double QuadraticForm(const std::vector<std::vector<double>>& matrix,
                     const std::vector<double>& values) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < values.size(); ++j) sum += values[i] * matrix[i][j] * values[j];
  }
  return std::max(sum, 0.0);
}

}  // namespace

Result<std::optional<double>> ReadCell(const LinearModel& model, size_t feature,
                                       std::string_view text) {
  const Column& column = model.features[feature];
  const std::string folded = Folded(text);
  if (folded.empty() || folded == "null") return std::optional<double>();
  if (!column.of.empty()) return ReadCategory(model, column, text);
  if (column.is_boolean) {
    if (IsOneOf(folded, {"true", "t", "yes", "y", "1"})) return std::optional<double>(1.0);
    if (IsOneOf(folded, {"false", "f", "no", "n", "0"})) return std::optional<double>(0.0);
    return InvalidArgument(column.name + " is true or false in the model, not '" +
                           std::string(text) + "'");
  }
  const Result<Rational> number = ParseRational(folded);
  if (!number.ok()) {
    return InvalidArgument(column.name + " is a number in the model, not '" + std::string(text) +
                           "'");
  }
  return std::optional<double>(number->get_d());
}

Prediction Predict(const LinearModel& model, const std::vector<double>& values) {
  TACIT_ASSERT(values.size() == model.features.size());
  TACIT_ASSERT(model.fit.coefficients.size() == values.size() + 1);
  std::vector<double> row = {1};
  for (size_t i = 0; i < values.size(); ++i) {
    const Column& column = model.features[i];
    row.push_back(std::clamp(values[i], column.low.get_d(), column.high.get_d()));
  }
  double value = 0;
  for (size_t i = 0; i < row.size(); ++i) value += row[i] * model.fit.coefficients[i];
  const double low = model.target.low.get_d();
  const double high = model.target.high.get_d();
  if (!std::isfinite(value)) value = (low + high) / 2;  // beyond what numbers hold: a made-up file
  Prediction prediction{.value = std::clamp(value, low, high), .low = {}, .high = {}};
  if (model.fit.trust == Trust::kFull) {
    const double variance = QuadraticForm(model.fit.noise, row) +
                            QuadraticForm(model.fit.sampling, row) + model.fit.residual_variance;
    const double margin = kNormalAt95 * std::sqrt(variance);
    prediction.low = std::clamp(value - margin, low, high);
    prediction.high = std::clamp(value + margin, low, high);
  }
  return prediction;
}

}  // namespace tacit::learn
