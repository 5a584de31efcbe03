#pragma once

#include "base/numbers/privacy_parameters.h"
#include "base/secrets/entropy.h"
#include "release/measure/joint.h"

namespace tacit::release {

// A table that was counted with noise: public from here on.
struct NoisyTable {
  std::vector<double> counts;  // whole numbers
  double variance = 0;         // of the noise of each
};

// What one step between neighbours can do to the rows that are counted.
struct Moved {
  Integer rows;        // so many come, go, or both: every table moves by this in L1 at most
  Integer l2_squared;  // and by this in squared L2
};

// Stands before the exact rows inside a mechanism, and is the only one who reads them: what it says
// is noisy, and it says no more than its rho pays for, whatever it is asked and in whatever order.
// ../proof.md has the claim.
class Curator {
 public:
  // The rows and the stream outlive it.
  Curator(const Joint& exact, const Moved& moved, Rho rho, Entropy& entropy)
      : exact_(exact), moved_(moved), left_(std::move(rho.value)), entropy_(entropy) {}
  Curator(const Curator&) = delete;
  Curator& operator=(const Curator&) = delete;

  const Rational& left() const { return left_; }
  const Moved& moved() const { return moved_; }

  // The table of these sides, with discrete Gaussian noise of this rho or a little less. Asking for
  // more than is left is a programmer's error.
  NoisyTable Count(const std::vector<Side>& sides, const Rational& rho);

  // A table whose counts are compared with known ones: how far it is off is the sum of
  // |count - known| over all cells, less `allowance`.
  struct Candidate {
    std::vector<Side> sides;
    std::vector<int64_t> known;
    int64_t allowance = 0;
  };
  // Which `wanted` of the candidates are farthest off: one after the other by the exponential
  // mechanism, for this rho together.
  std::vector<size_t> Farthest(const std::vector<Candidate>& candidates, size_t wanted,
                               const Rational& rho);

  // Random words for what is done with released values: they tell nothing.
  Entropy& entropy() { return entropy_; }

 private:
  void Pay(const Rational& rho);

  const Joint& exact_;
  const Moved moved_;
  Rational left_;
  Entropy& entropy_;
};

// The noise variance that rho buys for tables of one table's sensitivity, as Count draws it.
Rational VarianceFor(const Rational& rho, const Integer& l2_squared);

}  // namespace tacit::release
