#include "accounting/pld/compose.h"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "accounting/pld/losses/event_losses.h"
#include "base/numbers/int128.h"

namespace tacit::accounting::pld {
namespace {

// e^-30 of the tilted mass may lie outside the window on each side.
constexpr double kOutsideLog = 30;
// A frequency below e^-45 after composition is left out (and counted as an error).
constexpr double kOmittedLog = -45;

// A sum with fewer possible values than this is transformed whole.
constexpr double kWholeSupport = 1 << 15;

// With more frequencies than this one inverse transform is cheaper than series for every point.
constexpr size_t kSeriesMax = 1024;

std::mutex& PlannerMutex() {  // FFTW's planner is not thread-safe; executing a plan is.
  static std::mutex mutex;
  return mutex;
}

// The smallest 2^a 3^b 5^c that is at least n and even: sizes FFTW is fast at.
int64_t FastSize(int64_t n) {
  int64_t best = INT64_MAX;
  for (int64_t fives = 2; fives < best && fives <= 250; fives *= 5) {
    for (int64_t threes = fives; threes < best && threes <= fives * 9; threes *= 3) {
      int64_t size = threes;
      while (size < n) size *= 2;
      best = std::min(best, size);
    }
  }
  return best;
}

struct FftwFree {
  void operator()(void* memory) const { fftw_free(memory); }
};

// The transform of `values` (size + 2 doubles, the last two are room for the result), in place.
void TransformInPlace(double* values, int64_t size) {
  fftw_plan plan;
  {
    const std::lock_guard lock(PlannerMutex());
    plan = fftw_plan_dft_r2c_1d(static_cast<int>(size), values,
                                reinterpret_cast<fftw_complex*>(values), FFTW_ESTIMATE);
  }
  TACIT_ASSERT(plan != nullptr);
  fftw_execute(plan);
  const std::lock_guard lock(PlannerMutex());
  fftw_destroy_plan(plan);
}

// The inverse of the above without its factor size, in place.
void TransformBack(double* values, int64_t size) {
  fftw_plan plan;
  {
    const std::lock_guard lock(PlannerMutex());
    plan = fftw_plan_dft_c2r_1d(static_cast<int>(size), reinterpret_cast<fftw_complex*>(values),
                                values, FFTW_ESTIMATE);
  }
  TACIT_ASSERT(plan != nullptr);
  fftw_execute(plan);
  const std::lock_guard lock(PlannerMutex());
  fftw_destroy_plan(plan);
}

double Angle(int64_t index, int64_t point, int64_t size) {
  const auto turns = static_cast<int64_t>(static_cast<Int128>(index) * point % size);
  return 2 * M_PI * static_cast<double>(turns) / static_cast<double>(size);
}

}  // namespace

Composition::Composition(const std::vector<Part>& parts, double step, double tilt, Side side)
    : step_(step), tilt_(tilt), side_(side) {
  double finite_log = 0;
  double count_total = 0;
  for (const Part& part : parts) {
    const auto count = static_cast<double>(part.count);
    finite_log += count * std::log1p(-std::min(part.measure->infinity, 1 - kUnit));
    const double reach = std::max(std::abs(static_cast<double>(part.measure->first)),
                                  std::abs(static_cast<double>(part.measure->first) +
                                           static_cast<double>(part.measure->mass.size()))) *
                         step_ * tilt_;
    relative_ += count * kUnit * (16 + 4 * reach);
    count_total += count;
  }
  const double margin = 1e-14 * (side == Side::kUpper ? 1 : -1);
  infinity_ = -std::expm1(finite_log) * (1 + margin * (1 + std::log1p(count_total)));
  cumulant_ = LogMoment(parts, tilt_);
  ChooseWindow(parts);
  Transform(parts);
  if (frequencies_.size() > kSeriesMax) SumAllPoints();
}

double Composition::LogMoment(const std::vector<Part>& parts, double tilt) const {
  double total = 0;
  for (const Part& part : parts) {
    const LossMeasure& m = *part.measure;
    const double ends[2] = {
        static_cast<double>(m.first) * step_ * tilt,
        static_cast<double>(m.first + static_cast<int64_t>(m.mass.size()) - 1) * step_ * tilt};
    const double top = std::max(ends[0], ends[1]);
    long double moment = 0;
    for (size_t i = 0; i < m.mass.size(); ++i) {
      if (m.mass[i] == 0) continue;
      moment +=
          m.mass[i] *
          std::exp(static_cast<double>(m.first + static_cast<int64_t>(i)) * step_ * tilt - top);
    }
    total += static_cast<double>(part.count) *
             static_cast<double>(std::log(moment) + static_cast<long double>(top));
  }
  return total;
}

// Chernoff bounds of the tilted sum, at a few exponents around the best one of a normal sum.
void Composition::ChooseWindow(const std::vector<Part>& parts) {
  double first = 0;
  double last = 0;
  for (const Part& part : parts) {
    first += static_cast<double>(part.count) * static_cast<double>(part.measure->first);
    last += static_cast<double>(part.count) *
            static_cast<double>(part.measure->first +
                                static_cast<int64_t>(part.measure->mass.size()) - 1);
  }
  if (last - first < kWholeSupport) {
    low_ = static_cast<int64_t>(first);
    high_ = static_cast<int64_t>(last);
    size_ = FastSize(std::max<int64_t>(high_ - low_ + 2, 16));
    return;
  }
  const double probe = tilt_ * 1e-2;
  const double up = LogMoment(parts, tilt_ + probe) - cumulant_;
  const double down = LogMoment(parts, tilt_ - probe) - cumulant_;
  const double deviation = std::sqrt(std::max((up + down) / (probe * probe), 1e-12));
  double high = INFINITY;
  double low = -INFINITY;
  // Sampled losses have a long upper tail, for which the best exponent is small; the lower one is
  // short.
  const double unit = std::sqrt(2 * kOutsideLog) / deviation;
  for (const double factor : {0.1, 0.2, 0.4, 0.7, 1.0}) {
    const double t = factor * unit;
    high = std::min(high, (LogMoment(parts, tilt_ + t) - cumulant_ + kOutsideLog) / t);
  }
  for (const double factor : {0.4, 0.7, 1.0}) {
    const double t = factor * unit;
    low = std::max(low, -(LogMoment(parts, tilt_ - t) - cumulant_ + kOutsideLog) / t);
  }
  const double high_point = std::ceil(high / step_) + 1;
  const double low_point = std::floor(low / step_) - 1;
  outside_ = 0;
  if (high_point < last) outside_ += std::exp(-kOutsideLog + relative_);
  if (low_point > first) outside_ += std::exp(-kOutsideLog + relative_);
  high_ = static_cast<int64_t>(std::min(high_point, last));
  low_ = static_cast<int64_t>(std::max(low_point, first));
  size_ = FastSize(std::max<int64_t>(high_ - low_ + 2, 16));
}

void Composition::Transform(const std::vector<Part>& parts) {
  const auto half = static_cast<size_t>(size_ / 2 + 1);
  std::vector<double> log_size(half, 0.0);
  std::vector<double> phase(half, 0.0);
  std::vector<double> spread(half, 0.0);
  // A transform of non-negative numbers that sum to one: log2(size) butterflies, each within a few
  // ulps, none of which can exceed one.
  const double fft_error = 8 * std::log2(static_cast<double>(size_)) * kUnit;
  std::unique_ptr<double, FftwFree> values(
      static_cast<double*>(fftw_malloc(sizeof(double) * 2 * half)));
  TACIT_ASSERT(values != nullptr);
  for (const Part& part : parts) {
    const LossMeasure& m = *part.measure;
    const double log_moment = LogMoment({{.measure = &m, .count = 1}}, tilt_);
    std::fill_n(values.get(), 2 * half, 0.0);
    int64_t place = ((m.first % size_) + size_) % size_;
    for (size_t i = 0; i < m.mass.size(); ++i) {
      if (m.mass[i] != 0) {
        values.get()[place] +=
            m.mass[i] *
            std::exp(static_cast<double>(m.first + static_cast<int64_t>(i)) * step_ * tilt_ -
                     log_moment);
      }
      if (++place == size_) place = 0;
    }
    TransformInPlace(values.get(), size_);
    const auto count = static_cast<double>(part.count);
    for (size_t i = 0; i < half; ++i) {
      const double real = values.get()[2 * i];
      const double imaginary = values.get()[2 * i + 1];
      const double square = real * real + imaginary * imaginary;
      if (log_size[i] < kOmittedLog) continue;
      const double size_log = square > 0 ? 0.5 * std::log(square) : -INFINITY;
      // |phi| + error is what the exact value is at most.
      const double relative = fft_error / std::max(std::sqrt(square), 1e-300) + 8 * kUnit;
      log_size[i] += count * (size_log + std::min(relative, 700.0));
      if (log_size[i] < kOmittedLog) continue;
      log_size[i] -= count * relative;
      phase[i] += std::remainder(count * std::atan2(imaginary, real), 2 * M_PI);
      spread[i] += count * relative;
    }
  }
  for (size_t i = 0; i < half; ++i) {
    const double weight = (i == 0 || i + 1 == half) ? 1 : 2;
    if (log_size[i] < kOmittedLog) {
      omitted_ += weight * std::exp(kOmittedLog);
      continue;
    }
    const double magnitude = weight * std::exp(log_size[i]);
    frequencies_.push_back(Frequency{static_cast<int64_t>(i), magnitude * std::cos(phase[i]),
                                     magnitude * std::sin(phase[i]),
                                     magnitude * (std::expm1(spread[i]) + 64 * kUnit)});
  }
}

// The tilted masses themselves, then their decaying sums from the top of the window down.
void Composition::SumAllPoints() {
  const auto half = static_cast<size_t>(size_ / 2 + 1);
  std::unique_ptr<double, FftwFree> values(
      static_cast<double*>(fftw_malloc(sizeof(double) * 2 * half)));
  TACIT_ASSERT(values != nullptr);
  std::fill_n(values.get(), 2 * half, 0.0);
  double errors = 0;
  double sizes = 0;
  for (const Frequency& f : frequencies_) {
    const auto i = static_cast<size_t>(f.index);
    const double share = (i == 0 || i + 1 == half) ? 1 : 0.5;  // each stands for its conjugate too
    values.get()[2 * i] = share * f.real;
    values.get()[2 * i + 1] = share * f.imaginary;
    errors += f.error;
    sizes += std::abs(f.real) + std::abs(f.imaginary);
  }
  TransformBack(values.get(), size_);
  const double per_point = 1 / static_cast<double>(size_);
  const double fft_error = 8 * std::log2(static_cast<double>(size_)) * kUnit;
  const auto points = static_cast<size_t>(high_ - low_ + 1);
  const double longest = std::min(static_cast<double>(points), 1 / -std::expm1(-tilt_ * step_)) + 1;
  // Both sums have the error of every point in them, and a rounding a point of their own.
  points_error_ =
      2 * longest * per_point * (errors + fft_error * sizes + omitted_ + 8 * kUnit * sizes);
  mass_from_.assign(points + 1, 0.0);
  under_q_from_.assign(points + 1, 0.0);
  const double decay = std::exp(-tilt_ * step_);
  const double decay_q = std::exp(-(tilt_ + 1) * step_);
  int64_t place = ((high_ % size_) + size_) % size_;
  for (size_t i = points; i-- > 0;) {
    const double mass = values.get()[place] * per_point;
    mass_from_[i] = mass + decay * mass_from_[i + 1];
    under_q_from_[i] = mass + decay_q * under_q_from_[i + 1];
    place = place == 0 ? size_ - 1 : place - 1;
  }
  // The decay's own rounding, over as many steps as matter.
  double largest = 0;
  for (const double sum : mass_from_) largest = std::max(largest, std::abs(sum));
  points_error_ += 16 * kUnit * longest * largest;
}

Composition::Sums Composition::SumsFrom(int64_t first) const {
  Sums sums;
  const int64_t length = std::max<int64_t>(high_ - first + 1, 0);
  const double point = static_cast<double>(first) * step_;
  sums.scale = std::exp(cumulant_ - tilt_ * point);
  sums.error = outside_;
  if (length == 0) return sums;
  if (!mass_from_.empty()) {
    const auto i = static_cast<size_t>(first - low_);
    sums.mass = mass_from_[i];
    sums.under_q = under_q_from_[i];
    sums.error += points_error_;
    return sums;
  }
  double frequency_error = 0;
  double series_sizes = 0;
  // A geometric series sum over j of decay^j e^(i omega j), in closed form.
  struct Series {
    double decay_log;
    double minus_expm1;
    double end;
  };
  const double n = static_cast<double>(length);
  const Series series[2] = {
      {-tilt_ * step_, -std::expm1(-tilt_ * step_), std::exp(-tilt_ * step_ * n)},
      {-(tilt_ + 1) * step_, -std::expm1(-(tilt_ + 1) * step_),
       std::exp(-(tilt_ + 1) * step_ * n)}};
  double results[2] = {0, 0};
  for (const Frequency& f : frequencies_) {
    const double omega = 2 * M_PI * static_cast<double>(f.index) / static_cast<double>(size_);
    const double half_sine = std::sin(omega / 2);
    const double sine = std::sin(omega);
    const double start = Angle(f.index, first, size_);
    const double stop = Angle(f.index, first + length, size_);
    const double c0 = std::cos(start);
    const double s0 = std::sin(start);
    const double c1 = std::cos(stop);
    const double s1 = std::sin(stop);
    for (int k = 0; k < 2; ++k) {
      const double decay = 1 - series[k].minus_expm1;
      const double below_real = series[k].minus_expm1 + decay * 2 * half_sine * half_sine;
      const double below_imaginary = -decay * sine;
      const double norm = below_real * below_real + below_imaginary * below_imaginary;
      const double above_real = c0 - series[k].end * c1;
      const double above_imaginary = s0 - series[k].end * s1;
      const double real = (above_real * below_real + above_imaginary * below_imaginary) / norm;
      const double imaginary = (above_imaginary * below_real - above_real * below_imaginary) / norm;
      results[k] += f.real * real - f.imaginary * imaginary;
      const double bound = (1 + series[k].end) / std::sqrt(norm);
      frequency_error += bound * f.error;
      series_sizes += bound * 0.5 * (std::abs(f.real) + std::abs(f.imaginary));
    }
  }
  const double per_point = 1 / static_cast<double>(size_);
  sums.mass = results[0] * per_point;
  sums.under_q = results[1] * per_point;
  const double longest = std::min(n, 1 / series[0].minus_expm1);
  sums.error += (frequency_error + 128 * kUnit * series_sizes + 2 * omitted_ * longest) * per_point;
  return sums;
}

// proof: accounting/pld/pld.md#claim
double Composition::DeltaAt(const Sums& sums, double z) const {
  const double sign = side_ == Side::kUpper ? 1 : -1;
  const double finite = std::max(0.0, sums.mass - z * sums.under_q + sign * sums.error);
  return std::clamp(infinity_ + sums.scale * finite * std::exp(sign * relative_), 0.0, 1.0);
}

double Composition::Delta(double epsilon) const {
  const double place = std::floor(epsilon / step_) + 1;
  // The tilted sums reach down to the window's end only: what lies below is not bounded by them.
  if (place < static_cast<double>(low_) && side_ == Side::kUpper) return 1;
  const auto first = static_cast<int64_t>(
      std::clamp(place, static_cast<double>(low_), static_cast<double>(high_ + 1)));
  const double z = std::exp(std::min(epsilon - static_cast<double>(first) * step_, 0.0));
  return DeltaAt(SumsFrom(first), z);
}

double Composition::Epsilon(double delta) const {
  if (infinity_ >= delta) return side_ == Side::kUpper ? INFINITY : 0;
  const auto at = [&](int64_t index) { return DeltaAt(SumsFrom(index), 1); };
  int64_t low = low_ - 1;    // delta is above the target here, or nothing is known
  int64_t high = high_ + 1;  // and at most the target here
  double low_log = 0;
  if (at(high) > delta) return side_ == Side::kUpper ? INFINITY : static_cast<double>(high) * step_;
  double high_log = std::log(std::max(at(high), delta * 1e-9));
  const double target = std::log(delta);
  for (int i = 0; high - low > 1; ++i) {
    int64_t next = low + (high - low) / 2;
    if (i % 3 != 2 && i > 0 && low_log > target && high_log < target) {
      const double share = (low_log - target) / (low_log - high_log);
      next = low + static_cast<int64_t>(share * static_cast<double>(high - low));
      next = std::clamp(next, low + 1, high - 1);
    }
    const double value = at(next);
    if (value > delta) {
      low = next;
      low_log = std::log(value);
    } else {
      high = next;
      high_log = std::log(std::max(value, delta * 1e-9));
    }
  }
  // Between the two points delta is scale * (A - z B) with the sums of the upper one.
  const Sums sums = SumsFrom(high);
  const double sign = side_ == Side::kUpper ? 1 : -1;
  const double wanted = (delta - infinity_) / (sums.scale * std::exp(sign * relative_));
  const double z = (sums.mass + sign * sums.error - wanted) / sums.under_q;
  const double offset = z > 0 ? std::log(z) : -INFINITY;
  if (side_ == Side::kLower && low < low_ && offset < -step_) return 0;
  const double point = static_cast<double>(high) * step_;
  return std::max(0.0, point + std::clamp(offset, -step_, 0.0));
}

}  // namespace tacit::accounting::pld
