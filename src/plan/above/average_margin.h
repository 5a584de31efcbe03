#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How far an average may be off that is shown as it was released: what the draws of margins.h say
// of it, computed from its count and its sum at once instead of by carrying out the query again.
namespace tacit::plan {

// Why 251: one more noise in 251 is 0.4 %, and a row takes a fraction of a millisecond. A prime of
// the form 3n + 2: cubes modulo it are then a permutation, which deals out the draws.
inline constexpr int kDraws = 251;
// Of 251 draws the 240th: the first share above 95 % that one of them stands for.
inline constexpr double kCoveredShare = 0.956;
// Where the number is not linear on the scale of its noise (docs/decisions/margins.md).
inline constexpr double kWideShare = 0.98;
inline constexpr double kLinearWithin = 1.07;

// tacit_average_margin(count DOUBLE, sum DOUBLE, average VARCHAR) -> DOUBLE: what an AverageMargin,
// a constant, says of them.
inline constexpr char kAverageMarginFunction[] = "tacit_average_margin";

class AverageMargin {
 public:
  struct Average {
    double step = 1;    // of the sum's grid
    double centre = 0;  // was taken off every summand
    double low = 0;     // what summands are within
    double high = 0;
    std::vector<double> count_errors;  // kDraws of each noise, each as likely as the others
    std::vector<double> sum_errors;
    // Not empty: both noises are drawn together, and the errors are times one of these, which is
    // the same for both.
    std::vector<double> radii = {};
  };

  explicit AverageMargin(Average average) : average_(std::move(average)) {}
  // Nothing for a text that is none.
  static std::optional<AverageMargin> Parse(std::string_view text);
  std::string ToText() const;

  // What 95 % of the draws stay within.
  double Of(double count, double sum) const;

 private:
  double Value(double count, double sum) const;

  Average average_;
};

}  // namespace tacit::plan
