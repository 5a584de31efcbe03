#include <gtest/gtest.h>

#include <cmath>

#include "release/fit/kernel/kinds.h"
#include "release/fit/kernel/product.h"

namespace tacit::release {
namespace {

// Numbers that differ, none of them special.
std::vector<float> Numbers(size_t count, float scale) {
  std::vector<float> numbers;
  for (size_t i = 0; i < count; ++i) {
    numbers.push_back(scale * std::sin(static_cast<float>(7 * i % 1000) + 0.5F));
  }
  return numbers;
}

FloatMatrix Whole(const std::vector<float>& numbers, size_t rows, size_t columns) {
  return {.first = numbers.data(), .rows = rows, .columns = columns, .row_step = columns};
}

float At(const FloatMatrix& matrix, size_t r, size_t c) {
  return matrix.first[r * matrix.row_step + c * matrix.step];
}

// Sizes around the tiles' and the panels', and their ends.
struct Sizes {
  size_t rows;
  size_t inner;
  size_t columns;
};
const std::vector<Sizes> kSizes = {{1, 1, 1},   {4, 16, 16},   {5, 17, 3},
                                   {7, 31, 40}, {33, 193, 18}, {3, 400, 5}};

TEST(AddProduct, AddsWhatTheTextbookSays) {
  for (const Sizes& sizes : kSizes) {
    const size_t rows = sizes.rows;
    const size_t inner = sizes.inner;
    const size_t columns = sizes.columns;
    const std::vector<float> left = Numbers(rows * inner, 1);
    const std::vector<float> right = Numbers(inner * columns, 0.5F);
    // The same left side as it stands, and read across.
    const FloatMatrix across{
        .first = left.data(), .rows = rows, .columns = inner, .row_step = 1, .step = rows};
    for (const FloatMatrix& side : {Whole(left, rows, inner), across}) {
      std::vector<float> into(rows * columns, 2);
      AddProduct(side, Whole(right, inner, columns), into.data(), columns);
      for (size_t r = 0; r < rows; ++r) {
        for (size_t c = 0; c < columns; ++c) {
          double sum = 2;
          for (size_t i = 0; i < inner; ++i) {
            sum += static_cast<double>(At(side, r, i)) * right[i * columns + c];
          }
          EXPECT_NEAR(into[r * columns + c], sum, 1e-4) << rows << " x " << columns;
        }
      }
    }
  }
}

TEST(AddProductWithTransposed, AddsWhatTheTextbookSaysAndAllAboveTheDiagonal) {
  for (const Sizes& sizes : kSizes) {
    const size_t rows = sizes.rows;
    const size_t inner = sizes.inner;
    const size_t columns = sizes.columns;
    const std::vector<float> left = Numbers(rows * inner, 1);
    const std::vector<float> right = Numbers(columns * inner, 0.5F);
    const auto sum = [&left, length = inner](const std::vector<float>& b, size_t r, size_t c) {
      double all = 2;
      for (size_t i = 0; i < length; ++i) {
        all += static_cast<double>(left[r * length + i]) * b[c * length + i];
      }
      return all;
    };
    std::vector<float> into(rows * columns, 2);
    AddProductWithTransposed(Whole(left, rows, inner), Whole(right, columns, inner),
                             Triangle::kBoth, into.data(), columns);
    std::vector<float> square(rows * rows, 2);
    AddProductWithTransposed(Whole(left, rows, inner), Whole(left, rows, inner), Triangle::kUpper,
                             square.data(), rows);
    for (size_t r = 0; r < rows; ++r) {
      for (size_t c = 0; c < columns; ++c) {
        EXPECT_NEAR(into[r * columns + c], sum(right, r, c), 1e-4);
      }
      for (size_t c = r; c < rows; ++c) EXPECT_NEAR(square[r * rows + c], sum(left, r, c), 1e-4);
    }
  }
}

constexpr size_t kKinds = 70;
const std::vector<size_t> kFirst = {0, 2, 3, 8};

TEST(SharesOfLogits, AreExponentialsThatAddUpToOneInEachColumn) {
  std::vector<float> logits = Numbers(kFirst.back() * kKinds, 20);
  logits[3 * kKinds] = -500;  // so unlikely that a float cannot say it
  std::vector<float> shares(logits.size());
  SharesOfLogits(kFirst, kKinds, logits.data(), shares.data());
  for (size_t c = 0; c + 1 < kFirst.size(); ++c) {
    for (size_t k = 0; k < kKinds; ++k) {
      double all = 0;
      for (size_t i = kFirst[c]; i < kFirst[c + 1]; ++i) {
        all += std::exp(static_cast<double>(logits[i * kKinds + k]));
      }
      for (size_t i = kFirst[c]; i < kFirst[c + 1]; ++i) {
        const double share = std::exp(static_cast<double>(logits[i * kKinds + k])) / all;
        EXPECT_NEAR(shares[i * kKinds + k], share, 1e-5 * share + 1e-35);
      }
    }
  }
}

// Half the squared distance of all shares from a target falls at each of the first steps, and a
// step against the gradient does not.
TEST(StepOfLogits, GoesDown) {
  const std::vector<float> single = Numbers(kFirst.back(), 0.01F);
  const auto distance_after = [&](double rate) {
    std::vector<float> logits = Numbers(kFirst.back() * kKinds, 1);
    std::vector<float> shares(logits.size());
    std::vector<float> momentum(logits.size());
    std::vector<float> squares(logits.size());
    std::vector<double> distances;
    for (int i = 0; i < 20; ++i) {
      SharesOfLogits(kFirst, kKinds, logits.data(), shares.data());
      std::vector<float> gradient;
      double distance = 0;
      for (size_t at = 0; at < shares.size(); ++at) {
        const float off = shares[at] - 0.4F;
        gradient.push_back(off - single[at / kKinds]);
        distance += static_cast<double>(off) * off;
      }
      distances.push_back(distance);
      StepOfLogits(kFirst, kKinds, AdamStep(rate, i), shares.data(), single.data(), gradient.data(),
                   momentum.data(), squares.data(), logits.data());
    }
    return distances;
  };
  const std::vector<double> down = distance_after(0.02);
  for (size_t i = 1; i < down.size(); ++i) EXPECT_LT(down[i], down[i - 1]);
  EXPECT_GT(distance_after(-0.02).back(), down.front());
}

}  // namespace
}  // namespace tacit::release
