#include "accounting/pld/plan.h"

#include <algorithm>
#include <cmath>

#include "accounting/pld/losses/event_losses.h"

namespace tacit::accounting::pld {
namespace {

constexpr uint64_t kReleasesMax = 1000000000;
// The mesh is as fine as a transform of this size allows (a few milliseconds), but not finer than
// kBiasFine of epsilon asks; where that leaves more than kBiasMax, the transform may grow.
constexpr double kSizeWished = 1 << 20;
constexpr double kSizeMax = 1 << 23;
// One release is cut into this many cells at most (half a second, some 100 MB).
constexpr double kCellsMax = 1 << 21;
constexpr double kBiasFine = 5e-6;
constexpr double kBiasMax = 2e-4;

double CountOf(const Term& term) { return static_cast<double>(term.count); }

Rational CommonStep(const Rational& a, const Rational& b) {
  if (a == 0) return b;
  if (b == 0) return a;
  Rational common(gcd(Integer(a.get_num() * b.get_den()), Integer(b.get_num() * a.get_den())),
                  Integer(a.get_den() * b.get_den()));
  common.canonicalize();
  return common;
}

// Releases whose losses the mesh does not hit exactly.
struct Lattice {
  Rational step;
  double counts_off = 0;
  int terms_off = 0;
};

Lattice CommonLattice(const Prepared& prepared) {
  Lattice lattice;
  for (const Term& term : prepared.terms) {
    lattice.step = CommonStep(lattice.step, LatticeStep(term.event));
    if (IsLattice(term.event)) continue;
    lattice.counts_off += CountOf(term);
    ++lattice.terms_off;
  }
  return lattice;
}

RoughComposition RoughOf(const Prepared& prepared, Direction direction, double tail) {
  RoughComposition rough;
  for (const Term& term : prepared.terms) {
    rough.Add(RoughLosses(term.event, direction, tail), CountOf(term));
  }
  return rough;
}

double TotalCount(const Prepared& prepared) {
  double total = 0;
  for (const Term& term : prepared.terms) total += CountOf(term);
  return total;
}

}  // namespace

Result<Prepared> Prepare(const std::vector<Term>& terms, Neighbours neighbours) {
  Prepared prepared;
  Rational precision;  // sum of 1 / sigma^2
  double finite_log = 0;
  uint64_t releases = 0;
  for (const Term& term : terms) {
    TACIT_CHECK(CheckSupported(term.event, neighbours));
    if (__builtin_add_overflow(releases, term.count, &releases) || releases > kReleasesMax) {
      return InvalidArgument("the distribution of the loss is computed for 10^9 releases at most");
    }
    const Integer count = ToInteger(static_cast<Int128>(term.count));
    const auto* sampled = std::get_if<SubsampledGaussianEvent>(&term.event);
    if (const auto* gaussian = std::get_if<GaussianEvent>(&term.event)) {
      precision += count / (gaussian->sigma * gaussian->sigma);
      continue;
    }
    if (sampled != nullptr && sampled->rate == 1) {
      precision += count / (sampled->sigma * sampled->sigma);
      continue;
    }
    if (sampled != nullptr) prepared.asymmetric = true;
    if (const auto* approximate = std::get_if<ApproximateEvent>(&term.event)) {
      finite_log += CountOf(term) * std::log1p(-approximate->delta.value.get_d());
    }
    prepared.terms.push_back(term);
  }
  prepared.infinity = -std::expm1(finite_log);
  if (precision != 0) {
    // Down, so that the merged Gaussian has no more noise than the real ones together.
    prepared.gaussian_sigma = RationalOf(std::nextafter(1 / std::sqrt(ToDoubleUp(precision)), 0));
    const Event merged = GaussianEvent{prepared.gaussian_sigma};
    if (!prepared.terms.empty()) TACIT_CHECK(CheckSupported(merged, neighbours));
    prepared.terms.push_back(Term{merged, 1});
  }
  if (prepared.terms.empty()) return InvalidArgument("there is no release to account for");
  return prepared;
}

Result<Saddle> SaddleForDelta(const Prepared& prepared, Direction direction, double delta) {
  const double finite = delta - prepared.infinity;
  if (finite <= delta * 1e-9) {
    return InvalidArgument("the deltas of the releases together already exceed delta");
  }
  Saddle saddle;
  saddle.tail = finite * 1e-9 / TotalCount(prepared);
  saddle.rough = RoughOf(prepared, direction, saddle.tail);
  saddle.tilt = saddle.rough.TiltForDelta(finite);
  saddle.deviation = std::sqrt(saddle.rough.At(saddle.tilt).variance);
  return saddle;
}

Saddle SaddleForEpsilon(const Prepared& prepared, Direction direction, double epsilon) {
  Saddle saddle;
  saddle.tail = 1e-20 / TotalCount(prepared);
  const RoughComposition first = RoughOf(prepared, direction, saddle.tail);
  const double tilt = first.TiltForEpsilon(epsilon);
  // A smaller delta than expected needs the tails cut further out.
  const double log_delta = first.At(tilt).value - tilt * epsilon;
  saddle.tail = std::clamp(std::exp(log_delta - 25), 1e-280, 1e-12) / TotalCount(prepared);
  saddle.rough = RoughOf(prepared, direction, saddle.tail);
  saddle.tilt = saddle.rough.TiltForEpsilon(epsilon);
  saddle.deviation = std::sqrt(saddle.rough.At(saddle.tilt).variance);
  return saddle;
}

Result<Plan> MakePlan(const Prepared& prepared, const Saddle& saddle) {
  const RoughComposition::Cumulant at = saddle.rough.At(saddle.tilt);
  Plan plan;
  plan.tilt = saddle.tilt;
  plan.tail = saddle.tail;
  const double window = 16 * std::sqrt(at.variance) + 1e-9;
  Lattice lattice = CommonLattice(prepared);
  const double finest = std::max(window / kSizeWished, saddle.rough.WidestRelease() / kCellsMax);
  if (lattice.step != 0 && lattice.step.get_d() < finest) {
    lattice = Lattice{};  // too fine to follow: every term is cut like a continuous one
    for (const Term& term : prepared.terms) lattice.counts_off += CountOf(term);
    lattice.terms_off = static_cast<int>(prepared.terms.size());
  }
  const auto step_for = [&](double bias) {
    return std::sqrt(12 * bias / ((plan.tilt + 1) * std::max(lattice.counts_off, 1.0)));
  };
  const double epsilon = std::max(at.mean, 1e-3);
  double step = std::max(step_for(kBiasFine * epsilon), window / kSizeWished);
  step = std::min(step, step_for(kBiasMax * std::min(1.0, epsilon)));
  step = std::max(step, saddle.rough.WidestRelease() / kCellsMax);
  if (window / step > kSizeMax) {
    return InvalidArgument(
        "the losses of these releases are too wide for a transform of 2^23 points");
  }
  if (lattice.step == 0) {
    plan.mesh = Mesh{RationalOf(step), step};
  } else {
    const double parts = lattice.counts_off > 0 ? std::ceil(lattice.step.get_d() / step) : 1;
    plan.mesh.exact = lattice.step / RationalOf(parts);
    plan.mesh.step = plan.mesh.exact.get_d();
  }
  double rounding = 0;
  for (const Term& term : prepared.terms) {
    // A term of few releases may use wider cells: only the sum of count * width^2 matters.
    const double share = lattice.counts_off / std::max(1, lattice.terms_off) / CountOf(term);
    plan.strides.push_back(std::max<int64_t>(1, static_cast<int64_t>(std::sqrt(share))));
    rounding += CountOf(term);
  }
  const double one_release = std::sqrt((at.variance + at.mean * at.mean / rounding) / rounding);
  plan.loss_rounding = 64 * kUnit * rounding * one_release;
  return plan;
}

}  // namespace tacit::accounting::pld
