#pragma once

#include "accounting/pld/loss_measure.h"

namespace tacit::accounting::pld {

// Which side of the true value every error of the composition is put on.
enum class Side { kUpper, kLower };

// The sum of independent losses, each measure `count` times, seen through its tilted Fourier
// transform. delta(epsilon) is a sum of geometric series over the frequencies that matter (one
// inverse transform where they are many), and the rounding error is relative to delta, not to one.
class Composition {
 public:
  struct Part {
    const LossMeasure* measure = nullptr;
    uint64_t count = 1;
  };
  Composition(const std::vector<Part>& parts, double step, double tilt, Side side);

  // A bound of delta(epsilon) on the chosen side.
  double Delta(double epsilon) const;
  // A bound of the smallest epsilon >= 0 with delta(epsilon) <= delta; infinite where none is
  // proven (upper), zero (lower).
  double Epsilon(double delta) const;

 private:
  struct Frequency {
    int64_t index = 0;
    double real = 0;
    double imaginary = 0;
    double error = 0;
  };
  // Sums over the grid points from `first` on, tilted relative to that point.
  struct Sums {
    double scale = 0;    // e^(cumulant - tilt * point)
    double mass = 0;     // A: delta(epsilon) = scale * (A - z B) with z = e^(epsilon - point)
    double under_q = 0;  // B
    double error = 0;
  };
  void ChooseWindow(const std::vector<Part>& parts);
  void Transform(const std::vector<Part>& parts);
  double LogMoment(const std::vector<Part>& parts, double tilt) const;
  void SumAllPoints();
  Sums SumsFrom(int64_t first) const;
  double DeltaAt(const Sums& sums, double z) const;

  double step_;
  double tilt_;
  Side side_;
  double infinity_ = 0;  // mass at infinity, rounded to the side
  double cumulant_ = 0;  // ln E e^(tilt loss)
  double relative_ = 0;  // relative error of the tilted masses, all factors together
  double outside_ = 0;   // tilted mass outside the window
  int64_t low_ = 0;      // the window: grid points low_ .. high_
  int64_t high_ = 0;
  int64_t size_ = 0;    // of the transform
  double omitted_ = 0;  // sum of what the frequencies left out could be
  std::vector<Frequency> frequencies_;
  // Where the frequencies are too many for series: the sums from every point of the window on.
  std::vector<double> mass_from_;
  std::vector<double> under_q_from_;
  double points_error_ = 0;
};

}  // namespace tacit::accounting::pld
