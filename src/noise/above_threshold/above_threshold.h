#pragma once

#include <vector>

#include "noise/discrete_laplace/discrete_laplace.h"

namespace tacit::noise {

// Goes through numbers in a public order and says which is the first that reaches a threshold, or
// that none does: epsilon-DP for all of them together, however many are passed over.
class AboveThreshold {
 public:
  struct Parameters {
    Integer sensitivity;  // one step between neighbours moves no number further; at least 1
    // Whether one step moves all numbers the same way, as counts when a person is added: then half
    // of the noise does.
    bool moves_together = false;
    size_t numbers = 1;  // how many there are to go through; public
    Epsilon epsilon;
  };
  static Result<AboveThreshold> Make(const Parameters& parameters);

  // The index of the first number that reaches the threshold, noise included; as many as there are
  // where none does. All noise is drawn in any case.
  size_t Apply(const std::vector<Int128>& numbers, Int128 threshold, Entropy& entropy) const;

  accounting::Event event() const { return accounting::PureEvent{.epsilon = epsilon_}; }

  // In 95 % of runs no number alarms that is this far below the threshold, and none is passed over
  // that is this far above it.
  Integer ErrorAt95() const { return error_; }

  const Rational& threshold_scale() const { return of_threshold_.scale(); }
  const Rational& number_scale() const { return of_number_.scale(); }

 private:
  AboveThreshold(Epsilon epsilon, DiscreteLaplace of_threshold, DiscreteLaplace of_number,
                 Integer error)
      : epsilon_(std::move(epsilon)),
        of_threshold_(std::move(of_threshold)),
        of_number_(std::move(of_number)),
        error_(std::move(error)) {}

  Epsilon epsilon_;
  DiscreteLaplace of_threshold_;
  DiscreteLaplace of_number_;
  Integer error_;
};

}  // namespace tacit::noise
