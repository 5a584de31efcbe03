#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

// Chance for what is computed of released numbers, where nothing is hidden: what a test would have
// said if there were nothing to find. It is no noise, and hides nothing.
namespace tacit::learn {

// SplitMix64 from what was released: the same numbers give the same answer, on every machine and
// whenever it is asked.
class Chance {
 public:
  using result_type = uint64_t;

  explicit Chance(uint64_t seed) : state_(seed) {}
  // By everything that the answer is made of.
  static Chance Of(const std::string& what, const std::vector<double>& released);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In (0, 1).
  double Fraction() { return (static_cast<double>((*this)() >> 11) + 0.5) * 0x1p-53; }
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(Fraction()));
    return radius * std::cos(6.283185307179586 * Fraction());
  }
  // How many of `trials` succeed.
  double Binomial(double trials, double chance);

 private:
  uint64_t state_;
};

// The law of the noise in a number, as its mechanism says it.
class NoiseLaw {
 public:
  NoiseLaw() : NoiseLaw({0.0}) {}
  // The middle of each of equally likely parts, in rising order; at least one.
  explicit NoiseLaw(std::vector<double> errors);

  double variance() const { return variance_; }
  double deviation() const { return std::sqrt(variance_); }
  // The same law, `times` as wide.
  NoiseLaw Times(double times) const;
  double Draw(Chance& chance) const;

 private:
  std::vector<double> errors_;
  double variance_ = 0;
};

}  // namespace tacit::learn
