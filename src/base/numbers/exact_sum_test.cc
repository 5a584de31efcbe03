#include "base/numbers/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/testing/tape_entropy.h"

namespace tacit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What a rational rounds to, of two the even one. GMP cuts: it is that double or the next one.
double Nearest(const Rational& exact) {
  const double cut = exact.get_d();
  const double next = std::nextafter(cut, exact < 0 ? -kInfinity : kInfinity);
  const Rational to_cut = abs(exact - Rational(cut)), to_next = abs(exact - Rational(next));
  if (to_cut != to_next) return to_cut < to_next ? cut : next;
  int exponent = 0;
  return std::fmod(std::ldexp(std::frexp(cut, &exponent), 53), 2) == 0 ? cut : next;
}

Rational SumOf(const std::vector<double>& numbers) {
  Rational sum = 0;
  for (const double number : numbers) sum += Rational(number);
  return sum;
}

ExactMoments MomentsOf(const std::vector<double>& numbers) {
  ExactMoments moments;
  for (const double number : numbers) moments.Add(number);
  return moments;
}

// Numbers that cancel, tie and differ by up to `powers` powers of two.
std::vector<double> Draw(Entropy& entropy, uint64_t powers) {
  std::vector<double> numbers;
  const uint64_t count = 1 + entropy.NextWord() % 40;
  while (numbers.size() < count) {
    const uint64_t word = entropy.NextWord();
    if (!numbers.empty() && word % 4 == 0) {
      numbers.push_back(-numbers[entropy.NextWord() % numbers.size()]);
      continue;
    }
    const int power = static_cast<int>(entropy.NextWord() % powers) - static_cast<int>(powers / 2);
    // Few bits make ties, all 53 make long sums.
    const uint64_t bits = word % 4 == 1 ? 1 : word >> 11;
    numbers.push_back(std::ldexp(static_cast<double>(bits) * (word % 2 == 0 ? 1 : -1), power));
  }
  return numbers;
}

void Shuffle(std::vector<double>& numbers, Entropy& entropy) {
  for (size_t i = numbers.size(); i > 1; --i) {
    std::swap(numbers[i - 1], numbers[entropy.NextWord() % i]);
  }
}

TEST(ExactSum, IsTheNearestDoubleToTheExactSum) {
  testing::SeededEntropy entropy(1);
  int differs_from_plain = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::vector<double> numbers = Draw(entropy, i % 3 == 0 ? 1600 : i % 3 == 1 ? 120 : 8);
    const double nearest = Nearest(SumOf(numbers));
    ASSERT_EQ(MomentsOf(numbers).mean().Sum(), nearest) << i;
    double plain = 0;
    for (const double number : numbers) plain += number;
    differs_from_plain += plain != nearest;
  }
  EXPECT_GT(differs_from_plain, 5'000);  // the drawn numbers are hard ones
}

TEST(ExactSum, SubnormalsAndTheLargestAreSummedExactly) {
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(MomentsOf({least, least, 1, -1}).mean().Sum(), 2 * least);
  EXPECT_EQ(MomentsOf({0x1p960, least, 0x1p960, -0x1p961}).mean().Sum(), std::nullopt);  // beyond
  EXPECT_EQ(MomentsOf({0x1p960, least, 0x1p960, -0x1p960, -0x1p960}).mean().Sum(), least);
  EXPECT_EQ(MomentsOf(std::vector<double>(100'000, 0x1p960)).mean().Sum(), 100'000 * 0x1p960);
}

TEST(ExactSum, BeyondItsNumbersThereIsNone) {
  for (const double beyond : {1e300, -1e300, kInfinity, -kInfinity, std::nan("")}) {
    for (std::vector<double> numbers : {std::vector{beyond, 1.0}, {1.0, beyond, -beyond}}) {
      const ExactMoments moments = MomentsOf(numbers);
      EXPECT_EQ(moments.mean().Sum(), std::nullopt) << beyond;
      EXPECT_EQ(moments.mean().Average(), std::nullopt) << beyond;
      EXPECT_EQ(moments.Variance(0), std::nullopt) << beyond;
    }
  }
}

TEST(ExactSum, ZeroHasNoSign) {
  EXPECT_FALSE(std::signbit(*MomentsOf({-0.0}).mean().Sum()));
  EXPECT_FALSE(std::signbit(*MomentsOf({-0.0, -0.0}).mean().Average()));
  EXPECT_FALSE(std::signbit(*MomentsOf({-1e-300, 1e-300}).mean().Sum()));
}

TEST(ExactMoments, DoNotDependOnOrderOrOnHowTheyWereDivided) {
  testing::SeededEntropy entropy(2);
  int plain_depends = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::vector<double> numbers = Draw(entropy, i % 2 == 0 ? 40 : 600);
    const ExactMoments first = MomentsOf(numbers);
    double plain = 0, shuffled = 0;
    for (const double number : numbers) plain += number;
    Shuffle(numbers, entropy);
    for (const double number : numbers) shuffled += number;
    plain_depends += plain != shuffled;
    const size_t middle = entropy.NextWord() % (numbers.size() + 1);
    const auto cut = numbers.begin() + static_cast<std::ptrdiff_t>(middle);
    ExactMoments both = MomentsOf({numbers.begin(), cut});
    both.Add(MomentsOf({cut, numbers.end()}));
    EXPECT_EQ(both.mean().count(), first.mean().count());
    EXPECT_EQ(both.mean().Sum(), first.mean().Sum());
    EXPECT_EQ(both.mean().Average(), first.mean().Average());
    EXPECT_EQ(both.Variance(0), first.Variance(0));
    EXPECT_EQ(both.Variance(1), first.Variance(1));
  }
  EXPECT_GT(plain_depends, 500);
}

TEST(ExactMoments, TheVarianceIsTheExactOneCutTo53Bits) {
  testing::SeededEntropy entropy(3);
  for (int i = 0; i < 5'000; ++i) {
    const std::vector<double> numbers = Draw(entropy, i % 2 == 0 ? 30 : 300);
    const Rational n = static_cast<unsigned long>(numbers.size());  // NOLINT: as GMP has it
    Rational squares = 0;
    for (const double number : numbers) squares += Rational(number) * Rational(number);
    const Rational distance = squares - SumOf(numbers) * SumOf(numbers) / n;
    const ExactMoments moments = MomentsOf(numbers);
    EXPECT_EQ(moments.Variance(0), Rational(distance / n).get_d()) << i;
    if (numbers.size() == 1) {
      EXPECT_EQ(moments.Variance(1), std::nullopt);
    } else {
      EXPECT_EQ(moments.Variance(1), Rational(distance / (n - 1)).get_d()) << i;
    }
  }
}

TEST(ExactMoments, NumbersThatAreAllTheSameHaveNoVariance) {
  for (const double number : {0.1, 1e100, -1e-100, 3.0, 0.0}) {
    EXPECT_EQ(MomentsOf(std::vector<double>(7, number)).Variance(0), 0.0) << number;
  }
}

TEST(ExactMoments, OfNothingThereIsNothing) {
  EXPECT_EQ(ExactMoments().mean().Sum(), std::nullopt);
  EXPECT_EQ(ExactMoments().mean().Average(), std::nullopt);
  EXPECT_EQ(ExactMoments().Variance(0), std::nullopt);
}

}  // namespace
}  // namespace tacit
