#include "learn/statistics/chance.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "base/assert.h"
#include "base/secrets/digest.h"

namespace tacit::learn {

Chance Chance::Of(const std::string& what, const std::vector<double>& released) {
  std::string text = what;
  for (const double number : released) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    text.append(bytes, sizeof bytes);
  }
  const std::string digest = Sha256(text);
  uint64_t seed = 0;
  std::memcpy(&seed, digest.data(), sizeof seed);
  return Chance(seed);
}

double Chance::Binomial(double trials, double chance) {
  if (!(trials >= 1) || !(chance > 0)) return 0;
  if (chance >= 1) return trials;
  // Why a billion: beyond it the normal law is nearer than a test can tell.
  constexpr double kMost = 1e9;
  if (trials > kMost) {
    const double spread = std::sqrt(trials * chance * (1 - chance));
    return std::clamp(std::round(trials * chance + spread * Normal()), 0.0, trials);
  }
  std::binomial_distribution<int64_t> law(static_cast<int64_t>(trials), chance);
  return static_cast<double>(law(*this));
}

NoiseLaw::NoiseLaw(std::vector<double> errors) : errors_(std::move(errors)) {
  TACIT_ASSERT(!errors_.empty());
  for (const double error : errors_) variance_ += error * error;
  variance_ /= static_cast<double>(errors_.size());
}

NoiseLaw NoiseLaw::Times(double times) const {
  std::vector<double> errors = errors_;
  for (double& error : errors) error *= times;
  return NoiseLaw(std::move(errors));
}

double NoiseLaw::Draw(Chance& chance) const {
  const double place = chance.Fraction() * static_cast<double>(errors_.size());
  return errors_[std::min(static_cast<size_t>(place), errors_.size() - 1)];
}

}  // namespace tacit::learn
