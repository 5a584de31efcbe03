#include "release/fit/kernel/product.h"

#include <algorithm>
#include <cstring>

#include "release/fit/kernel/wide.h"

// Why by hand: the program is compiled for every machine of its kind, and a matrix library then
// uses a quarter of what most of them can do.
namespace tacit::release {
namespace {

// A tile of four rows and sixteen columns of the result is summed in registers; what it needs of
// the right side lies together in a panel, which stays in the nearest cache.
constexpr size_t kTileRows = 4;
constexpr size_t kTileColumns = 16;
constexpr size_t kPanelRows = 192;

using Eight [[gnu::vector_size(32)]] = float;

struct Panel {
  alignas(32) float at[kPanelRows * kTileColumns];
};

[[gnu::always_inline]] inline void AddTile(const float* const (&rows)[kTileRows], size_t step,
                                           const float* panel, size_t deep,
                                           float (&sums)[kTileRows][kTileColumns]) {
  Eight a0 = {}, b0 = {}, a1 = {}, b1 = {}, a2 = {}, b2 = {}, a3 = {}, b3 = {};
  for (size_t i = 0; i < deep; ++i) {
    Eight a, b;
    std::memcpy(&a, panel + i * kTileColumns, sizeof a);
    std::memcpy(&b, panel + i * kTileColumns + 8, sizeof b);
    const float x0 = rows[0][i * step], x1 = rows[1][i * step];
    const float x2 = rows[2][i * step], x3 = rows[3][i * step];
    const Eight w0 = {x0, x0, x0, x0, x0, x0, x0, x0};
    const Eight w1 = {x1, x1, x1, x1, x1, x1, x1, x1};
    const Eight w2 = {x2, x2, x2, x2, x2, x2, x2, x2};
    const Eight w3 = {x3, x3, x3, x3, x3, x3, x3, x3};
    a0 += w0 * a;
    b0 += w0 * b;
    a1 += w1 * a;
    b1 += w1 * b;
    a2 += w2 * a;
    b2 += w2 * b;
    a3 += w3 * a;
    b3 += w3 * b;
  }
  std::memcpy(sums[0], &a0, sizeof a0);
  std::memcpy(sums[0] + 8, &b0, sizeof b0);
  std::memcpy(sums[1], &a1, sizeof a1);
  std::memcpy(sums[1] + 8, &b1, sizeof b1);
  std::memcpy(sums[2], &a2, sizeof a2);
  std::memcpy(sums[2] + 8, &b2, sizeof b2);
  std::memcpy(sums[3], &a3, sizeof a3);
  std::memcpy(sums[3] + 8, &b3, sizeof b3);
}

// All rows of `left` below `row_end`, from its column `from` on, by the panel.
[[gnu::always_inline]] inline void AddRows(const FloatMatrix& left, size_t row_end, size_t from,
                                           const Panel& panel, size_t deep, float* into,
                                           size_t into_step, size_t width) {
  for (size_t r = 0; r < row_end; r += kTileRows) {
    const float* rows[kTileRows];
    // Past the last row the last one stands again, and what it gives is left away.
    for (size_t i = 0; i < kTileRows; ++i) {
      rows[i] = left.first + std::min(r + i, left.rows - 1) * left.row_step + from * left.step;
    }
    alignas(32) float sums[kTileRows][kTileColumns];
    AddTile(rows, left.step, panel.at, deep, sums);
    for (size_t i = 0; i < kTileRows && r + i < left.rows; ++i) {
      float* const line = into + (r + i) * into_step;
      if (width == kTileColumns) {
        for (size_t j = 0; j < kTileColumns; ++j) line[j] += sums[i][j];
      } else {
        for (size_t j = 0; j < width; ++j) line[j] += sums[i][j];
      }
    }
  }
}

[[gnu::always_inline]] inline void ProductBody(const FloatMatrix& left, const FloatMatrix& right,
                                               float* into, size_t into_step) {
  if (left.rows == 0) return;
  Panel panel;
  for (size_t from = 0; from < right.rows; from += kPanelRows) {
    const size_t deep = std::min(kPanelRows, right.rows - from);
    for (size_t c = 0; c < right.columns; c += kTileColumns) {
      const size_t width = std::min(kTileColumns, right.columns - c);
      for (size_t i = 0; i < deep; ++i) {
        const float* const line = right.first + (from + i) * right.row_step + c;
        float* const packed = panel.at + i * kTileColumns;
        for (size_t j = 0; j < width; ++j) packed[j] = line[j];
        for (size_t j = width; j < kTileColumns; ++j) packed[j] = 0;
      }
      AddRows(left, left.rows, from, panel, deep, into + c, into_step, width);
    }
  }
}

[[gnu::always_inline]] inline void TransposedBody(const FloatMatrix& left, const FloatMatrix& right,
                                                  Triangle triangle, float* into,
                                                  size_t into_step) {
  if (left.rows == 0) return;
  Panel panel;
  for (size_t from = 0; from < right.columns; from += kPanelRows) {
    const size_t deep = std::min(kPanelRows, right.columns - from);
    for (size_t c = 0; c < right.rows; c += kTileColumns) {
      const size_t width = std::min(kTileColumns, right.rows - c);
      for (size_t j = 0; j < kTileColumns; ++j) {
        const float* const line = right.first + std::min(c + j, right.rows - 1) * right.row_step;
        for (size_t i = 0; i < deep; ++i) panel.at[i * kTileColumns + j] = line[from + i];
      }
      const size_t row_end =
          triangle == Triangle::kUpper ? std::min(left.rows, c + width) : left.rows;
      AddRows(left, row_end, from, panel, deep, into + c, into_step, width);
    }
  }
}

TACIT_EIGHT void ProductOfEight(const FloatMatrix& left, const FloatMatrix& right, float* into,
                                size_t into_step) {
  ProductBody(left, right, into, into_step);
}

TACIT_EIGHT void TransposedOfEight(const FloatMatrix& left, const FloatMatrix& right,
                                   Triangle triangle, float* into, size_t into_step) {
  TransposedBody(left, right, triangle, into, into_step);
}

}  // namespace

void AddProduct(const FloatMatrix& left, const FloatMatrix& right, float* into, size_t into_step) {
  if (AddsEight()) return ProductOfEight(left, right, into, into_step);
  ProductBody(left, right, into, into_step);
}

void AddProductWithTransposed(const FloatMatrix& left, const FloatMatrix& right, Triangle triangle,
                              float* into, size_t into_step) {
  if (AddsEight()) return TransposedOfEight(left, right, triangle, into, into_step);
  TransposedBody(left, right, triangle, into, into_step);
}

}  // namespace tacit::release
