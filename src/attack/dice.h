#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tacit::attack {

// What an attacker throws: SplitMix64, the same numbers for the same seed. It draws subsets,
// invented people and the noise of the naive servers; Tacit's own noise never comes from here, and
// cannot be seeded.
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x6a09e667f3bcc909u) {}

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // In (0, 1).
  double Fraction() { return (static_cast<double>(Next() >> 11) + 0.5) * 0x1p-53; }
  // In [0, below). Multiply-shift: its bias is below/2^64, nothing an attack could notice.
  uint64_t Below(uint64_t below) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * below) >> 64);
  }
  bool Chance(double probability) { return Fraction() < probability; }
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(Fraction()));
    return radius * std::cos(6.283185307179586 * Fraction());
  }
  double Laplace(double scale) {
    const double u = Fraction() - 0.5;
    return (u < 0 ? scale : -scale) * std::log(1 - 2 * std::abs(u));
  }
  template <class T>
  void Shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }
  // A stream of its own for part `number` of a run, so that one part's length moves no other part.
  Dice Part(uint64_t number) const {
    Dice mixed(state_ ^ (number * 0xd1342543de82ef95u));
    return Dice(mixed.Next());
  }

 private:
  uint64_t state_;
};

}  // namespace tacit::attack
