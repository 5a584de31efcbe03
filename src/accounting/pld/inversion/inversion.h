#pragma once

#include <optional>

#include "accounting/pld/inversion/moments.h"
#include "accounting/pld/plan.h"
#include "accounting/pld/pld.h"

namespace tacit::accounting::pld {

// delta(epsilon) of many subsampled Gaussian releases by inverting their characteristic function:
// no grid of losses, so no error that grows with the number of releases but rounding. The argument
// is in inversion.md.
class Inversion {
 public:
  // Nothing where it does not apply or would be slow (other events, few releases): the grid does.
  static std::optional<Inversion> Make(const Prepared& prepared, Direction direction,
                                       const Saddle& saddle);

  Bracket Delta(double epsilon) const;
  // Bounds of the smallest epsilon >= 0 with delta(epsilon) <= delta, for a delta between the two.
  Bracket Epsilon(double delta_down, double delta_up) const;

 private:
  struct Part {
    SampledMoments moments;
    double count = 0;
  };
  struct Frequency {
    double omega = 0;
    double real = 0;
    double imaginary = 0;
    double size = 0;
  };
  Inversion() = default;
  Bounded Cumulant(double tilt) const;
  bool MakeParts(const Prepared& prepared, Direction direction, const SampledMoments::Range& range);
  bool ChooseWindow(double deviation);
  std::optional<double> ChooseFrequencyMax(double deviation);
  struct Product {
    double log_size = 0;
    double phase = 0;
    double error = 0;  // distance in the plane
  };
  Product ProductAt(double omega) const;
  void Transform(double frequency_max);

  double tilt_ = 0;
  double gaussian_ = 0;  // 1 / sigma^2 of the Gaussians that are not sampled
  std::vector<Part> parts_;
  Bounded cumulant_;
  double low_ = 0;  // the window outside of which next to nothing of the tilted losses lies
  double high_ = 0;
  double period_ = 0;  // of the sum over frequencies, as a function of epsilon
  double alias_ = 0;   // what other periods add at most, for epsilon within the window
  double frequency_error_ = 0;
  std::vector<Frequency> frequencies_;
};

}  // namespace tacit::accounting::pld
