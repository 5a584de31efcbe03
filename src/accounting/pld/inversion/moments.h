#pragma once

#include <vector>

#include "accounting/pld/losses/losses.h"

namespace tacit::accounting::pld {

// A number and a bound of how far it may be from the exact one.
struct Bounded {
  double value = 0;
  double error = 0;
};

// The moments of the loss of one Poisson-subsampled Gaussian release, E e^(s loss) for complex s,
// as sums over equidistant points: the integrand is analytic in a strip around the real line, so
// the sum differs from the integral by e^-42 of it. inversion.md has the bounds.
class SampledMoments {
 public:
  struct Range {
    double tilt_min = 0;
    double tilt_max = 0;
    double frequency_max = 0;
  };
  // Tilts and frequencies outside the range may not be asked for. 0 < rate < 1.
  SampledMoments(double sigma, double rate, Direction direction, const Range& range);

  // False where there would be too many points; nothing else may be called then.
  bool usable() const { return usable_; }
  size_t points() const { return points_.size(); }

  // ln E e^(tilt loss).
  Bounded LogMoment(double tilt) const;

  // From here on the distribution is weighted with e^(tilt loss).
  void SetTilt(double tilt);
  // The characteristic function E e^(i frequency loss) of the weighted distribution; `error` bounds
  // the distance in the plane.
  struct Phase {
    double real = 1;
    double imaginary = 0;
    double error = 0;
  };
  Phase At(double frequency) const;
  // At most -ln |E e^(i f loss)| for every f >= frequency.
  double DecayDown(double frequency) const;

 private:
  struct Point {
    double z = 0;      // the noise in units of sigma
    double log = 0;    // ln w, w the likelihood ratio of the mixture to the noise alone
    double error = 0;  // of log
  };
  struct Sum {
    double top = 0;  // weights are relative to e^top
    std::vector<double> weights;
    double total = 0;
    double relative = 0;  // error of total against the integral
  };
  double PowerOf(double tilt) const;
  Point PointAt(double z) const;
  double ExponentOf(double z) const;
  void ChooseStep(const Range& range, double negative);
  Sum SumFor(double power) const;
  double CutTails(double power) const;

  double sigma_;
  double rate_;
  bool remove_;
  bool usable_ = true;
  double step_ = 0;
  std::vector<Point> points_;
  // Of the tilt that was set.
  double power_ = 0;
  double log_moment_ = 0;
  Sum sum_;
  double mean_error_ = 0;  // of the phase, per unit of frequency
};

}  // namespace tacit::accounting::pld
