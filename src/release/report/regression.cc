#include "release/report/regression.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tacit::release {
namespace {

// Why: columns that repeat each other would have no coefficients, and this hardly moves others.
constexpr double kRidge = 1e-6;

struct Scale {
  double mean = 0;
  double deviation = 1;
};

Scale ScaleOf(const std::vector<double>& numbers) {
  double sum = 0;
  double square = 0;
  double count = 0;
  for (const double number : numbers) {
    if (std::isnan(number)) continue;
    sum += number;
    square += number * number;
    ++count;
  }
  if (count == 0) return {};
  const double mean = sum / count;
  const double variance = square / count - mean * mean;
  return {.mean = mean, .deviation = variance > 0 ? std::sqrt(variance) : 1};
}

// The row in the scales' units, 1 first and the explained column last; false without a number.
bool RowOf(const CodedTable& table, const std::vector<Scale>& scales, size_t explained, size_t row,
           std::vector<double>& values) {
  values.assign(1, 1.0);
  const auto add = [&](size_t column) {
    values.push_back((table.numbers[column][row] - scales[column].mean) / scales[column].deviation);
  };
  for (size_t c = 0; c < table.numbers.size(); ++c) {
    if (c != explained) add(c);
  }
  add(explained);
  return std::none_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
}

// Gauss: the solution of `matrix`, whose last column is the right side.
std::vector<double> Solve(std::vector<std::vector<double>> matrix) {
  const size_t size = matrix.size();
  for (size_t i = 0; i < size; ++i) {
    size_t pivot = i;
    for (size_t j = i + 1; j < size; ++j) {
      if (std::abs(matrix[j][i]) > std::abs(matrix[pivot][i])) pivot = j;
    }
    std::swap(matrix[i], matrix[pivot]);
    for (size_t j = 0; j < size; ++j) {
      if (j == i || matrix[i][i] == 0) continue;
      const double factor = matrix[j][i] / matrix[i][i];
      for (size_t k = i; k <= size; ++k) matrix[j][k] -= factor * matrix[i][k];
    }
  }
  std::vector<double> solution;
  for (size_t i = 0; i < size; ++i) {
    solution.push_back(matrix[i][i] == 0 ? 0 : matrix[i][size] / matrix[i][i]);
  }
  return solution;
}

}  // namespace

std::optional<size_t> ExplainedColumn(const CodedTable& real) {
  if (real.numbers.size() < 2) return std::nullopt;
  std::vector<size_t> different;
  for (const std::vector<double>& numbers : real.numbers) {
    std::set<double> values;
    for (const double number : numbers) {
      if (!std::isnan(number)) values.insert(number);
    }
    different.push_back(values.size());
  }
  return static_cast<size_t>(std::max_element(different.begin(), different.end()) -
                             different.begin());
}

Regression Regress(const CodedTable& taught, const CodedTable& real, size_t explained) {
  std::vector<Scale> scales;
  for (const std::vector<double>& numbers : real.numbers) scales.push_back(ScaleOf(numbers));
  const size_t size = real.numbers.size();  // the constant, and all but the explained one
  std::vector<std::vector<double>> matrix(size, std::vector<double>(size + 1));
  std::vector<double> row;
  double rows = 0;
  for (size_t r = 0; r < taught.rows(); ++r) {
    if (!RowOf(taught, scales, explained, r, row)) continue;
    ++rows;
    for (size_t i = 0; i < size; ++i) {
      for (size_t j = 0; j <= size; ++j) matrix[i][j] += row[i] * row[j];
    }
  }
  if (rows <= static_cast<double>(size)) return {};
  for (size_t i = 0; i < size; ++i) matrix[i][i] += kRidge * rows;
  const std::vector<double> solution = Solve(std::move(matrix));
  double left = 0;
  double all = 0;
  for (size_t r = 0; r < real.rows(); ++r) {
    if (!RowOf(real, scales, explained, r, row)) continue;
    double off = row.back();
    for (size_t i = 0; i < size; ++i) off -= solution[i] * row[i];
    left += off * off;
    all += row.back() * row.back();
  }
  return {.coefficients = {solution.begin() + 1, solution.end()},
          .r_squared = all > 0 ? 1 - left / all : 0};
}

double CoefficientError(const Regression& made, const Regression& real) {
  if (made.coefficients.size() != real.coefficients.size() || real.coefficients.empty()) return 0;
  double sum = 0;
  for (size_t i = 0; i < real.coefficients.size(); ++i) {
    const double off = made.coefficients[i] - real.coefficients[i];
    sum += off * off;
  }
  return std::sqrt(sum / static_cast<double>(real.coefficients.size()));
}

}  // namespace tacit::release
