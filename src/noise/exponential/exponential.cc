#include "noise/exponential/exponential.h"

#include <array>

#include "noise/exponential/exp_bounds.h"

namespace tacit::noise {
namespace {

// The line numbers of proof.md refer to the bracketed letters.

constexpr int kBase = 16;
using DigitThresholds = std::array<uint64_t, kBase - 1>;  // falling: entry n-1 is for "at least n"

const Rational kWeights[] = {Rational(1), Rational(1, 16), Rational(1, 256)};

// Compared with a uniform word; computed once, by the same function that decides ties.
struct Tables {
  uint64_t sixteen_or_more = ExpThreshold(kBase, 64).get_ui();
  uint64_t thirty_two_or_more = ExpThreshold(2 * kBase, 64).get_ui();
  std::array<DigitThresholds, 3> digits;

  Tables() {
    for (size_t place = 0; place < digits.size(); ++place) {
      for (int n = 1; n < kBase; ++n) {
        digits[place][static_cast<size_t>(n - 1)] = DigitThreshold(n, kWeights[place], 64).get_ui();
      }
    }
  }
};

const Tables& TheTables() {
  static const Tables tables;
  return tables;
}

Integer Append(const Integer& known, uint64_t word) {
  return (known << 64) + static_cast<unsigned long>(word);
}

// How many thresholds are above the word. All are compared, whatever the word is.
inline uint64_t CountAbove(uint64_t word, const DigitThresholds& thresholds) {
  uint64_t count = 0;
#pragma GCC unroll 15
  for (const uint64_t threshold : thresholds) count += word < threshold ? 1 : 0;
  return count;
}

// A word that equals a threshold decides nothing (chance 2^-64 each): more words are drawn until
// they do.
// proof: noise/exponential/proof.md#proof
[[gnu::noinline]] uint64_t DigitAfterTie(uint64_t first_word, const Rational& weight,
                                         Entropy& entropy) {
  Integer word = static_cast<unsigned long>(first_word);
  for (unsigned bits = 128;; bits += 64) {
    word = Append(word, entropy.NextWord());
    uint64_t count = 0;
    bool tie = false;
    for (int n = 1; n < kBase; ++n) {
      const Integer threshold = DigitThreshold(n, weight, bits);
      if (word < threshold) ++count;
      if (word == threshold) tie = true;
    }
    if (!tie) return count;
  }
}

// The same for floor(E / 16), which has no largest value.
[[gnu::noinline]] uint64_t SixteensAfterTie(uint64_t first_word, Entropy& entropy) {
  Integer word = static_cast<unsigned long>(first_word);
  for (unsigned bits = 128;; bits += 64) {
    word = Append(word, entropy.NextWord());
    for (uint64_t n = 1;; ++n) {
      const Integer threshold = ExpThreshold(static_cast<unsigned long>(kBase * n), bits);
      if (word > threshold) return n - 1;
      if (word == threshold) break;
    }
  }
}

inline uint64_t Sixteens(uint64_t word, const Tables& tables, Entropy& entropy) {
  const uint64_t once = tables.sixteen_or_more;
  const uint64_t twice = tables.thirty_two_or_more;
  // Zero is the tie of every further sixteen: e^-48 is below 2^-64.
  if (word == once || word == twice || word == 0) [[unlikely]] {
    return SixteensAfterTie(word, entropy);
  }
  return (word < once ? 1u : 0u) + (word < twice ? 1u : 0u);
}

inline uint64_t Digit(uint64_t word, size_t place, const Tables& tables, Entropy& entropy) {
  const DigitThresholds& thresholds = tables.digits[place];
  const uint64_t digit = CountAbove(word, thresholds);
  // The largest threshold that is not above the word is the only one that can equal it.
  const uint64_t next = thresholds[digit < kBase - 1 ? digit : kBase - 2];
  if (word == next) [[unlikely]]
    return DigitAfterTie(word, kWeights[place], entropy);
  return digit;
}

// (1 - e^-x) * 2^64 for x = scaled * 2^-64 < 2^-8, too small or too large by at most kSlack.
constexpr uint64_t kSlack = 16;
// proof: noise/exponential/proof.md#proof
inline uint64_t OneMinusExp(uint64_t scaled) {
  // x - x^2/2 + x^3/6 - x^4/24 + x^5/120 - x^6/720; the next term is below 2^-68.
  const uint64_t square = HighHalf(scaled, scaled);
  const uint64_t cube = HighHalf(square, scaled);
  const uint64_t fourth = HighHalf(square, square);
  const uint64_t fifth = HighHalf(fourth, scaled);
  const uint64_t sixth = HighHalf(cube, cube);
  return scaled - square / 2 + cube / 6 - fourth / 24 + fifth / 120 - sixth / 720;
}

}  // namespace

// The part of E below 2^-8 is uniform there, kept with probability e^-(itself), else drawn again.
// proof: noise/exponential/proof.md#proof
Exponential Exponential::Draw(Entropy& entropy) {
  const Tables& tables = TheTables();
  const std::array<uint64_t, 4> words = entropy.NextWords<4>();
  const uint64_t sixteens = Sixteens(words[0], tables, entropy);      // [a]
  const uint64_t ones = Digit(words[1], 0, tables, entropy);          // [b]
  const uint64_t first_place = Digit(words[2], 1, tables, entropy);   // [c]
  const uint64_t second_place = Digit(words[3], 2, tables, entropy);  // [c]
  while (true) {
    const auto [high_rest, low_rest, keep] = entropy.NextWords<3>();  // [d]
    Exponential drawn(kBase * sixteens + ones,
                      first_place << 60 | second_place << 56 | high_rest >> 8,
                      high_rest << 56 | low_rest >> 8);
    const uint64_t turned_away = OneMinusExp(high_rest >> 8);
    if (keep > turned_away + kSlack) [[likely]]
      return drawn;                                         // [e]
    if (keep + kSlack < turned_away) continue;              // [f]
    if (drawn.IsKeptAfterTie(keep, entropy)) return drawn;  // [g]
  }
}

// keep < 1 - e^-rest turns the draw away, where rest is E modulo 2^-8: decided with as many places
// of both as it takes. The places drawn here stay part of E: the decision depends on them.
// proof: noise/exponential/proof.md#proof
bool Exponential::IsKeptAfterTie(uint64_t first_word, Entropy& entropy) {
  Integer keep = static_cast<unsigned long>(first_word);
  for (size_t words = 2;; ++words) {
    keep = Append(keep, entropy.NextWord());
    const auto bits = static_cast<unsigned>(64 * words);
    const Integer known = FloorAt(words, entropy);
    const Integer one = Integer(1) << bits;
    const Integer rest = known - ((known >> (bits - 8)) << (bits - 8));
    const Integer surely_below = one - ExpOfMinus(Fraction(rest, one), bits).high;
    const Integer surely_above = one - ExpOfMinus(Fraction(rest + 1, one), bits).low;
    if (keep + 1 <= surely_below) return false;
    if (keep >= surely_above) return true;
  }
}

// proof: noise/exponential/proof.md#proof
Integer Exponential::FloorAt(size_t words, Entropy& entropy) {
  TACIT_ASSERT(words >= 2);
  while (tail_.size() + 2 < words) tail_.push_back(entropy.NextWord());
  Integer floor = static_cast<unsigned long>(whole_);
  floor = Append(Append(floor, high_), low_);
  for (size_t i = 0; i + 2 < words; ++i) floor = Append(floor, tail_[i]);
  return floor;
}

Integer Exponential::FloorTimes(const Integer& factor, Entropy& entropy) {
  TACIT_ASSERT(factor >= 0);
  for (size_t words = 2;; ++words) {
    const Integer known = FloorAt(words, entropy);
    // factor * E lies in [factor * known, factor * (known + 1)) * 2^(-64 words).
    const Integer lowest = (factor * known) >> (64 * words);
    const Integer beyond = factor * (known + 1);
    Integer highest;
    mpz_cdiv_q_2exp(highest.get_mpz_t(), beyond.get_mpz_t(), 64 * words);
    if (factor == 0 || lowest == highest - 1) return lowest;
  }
}

UInt128 Exponential::FloorTimesSlowly(uint64_t factor, Entropy& entropy) {
  return static_cast<UInt128>(
      SaturateToInt128(FloorTimes(Integer(static_cast<unsigned long>(factor)), entropy)));
}

// proof: noise/exponential/proof.md#proof
bool Exponential::IsAbove(const Rational& x, Entropy& entropy) {
  for (size_t words = 2;; ++words) {
    const Integer known = FloorAt(words, entropy);
    const Integer scaled = x.get_num() << (64 * words);
    if (known * x.get_den() >= scaled) return true;
    if ((known + 1) * x.get_den() <= scaled) return false;
  }
}

}  // namespace tacit::noise
