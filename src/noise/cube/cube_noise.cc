#include "noise/cube/cube_noise.h"

#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/uniform/uniform.h"

namespace tacit::noise {
namespace {

// Why 128: a sample needs more about once in 2^100.
constexpr unsigned kSumBits = 128;

// h_0, ..., h_d with sum over k of V(k) q^k = (sum over j of h_j q^j) / (1 - q)^(d + 1), where V(k)
// is the product of 2 k width + 1 over all widths. None is negative.
// proof: noise/cube/proof.md#how-it-is-drawn
std::vector<Integer> CountsOf(const std::vector<Integer>& widths) {
  std::vector<Integer> counts = {1};
  for (size_t d = 0; d < widths.size(); ++d) {
    const Integer twice = 2 * widths[d];
    std::vector<Integer> next(d + 2);
    for (size_t j = 0; j <= d; ++j) {
      const auto stays = static_cast<unsigned long>(j);
      const auto goes = static_cast<unsigned long>(d + 1 - j);
      next[j] += (twice * stays + 1) * counts[j];
      next[j + 1] += (twice * goes - 1) * counts[j];
    }
    counts = std::move(next);
  }
  return counts;
}

// What the counts weigh, from the first up to each. The first weighs 1: bounds that are `bits`
// places after the point are tight in relation to the whole, too.
std::vector<ScaledBounds> SumsOf(const std::vector<Integer>& counts, const Rational& rate,
                                 unsigned bits) {
  std::vector<ScaledBounds> sums;
  ScaledBounds sum{.low = 0, .high = 0};
  for (size_t j = 0; j < counts.size(); ++j) {
    const ScaledBounds part = ExpOfMinus(Rational(rate * static_cast<unsigned long>(j)), bits);
    sum.low += counts[j] * part.low;
    sum.high += counts[j] * part.high;
    sums.push_back(sum);
  }
  return sums;
}

// Uniform on [-reach, reach].
Int128 UniformWithin(const Integer& reach, Entropy& entropy) {
  const Integer values = 2 * reach + 1;
  if (values.fits_ulong_p()) {
    const uint64_t drawn = UniformBelow(uint64_t{values.get_ui()}, entropy);
    return static_cast<Int128>(drawn) - static_cast<Int128>(reach.get_ui());
  }
  return SaturateToInt128(Integer(UniformBelow(values, entropy) - reach));
}

}  // namespace

Result<CubeNoise> CubeNoise::Make(const Parameters& parameters) {
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(parameters.epsilon.value));
  const size_t size = parameters.widths.size();
  if (size < 1 || size > kCubeColumnsMax) {
    return InvalidArgument("between 1 and 32 numbers are drawn together, not " +
                           std::to_string(size));
  }
  if (parameters.rows < 1) return InvalidArgument("a step between neighbours moves a row or more");
  const Rational scale = Rational(parameters.rows / epsilon.value);
  for (const Integer& width : parameters.widths) {
    if (width < 1) return InvalidArgument("a width must be at least 1 grid step");
    if (scale * width > Rational(Integer(1) << kScaleBitsMax)) {
      return InvalidArgument("the scale must be at most 2^100, not " +
                             ToString(Rational(scale * width)));
    }
  }
  return CubeNoise(parameters, scale);
}

CubeNoise::CubeNoise(const Parameters& parameters, const Rational& scale)
    : widths_(parameters.widths),
      epsilon_(parameters.epsilon),
      geometric_(scale),
      counts_(CountsOf(widths_)),
      sums_(SumsOf(counts_, Rational(1 / scale), kSumBits)) {}

// The index j with probability ~ counts_[j] e^(-rate j): where a uniform number of so many binary
// places lies among the sums, with more places of both until that is certain.
// proof: noise/cube/proof.md#how-it-is-drawn
size_t CubeNoise::SampleFirst(Entropy& entropy) const {
  std::vector<ScaledBounds> more;
  const std::vector<ScaledBounds>* sums = &sums_;
  Integer uniform = 0;  // in [uniform, uniform + 1) / 2^places
  unsigned places = 0;
  for (unsigned bits = kSumBits;; bits += kSumBits) {
    for (; places < bits; places += 64) {
      uniform = (uniform << 64) + static_cast<unsigned long>(entropy.NextWord());
    }
    if (bits > kSumBits) {
      more = SumsOf(counts_, Rational(1 / scale()), bits);
      sums = &more;
    }
    const Integer least = uniform * sums->back().low;
    const Integer most = (uniform + 1) * sums->back().high;
    for (size_t j = 0; j < sums->size(); ++j) {
      // Below all of it for certain?
      if (most <= Integer((*sums)[j].low << places)) return j;
      // Above it for certain? If neither, the boundary is too close.
      if (least < Integer((*sums)[j].high << places)) break;
    }
  }
}

// K with P(K = k) ~ V(k) e^(-rate k).
// proof: noise/cube/proof.md#how-it-is-drawn
Integer CubeNoise::SampleRadius(Entropy& entropy) const {
  Integer radius = static_cast<unsigned long>(SampleFirst(entropy));
  for (size_t i = 0; i <= size(); ++i) radius += ToInteger(geometric_.Sample(entropy));
  return radius;
}

// proof: noise/cube/proof.md#how-it-is-drawn
std::vector<Int128> CubeNoise::Sample(Entropy& entropy) const {
  const Integer radius = SampleRadius(entropy);
  std::vector<Int128> noise;
  noise.reserve(size());
  for (const Integer& width : widths_) {
    noise.push_back(UniformWithin(Integer(radius * width), entropy));
  }
  return noise;
}

}  // namespace tacit::noise
