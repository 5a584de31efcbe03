#pragma once

#include <vector>

#include "noise/exponential_mechanism/exponential_mechanism.h"

namespace tacit::noise {

// Chooses the most frequent of finitely many public values by the exponential mechanism on their
// counts: the rarer a value is than the most frequent one, the less likely it is.
class ModeSelection {
 public:
  struct Parameters {
    size_t values = 0;     // how many there are to choose from; public
    Integer rows_changed;  // rows that one step between neighbours adds and removes at most
    Epsilon epsilon;
  };
  static Result<ModeSelection> Make(const Parameters& parameters);

  // counts has one entry per value. The index of the chosen one.
  size_t Apply(const std::vector<uint64_t>& counts, Entropy& entropy) const;

  accounting::Event event() const { return mechanism_.event(); }

  // The chosen value is at most so many rows rarer than the most frequent one in 95 % of choices.
  Integer CountErrorAt95() const;

 private:
  ModeSelection(size_t values, ExponentialMechanism mechanism)
      : values_(values), mechanism_(std::move(mechanism)) {}

  size_t values_;
  ExponentialMechanism mechanism_;
};

}  // namespace tacit::noise
