#include "release/measure/curator.h"

#include <cmath>
#include <cstdlib>

#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/exponential_mechanism/exponential_mechanism.h"
#include "release/fit/team.h"

namespace tacit::release {
namespace {

// Why 1024: a variance of few digits keeps the sampler on its fast path, and rounding it up costs
// less than a thousandth of the noise wherever noise matters.
constexpr int kVarianceParts = 1024;

// Why 2^80: far below any rho that means something.
const Integer kPaymentParts = Integer(1) << 80;

constexpr int kRootParts = 1 << 20;

// A fraction of few digits whose square is not above the value, and close to it.
Rational RootDown(const Rational& value) {
  const double near = std::sqrt(ToDoubleDown(value));
  Rational root = Fraction(FloorOf(Rational(RationalOf(near) * kRootParts)), kRootParts);
  if (root == 0) root = RationalOf(near);
  while (root * root > value) root *= Rational(1023, 1024);
  return root;
}

}  // namespace

Rational VarianceFor(const Rational& rho, const Integer& l2_squared) {
  const Rational exact = Rational(l2_squared) / (2 * rho);
  return Fraction(CeilOf(Rational(exact * kVarianceParts)), kVarianceParts);
}

// proof: release/proof.md#8-composition
void Curator::Pay(const Rational& rho) {
  // Rounded up to a common unit, so that thousands of payments add up to a number of few digits.
  const Rational paid = Fraction(CeilOf(Rational(rho * kPaymentParts)), kPaymentParts);
  TACIT_ASSERT(rho > 0 && paid <= left_);
  left_ -= paid;
}

double Curator::L2Squared() const {
  const auto parts = static_cast<double>(exact_.parts);
  return moved_.l2_squared.get_d() / (parts * parts);
}

double Curator::SigmaFor(double rho) const { return std::sqrt(L2Squared() / (2 * rho)); }

// proof: release/proof.md#2-what-one-table-costs
NoisyTable Curator::Count(const std::vector<Side>& sides, const Rational& rho) {
  TACIT_ASSERT(rho > 0);
  const Rational variance = VarianceFor(rho, moved_.l2_squared);
  // What the rounded variance costs is what is paid.
  Pay(Rational(Rational(moved_.l2_squared) / (2 * variance)));
  const Result<noise::DiscreteGaussian> noise =
      noise::DiscreteGaussian::WithSigmaSquared(variance, Rational(moved_.l2_squared));
  TACIT_ASSERT(noise.ok());
  const auto parts = static_cast<double>(exact_.parts);
  NoisyTable table{.counts = {}, .variance = variance.get_d() / (parts * parts)};
  for (const int64_t count : CountCells(exact_, sides)) {
    table.counts.push_back(static_cast<double>(noise->Apply(count, entropy_)) / parts);
  }
  return table;
}

std::vector<int64_t> Curator::OffBy(const std::vector<std::vector<Side>>& tables,
                                    const KnownOf& known, size_t threads) const {
  std::vector<int64_t> off(tables.size());
  InParts(tables.size(), threads, [&](size_t t) {
    const std::vector<int64_t> counts = CountCells(exact_, tables[t]);
    const Known compared = known(t);
    TACIT_ASSERT(counts.size() == compared.rows.size());
    off[t] = -compared.allowance * exact_.parts;
    for (size_t i = 0; i < counts.size(); ++i) {
      off[t] += std::abs(counts[i] - compared.rows[i] * exact_.parts);
    }
  });
  return off;
}

// proof: release/proof.md#3-what-a-choice-costs
std::vector<size_t> Curator::Farthest(const std::vector<std::vector<Side>>& tables,
                                      const KnownOf& known, size_t wanted, const Rational& rho,
                                      size_t threads) {
  TACIT_ASSERT(wanted >= 1 && wanted <= tables.size());
  const Rational each = rho / MakeRational(static_cast<Int128>(wanted));
  // epsilon^2 / 8 = rho.
  const Result<noise::ExponentialMechanism> choice = noise::ExponentialMechanism::Make(
      {.spread = 2 * moved_.rows, .epsilon = Epsilon(RootDown(Rational(8 * each)))});
  TACIT_ASSERT(choice.ok());
  std::vector<noise::ExponentialMechanism::Candidate> scored;
  std::vector<size_t> left_over;
  for (const int64_t off : OffBy(tables, known, threads)) {
    left_over.push_back(scored.size());
    scored.push_back({.utility = off});
  }
  std::vector<size_t> chosen;
  while (chosen.size() < wanted) {
    Pay(each);
    const size_t best = choice->Apply(scored, entropy_);
    chosen.push_back(left_over[best]);
    scored.erase(scored.begin() + static_cast<std::ptrdiff_t>(best));
    left_over.erase(left_over.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return chosen;
}

// proof: release/proof.md#4-what-a-distance-costs
Curator::Distance Curator::DistanceFrom(const std::vector<std::vector<Side>>& tables,
                                        const KnownOf& known, const Rational& rho, size_t threads) {
  const Integer moves = moved_.rows * ToInteger(static_cast<Int128>(tables.size()));
  const Integer l2_squared = moves * moves;
  const Rational variance = VarianceFor(rho, l2_squared);
  Pay(Rational(Rational(l2_squared) / (2 * variance)));
  const Result<noise::DiscreteGaussian> noise =
      noise::DiscreteGaussian::WithSigmaSquared(variance, Rational(l2_squared));
  TACIT_ASSERT(noise.ok());
  Int128 sum = 0;
  for (const int64_t off : OffBy(tables, known, threads)) sum += off;
  const auto parts = static_cast<double>(exact_.parts);
  return {.rows = static_cast<double>(noise->Apply(sum, entropy_)) / parts,
          .sigma = std::sqrt(variance.get_d()) / parts};
}

}  // namespace tacit::release
