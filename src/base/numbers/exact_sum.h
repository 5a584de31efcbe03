#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/numbers/rational.h"

// Sums, averages and variances of doubles that do not depend on the order of their numbers. Plain
// addition rounds at every step, so that its last digits tell in which order rows came, and that
// may depend on rows of others. Here the exact value is kept and rounded once.
namespace tacit {

// The exact sum of doubles, as doubles of growing size that do not overlap: each is smaller than
// the lowest bit of the next. Two or three of them hold what people store.
class ExactSum {
 public:
  // Beyond it, 2^960, no sum is given: below it none of fewer than 2^63 numbers overflows.
  static constexpr double kNumberMax = 0x1p960;

  ExactSum() = default;
  ExactSum(const ExactSum& other);
  ExactSum& operator=(const ExactSum& other) = delete;

  void Add(double number) {
    // Most people's sums begin and end here: what AddToParts does, for one part and for two.
    const bool is_plain = few_size_ <= 2 && !more_ && !is_beyond_;
    if (!is_plain || !(std::abs(number) <= kNumberMax)) return AddToParts(number);
    uint8_t kept = 0;
    for (uint8_t i = 0; i < few_size_; ++i) {
      const Added added = AddExactly(number, few_[i]);
      few_[kept] = added.rest;
      if (added.rest != 0) ++kept;
      number = added.sum;
    }
    few_[kept] = number;
    if (number != 0) ++kept;
    few_size_ = kept;
  }
  void Add(const ExactSum& other);

  // The double that is nearest to the exact sum, of two the even one. Nothing when a number was
  // beyond kNumberMax.
  std::optional<double> Rounded() const;

  bool is_beyond() const { return is_beyond_; }
  // The power of two that the exact sum is a whole multiple of.
  int LowestBit() const;
  // The exact sum times 2^shift, which has to make it whole.
  Integer Shifted(int shift) const;

 private:
  static constexpr size_t kFew = 3;

  // a + b as a double and what it lacks, exactly: Knuth's, for any two whose sum does not overflow.
  struct Added {
    double sum;
    double rest;
  };
  static Added AddExactly(double a, double b) {
    const double sum = a + b;
    const double of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
  }

  size_t size() const { return more_ ? more_->size() : few_size_; }
  const double* parts() const { return more_ ? more_->data() : few_; }
  void AddToParts(double number);
  void Resize(size_t size);

  double few_[kFew] = {};
  uint8_t few_size_ = 0;
  bool is_beyond_ = false;
  std::unique_ptr<std::vector<double>> more_;  // all of them, where they are more than a few
};

// Count and sum of numbers.
class ExactMean {
 public:
  void Add(double number) {
    ++count_;
    sum_.Add(number);
  }
  void Add(const ExactMean& other);

  uint64_t count() const { return count_; }
  const ExactSum& sum() const { return sum_; }
  // Nothing without numbers.
  std::optional<double> Sum() const;
  std::optional<double> Average() const;

 private:
  uint64_t count_ = 0;
  ExactSum sum_;
};

// Their squares too: twice the room and more than twice the work.
class ExactMoments {
 public:
  void Add(double number);
  void Add(const ExactMoments& other);

  const ExactMean& mean() const { return mean_; }
  // The squared distance from the mean, divided by the number of numbers less `taken_off`, 0 or 1:
  // the exact quotient, cut to 53 bits. Nothing if it would be divided by zero.
  std::optional<double> Variance(uint64_t taken_off) const;

 private:
  ExactMean mean_;
  ExactSum squares_;
};

}  // namespace tacit
