#pragma once

#include <string>
#include <vector>

#include "attack/report.h"

namespace tacit::attack {

// Where values of an axis stand on the paper.
class Scale {
 public:
  // Covers every value and the axis's own low and high; values at or below zero are left out of a
  // logarithmic one.
  Scale(const Axis& axis, const std::vector<double>& values, double from, double to);

  bool Shows(double value) const;
  double At(double value) const;

  struct Tick {
    double value = 0;
    std::string label = {};
  };
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  double Place(double value) const;
  void LinearTicks();
  void LogarithmicTicks();

  bool logarithmic_;
  double from_;
  double to_;
  double low_ = 0;
  double high_ = 1;
  std::vector<Tick> ticks_;
};

}  // namespace tacit::attack
