#pragma once

#include <cstddef>

namespace tacit::release {

// A matrix of floats whose rows are `row_step` apart, and the numbers within a row `step`.
struct FloatMatrix {
  const float* first = nullptr;
  size_t rows = 0;
  size_t columns = 0;
  size_t row_step = 0;
  size_t step = 1;
};

// into += left * right. `into` has left.rows rows, `into_step` apart. Numbers within a row of
// `right` are next to each other.
void AddProduct(const FloatMatrix& left, const FloatMatrix& right, float* into, size_t into_step);

// into += left * transposed(right), likewise; `step` is 1 in both. Of a matrix with itself the
// result is symmetric, and what is below the diagonal may be left out.
enum class Triangle { kBoth, kUpper };
void AddProductWithTransposed(const FloatMatrix& left, const FloatMatrix& right, Triangle triangle,
                              float* into, size_t into_step);

}  // namespace tacit::release
