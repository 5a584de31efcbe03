#pragma once

#include <functional>
#include <optional>

#include "base/numbers/privacy_parameters.h"
#include "base/secrets/entropy.h"
#include "release/measure/joint.h"

namespace tacit::release {

// A table that was counted with noise: public from here on.
struct NoisyTable {
  std::vector<double> counts;  // of rows; whole numbers, but where rows count in parts
  double variance = 0;         // of the noise of each
};

// What one step between neighbours can do to the rows that are counted, in parts of a row
// (Joint::parts).
struct Moved {
  Integer rows;        // so many come, go, or both: every table moves by this in L1 at most
  Integer l2_squared;  // and by this in squared L2
  // How many different rows that can be, where rows count in parts; `rows` unless said.
  std::optional<Integer> different = {};
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

  // The squared L2 by which a step moves a table, in rows, and the standard deviation of the noise
  // that this rho buys for one.
  double L2Squared() const;
  double SigmaFor(double rho) const;

  // The table of these sides, with discrete Gaussian noise of this rho or a little less. Asking for
  // more than is left is a programmer's error.
  NoisyTable Count(const std::vector<Side>& sides, const Rational& rho);

  // What is known of a table before it is counted, made of released values alone: how many rows
  // each cell would have, and how far off a table may be for nothing.
  struct Known {
    std::vector<int64_t> rows;
    int64_t allowance = 0;
  };
  using KnownOf = std::function<Known(size_t table)>;

  // Which `wanted` of the tables are farthest off, by the sum of |count - known| over all cells
  // less the allowance: one after the other by the exponential mechanism, for this rho together.
  // `known` is asked once for each table, by several threads.
  std::vector<size_t> Farthest(const std::vector<std::vector<Side>>& tables, const KnownOf& known,
                               size_t wanted, const Rational& rho, size_t threads = 1);

  // The same sums over all tables together, without allowances, with discrete Gaussian noise.
  struct Distance {
    double rows = 0;
    double sigma = 0;
  };
  Distance DistanceFrom(const std::vector<std::vector<Side>>& tables, const KnownOf& known,
                        const Rational& rho, size_t threads = 1);

  // Random words for what is done with released values: they tell nothing.
  Entropy& entropy() { return entropy_; }

 private:
  void Pay(const Rational& rho);
  // How far each table is off, allowances taken away. Exact.
  std::vector<int64_t> OffBy(const std::vector<std::vector<Side>>& tables, const KnownOf& known,
                             size_t threads) const;

  const Joint& exact_;
  const Moved moved_;
  Rational left_;
  Entropy& entropy_;
};

// The noise variance that rho buys for tables of one table's sensitivity, as Count draws it.
Rational VarianceFor(const Rational& rho, const Integer& l2_squared);

}  // namespace tacit::release
