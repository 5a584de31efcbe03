#include <cmath>

#include "accounting/pld/losses/event_losses.h"

namespace tacit::accounting::pld {
namespace {

// How far out a normal variable's tail is below `tail`.
double TailPoint(double tail) { return std::sqrt(-2 * std::log(std::max(tail, 1e-300))) + 0.1; }

// P(Z > z) rounded by libm and by z's own rounding, which the tail amplifies by z^2.
double TailError(double z, double value) { return value * kUnit * (4 + 2 * z * z); }

}  // namespace

NormalMass NormalBetween(double from, double to, double sigma) {
  const double a = from / sigma;
  const double b = to / sigma;
  if (a >= 0) {
    const double high = NormalTail(a);
    const double low = NormalTail(b);
    return {high - low, TailError(a, high) + (std::isinf(b) ? 0 : TailError(b, low))};
  }
  if (b <= 0) return NormalBetween(-to, -from, sigma);
  const double left = NormalTail(-a);
  const double right = NormalTail(b);
  return {1 - left - right, 2 * kUnit + (std::isinf(a) ? 0 : TailError(a, left)) +
                                (std::isinf(b) ? 0 : TailError(b, right))};
}

// The loss is normal: N(m/2, m) under P and N(-m/2, m) under Q, with m = 1 / sigma^2.
Losses CutGaussian(double sigma, const Cut& cut) {
  Losses losses;
  const double mu = 1 / sigma;
  const double mean = mu * mu / 2;
  const double reach = TailPoint(cut.tail) * mu;
  const auto first = static_cast<int64_t>(std::floor((mean - reach) / cut.mesh.step));
  const auto last = static_cast<int64_t>(std::ceil((mean + reach) / cut.mesh.step));
  for (int64_t left = first; left < last; left += cut.stride) {
    const int64_t right = left + cut.stride;
    const NormalMass p = NormalBetween(cut.Point(left) - mean, cut.Point(right) - mean, mu);
    const NormalMass q = NormalBetween(cut.Point(left) + mean, cut.Point(right) + mean, mu);
    const double ratio = std::exp(cut.Point(left));
    const double u = std::max(0.0, p.mass - ratio * q.mass);
    const double relative = kUnit * (4 + std::abs(cut.Point(left)));
    losses.cells.push_back(Cell{left, right, p.mass, u, p.error,
                                p.error + ratio * q.error + relative * ratio * q.mass});
  }
  losses.below = NormalTail((mean - cut.Point(first)) / mu);
  losses.above = NormalTail((cut.Point(losses.cells.back().right) - mean) / mu);
  return losses;
}

// Remove: P = (1-q) N(0) + q N(1), Q = N(0), and the loss grows with x. Add: the two change places
// and the loss is the negative. A cell of losses is an interval of x either way.
Losses CutSubsampled(double sigma, double rate, Direction direction, const Cut& cut) {
  Losses losses;
  const double variance = sigma * sigma;
  const bool remove = direction == Direction::kRemove;
  // x at which the mixture is e^value times N(0): expm1 keeps what is left of q near the end.
  const auto x_at = [&](double value) {
    const double rest = std::expm1(value) + rate;
    return rest <= 0 ? -INFINITY : variance * std::log(rest / rate) + 0.5;
  };
  const auto loss_at = [&](double x) {
    return std::log1p(rate * std::expm1((x - 0.5) / variance));
  };
  const double x_top = 1 + sigma * TailPoint(cut.tail);
  const double x_low = remove ? -INFINITY : x_top;
  const double top = remove ? loss_at(x_top) : -std::log1p(-rate);
  const double bottom = remove ? std::log1p(-rate) : -loss_at(x_low);
  const auto first = static_cast<int64_t>(std::floor(bottom / cut.mesh.step));
  const auto last = static_cast<int64_t>(std::ceil(top / cut.mesh.step));
  losses.cells.reserve(static_cast<size_t>((last - first) / cut.stride + 1));
  int64_t left = first;
  // The end cells reach to where the loss has its limit, whatever the rounding of x_at.
  double x_left = remove ? -INFINITY : x_at(-cut.Point(left));
  for (; left < last; left += cut.stride) {
    const int64_t right = left + cut.stride;
    const double a = cut.Point(left);
    const double x_right = remove          ? x_at(cut.Point(right))
                           : right >= last ? -INFINITY
                                           : x_at(-cut.Point(right));
    const double from = remove ? x_left : x_right;
    const double to = remove ? x_right : x_left;
    const NormalMass without = NormalBetween(from, to, sigma);
    const NormalMass with = NormalBetween(from - 1, to - 1, sigma);
    const double mixture = (1 - rate) * without.mass + rate * with.mass;
    const double mixture_error = without.error + rate * with.error + 4 * kUnit * mixture;
    Cell cell{.left = left, .right = right};
    const double weight = rate + std::expm1(remove ? a : -a);
    const double scale = remove ? 1 : std::exp(a);
    const double difference = remove ? rate * with.mass - weight * without.mass
                                     : weight * without.mass - rate * with.mass;
    cell.p = remove ? mixture : without.mass;
    cell.p_error = remove ? mixture_error : without.error;
    cell.u = std::max(0.0, scale * difference);
    cell.u_error = scale * (rate * with.error + std::abs(weight) * without.error +
                            4 * kUnit * (rate * with.mass + std::abs(weight) * without.mass) +
                            2 * kUnit * rate * without.mass);
    losses.cells.push_back(cell);
    x_left = x_right;
  }
  if (remove) {
    losses.above =
        (1 - rate) * NormalTail(x_left / sigma) + rate * NormalTail((x_left - 1) / sigma);
  } else {
    losses.below = NormalTail(x_at(-cut.Point(first)) / sigma);
  }
  return losses;
}

std::vector<RoughLoss> RoughSubsampled(double sigma, double rate, Direction direction,
                                       double tail) {
  constexpr int kPoints = 1500;
  const double reach = sigma * TailPoint(tail);
  const double width = (2 * reach + 1) / kPoints;
  std::vector<RoughLoss> rough;
  rough.reserve(kPoints);
  for (int i = 0; i < kPoints; ++i) {
    const double x = -reach + width * (i + 0.5);
    const double density = width / (sigma * std::sqrt(2 * M_PI));
    const double without = density * std::exp(-x * x / (2 * sigma * sigma));
    const double with = density * std::exp(-(x - 1) * (x - 1) / (2 * sigma * sigma));
    const double growth = (x - 0.5) / (sigma * sigma);
    const double loss = growth > 500 ? growth + std::log(rate)
                        : rate == 1  ? growth
                                     : std::log1p(rate * std::expm1(growth));
    if (direction == Direction::kRemove) {
      rough.push_back({loss, (1 - rate) * without + rate * with});
    } else {
      rough.push_back({-loss, without});
    }
  }
  return rough;
}

// P(x) ~ exp(-x^2 / 2s) against the same shifted by one: the loss of x is (1 - 2x) / 2s.
Losses CutDiscreteGaussian(const DiscreteGaussianEvent& event, const Cut& cut) {
  Losses losses;
  const double variance = event.sigma_squared.get_d();
  const double reach = std::sqrt(variance) * TailPoint(cut.tail) + 2;
  const auto last = static_cast<int64_t>(std::ceil(reach));
  double total = 1;
  for (int64_t x = last; x > 0; --x) {
    total += 2 * std::exp(-static_cast<double>(x) * static_cast<double>(x) / (2 * variance));
  }
  const double relative = kUnit * (8 + static_cast<double>(last)) + cut.tail;
  for (int64_t x = last; x >= -last; --x) {
    const double square = static_cast<double>(x) * static_cast<double>(x) / (2 * variance);
    const double p = std::exp(-square) / total;
    const Rational loss = Rational(1 - 2 * x) / (2 * event.sigma_squared);
    AddOutcome(loss, p, p * (relative + 2 * kUnit * square), cut.mesh, &losses);
  }
  losses.below = losses.above = cut.tail;
  return losses;
}

}  // namespace tacit::accounting::pld
