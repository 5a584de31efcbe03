#include "base/numbers/exact_sum.h"

#include <algorithm>
#include <cmath>

namespace tacit {
namespace {

// dividend / divisor * 2^shift as a double, of the leading bits of the exact quotient.
double Quotient(const Integer& dividend, const Integer& divisor, int shift) {
  const auto bits = [](const Integer& number) {
    return static_cast<int>(mpz_sizeinbase(number.get_mpz_t(), 2));
  };
  const int wider = std::max(0, bits(divisor) + 64 - bits(dividend));
  const Integer quotient = (dividend << static_cast<mp_bitcnt_t>(wider)) / divisor;
  signed long exponent = 0;  // NOLINT: as GMP has it
  const double leading = mpz_get_d_2exp(&exponent, quotient.get_mpz_t());
  return std::ldexp(leading, static_cast<int>(exponent) + shift - wider);
}

}  // namespace

ExactSum::ExactSum(const ExactSum& other)
    : few_size_(other.few_size_),
      is_beyond_(other.is_beyond_),
      more_(other.more_ ? std::make_unique<std::vector<double>>(*other.more_) : nullptr) {
  std::copy(std::begin(other.few_), std::end(other.few_), std::begin(few_));
}

void ExactSum::Resize(size_t size) {
  if (!more_ && size > kFew) {
    more_ = std::make_unique<std::vector<double>>(few_, few_ + few_size_);
  }
  if (more_) {
    more_->resize(size);
  } else {
    few_size_ = static_cast<uint8_t>(size);
  }
}

// Each part takes up what it can of the number, from the smallest on, and what does not fit into
// both together goes on to the next: the parts that are left do not overlap (Shewchuk 1997, theorem
// 10), and nothing is lost on the way.
void ExactSum::AddToParts(double number) {
  if (!(std::abs(number) <= kNumberMax)) is_beyond_ = true;
  if (is_beyond_) return;
  double* parts = more_ ? more_->data() : few_;
  const size_t count = size();
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const Added added = AddExactly(number, parts[i]);
    if (added.rest != 0) parts[kept++] = added.rest;
    number = added.sum;
  }
  if (number == 0) return Resize(kept);
  Resize(kept + 1);
  (more_ ? more_->data() : few_)[kept] = number;
}

void ExactSum::Add(const ExactSum& other) {
  is_beyond_ = is_beyond_ || other.is_beyond_;
  for (size_t i = 0; i < other.size(); ++i) Add(other.parts()[i]);
}

std::optional<double> ExactSum::Rounded() const {
  if (is_beyond_) return std::nullopt;
  size_t left = size();
  if (left == 0) return 0.0;
  const double* all = parts();
  // From the largest on, until something does not fit into 53 bits any more.
  double sum = all[--left];
  double rest = 0;
  while (left > 0 && rest == 0) {
    const Added added = AddExactly(sum, all[--left]);
    sum = added.sum;
    rest = added.rest;
  }
  // Between two doubles it went to the even one. Anything further on the same side decides against
  // that; what is left has the sign of its largest part, and is smaller than the rest's lowest bit.
  const bool goes_on = left > 0 && rest != 0 && std::signbit(all[left - 1]) == std::signbit(rest);
  if (goes_on) {
    const double twice = 2 * rest;
    const double other = sum + twice;
    if (other - sum == twice) sum = other;
  }
  return sum + 0.0;
}

int ExactSum::LowestBit() const {
  if (size() == 0) return 0;
  int exponent = 0;
  std::frexp(parts()[0], &exponent);
  return std::max(exponent - 53, -1074);
}

Integer ExactSum::Shifted(int shift) const {
  Integer whole = 0;
  for (size_t i = 0; i < size(); ++i) {
    int exponent = 0;
    // 53 bits as an integer, and where they stand.
    const Integer bits(std::ldexp(std::frexp(parts()[i], &exponent), 53));
    const int place = exponent - 53 + shift;
    if (place >= 0) {
      whole += bits << static_cast<mp_bitcnt_t>(place);
    } else {
      whole += bits / (Integer(1) << static_cast<mp_bitcnt_t>(-place));
    }
  }
  return whole;
}

void ExactMean::Add(const ExactMean& other) {
  count_ += other.count_;
  sum_.Add(other.sum_);
}

std::optional<double> ExactMean::Sum() const { return count_ > 0 ? sum_.Rounded() : std::nullopt; }

std::optional<double> ExactMean::Average() const {
  const std::optional<double> sum = Sum();
  if (!sum) return std::nullopt;
  return *sum / static_cast<double>(count_) + 0.0;
}

void ExactMoments::Add(double number) {
  mean_.Add(number);
  // The square as two doubles. What is too small for the second is lost, of this number alone.
  const double square = number * number;
  squares_.Add(square);
  squares_.Add(std::fma(number, number, -square));
}

void ExactMoments::Add(const ExactMoments& other) {
  mean_.Add(other.mean_);
  squares_.Add(other.squares_);
}

// (n Q - S^2) / (n (n - t)), S and Q whole after a shift by one and two times the same.
std::optional<double> ExactMoments::Variance(uint64_t taken_off) const {
  const uint64_t count = mean_.count();
  if (count <= taken_off || mean_.sum().is_beyond() || squares_.is_beyond()) return std::nullopt;
  const int shift = -std::min({0, mean_.sum().LowestBit(), (squares_.LowestBit() - 1) / 2});
  const Integer sum = mean_.sum().Shifted(shift);
  const Integer distance = Integer(count) * squares_.Shifted(2 * shift) - sum * sum;
  // Below zero only by what the squares of tiny numbers lost.
  if (distance <= 0) return 0.0;
  return Quotient(distance, Integer(count) * Integer(count - taken_off), -2 * shift) + 0.0;
}

}  // namespace tacit
