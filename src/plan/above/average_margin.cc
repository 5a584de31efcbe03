#include "plan/above/average_margin.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace tacit::plan {
namespace {

constexpr auto kPrime = static_cast<uint64_t>(kDraws);
// Where the share of that name lies among so many in rising order.
constexpr size_t kCovered = static_cast<size_t>(kCoveredShare * kDraws);
constexpr size_t kWide = static_cast<size_t>(kWideShare * kDraws);

// Spreads the bits of a number: released values choose in which order noises meet.
uint64_t Mixed(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31);
}

// An order of the draws: x -> a (x + b)^3 modulo the prime.
class Order {
 public:
  explicit Order(uint64_t bits) : a_(bits % (kPrime - 1) + 1), b_(bits / kPrime % kPrime) {}
  size_t At(size_t draw) const {
    const uint64_t x = (draw + b_) % kPrime;
    return a_ * (x * x * x % kPrime) % kPrime;
  }

 private:
  uint64_t a_, b_;
};

double TakeShare(std::array<double, kDraws>& values, size_t index) {
  const auto place = values.begin() + static_cast<ptrdiff_t>(index);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

double AverageMargin::Value(double count, double sum) const {
  const double average = sum * average_.step / std::max(count, 1.0) + average_.centre;
  return std::clamp(average, average_.low, average_.high);
}

double AverageMargin::Of(double count, double sum) const {
  const uint64_t bits = Mixed(std::bit_cast<uint64_t>(count) + Mixed(std::bit_cast<uint64_t>(sum)));
  const Order of_counts(bits);
  const Order of_sums(Mixed(bits + 1));
  const Order of_radii(Mixed(bits + 2));
  const double shown = Value(count, sum);
  std::array<double, kDraws> whole, halved;
  for (size_t draw = 0; draw < whole.size(); ++draw) {
    const double radius = average_.radii.empty() ? 1 : average_.radii[of_radii.At(draw)];
    const double by_count = average_.count_errors[of_counts.At(draw)] * radius;
    const double by_sum = average_.sum_errors[of_sums.At(draw)] * radius;
    whole[draw] = std::abs(Value(count + by_count, sum + by_sum) - shown);
    halved[draw] =
        std::abs(Value(count + std::trunc(by_count / 2), sum + std::trunc(by_sum / 2)) - shown);
  }
  const double wide = TakeShare(whole, kWide);
  const double plain = TakeShare(whole, kCovered);
  const double twice = 2 * TakeShare(halved, kCovered);
  const bool is_linear = std::max(plain, twice) <= kLinearWithin * std::min(plain, twice);
  // The true average is within the summands' range too.
  const double furthest = std::max(shown - average_.low, average_.high - shown);
  return std::min(is_linear ? plain : std::max(wide, twice), furthest);
}

std::string AverageMargin::ToText() const {
  std::string text;
  const auto add = [&](double number) {
    char digits[32];
    const auto [end, problem] = std::to_chars(digits, digits + sizeof digits, number);
    text += (text.empty() ? "" : " ") + std::string(digits, end);
  };
  for (const double number : {average_.step, average_.centre, average_.low, average_.high}) {
    add(number);
  }
  for (const double error : average_.count_errors) add(error);
  for (const double error : average_.sum_errors) add(error);
  for (const double radius : average_.radii) add(radius);
  return text;
}

std::optional<AverageMargin> AverageMargin::Parse(std::string_view text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    double number = 0;
    const auto [next, problem] = std::from_chars(at, end, number);
    if (problem != std::errc() || (next < end && *next != ' ')) return std::nullopt;
    numbers.push_back(number);
    at = next < end ? next + 1 : next;
  }
  constexpr size_t kFirst = 4;
  const bool together = numbers.size() == kFirst + 3 * kDraws;
  if (numbers.size() != kFirst + 2 * kDraws && !together) return std::nullopt;
  const auto errors = numbers.begin() + kFirst;
  const auto radii = errors + 2 * kDraws;
  return AverageMargin({.step = numbers[0],
                        .centre = numbers[1],
                        .low = numbers[2],
                        .high = numbers[3],
                        .count_errors = {errors, errors + kDraws},
                        .sum_errors = {errors + kDraws, radii},
                        .radii = {radii, numbers.end()}});
}

}  // namespace tacit::plan
