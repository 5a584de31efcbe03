#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "accounting/event.h"
#include "accounting/threshold.h"
#include "base/numbers/int128.h"
#include "base/secrets/entropy.h"
#include "noise/full_cells.h"

namespace tacit::noise {

class CubeNoise;

// What a mechanism reads of one group: a whole number in steps of its grid, how many rows have each
// of its values, or how many are in each cell of its grid that is not empty.
using ExactNumber = std::variant<Int128, std::vector<uint64_t>, FullCells>;
enum class Form { kNumber, kCounts, kFullCells };

// The noise of one released column, as one object: how it is drawn, what that costs, how far the
// answer may be off, and how people and programs call it. A plan names such an object for each of
// its measures, and whatever carries the plan out, prices it or explains it knows no more than is
// written here: a new mechanism is a class of its own, in a folder with its test and its proof.md,
// and the planner's rule that says when it is used (plan/price/mechanism.cc).
//
// A fingerprint does not hold it: a fingerprint is of what is asked, and two mechanisms that answer
// the same question are told apart by their scales.
class ColumnMechanism {
 public:
  virtual ~ColumnMechanism() = default;

  // The released number, for an exact one of the form that Reads says: a whole number in steps of
  // the grid, or the index of a cell.
  Int128 Apply(const ExactNumber& exact, Entropy& entropy) const { return Draw(exact, entropy); }

  // Where several columns of a group are drawn together: the noise of all of them, and which of its
  // numbers this column's is. RowNoise draws; Apply is for columns that stand by themselves.
  virtual const CubeNoise* cube() const { return nullptr; }
  virtual size_t coordinate() const { return 0; }

  virtual Form Reads() const = 0;
  // Whether it chooses one of several cells by their counts, instead of adding noise to a number.
  bool ReadsCells() const { return Reads() != Form::kNumber; }
  // What one draw does to privacy, for the sensitivity it was made for.
  virtual accounting::Event event() const = 0;
  // In 95 % of answers the error is at most this: in steps of the grid, or in rows where cells are
  // chosen. ScaleUp is the noise's own measure of it, in the same unit, rounded up.
  virtual Integer ErrorAt95() const = 0;
  virtual Rational ScaleUp() const = 0;
  // What is added to a number, in steps of the grid: the middle of each of so many equally likely
  // parts, in rising order. Nothing where cells are chosen.
  virtual std::vector<Integer> ErrorsOf(int) const { return {}; }
  // discrete_laplace: for programs.
  virtual std::string Name() const = 0;
  // "discrete Laplace noise of scale 10": for people. `scale` is ScaleUp in the column's own unit.
  virtual std::string WordsFor(const std::string& scale) const = 0;
  // The smallest noisy number of units at which a group may be shown, as the wish says; none where
  // no such number has a proof.
  virtual std::optional<Integer> ThresholdFor(const accounting::ThresholdWish& wish) const = 0;
  // The memory that it takes, about.
  virtual size_t HeldBytes() const = 0;

 protected:
  ColumnMechanism() = default;
  ColumnMechanism(const ColumnMechanism&) = default;
  ColumnMechanism& operator=(const ColumnMechanism&) = default;

 private:
  virtual Int128 Draw(const ExactNumber& exact, Entropy& entropy) const = 0;
};

// A mechanism of any class, as a plan holds it: shared between copies, for it never changes.
class AnyMechanism {
 public:
  template <std::derived_from<ColumnMechanism> Mechanism>
  AnyMechanism(Mechanism mechanism)  // NOLINT: any mechanism is one
      : mechanism_(std::make_shared<const Mechanism>(std::move(mechanism))) {}

  const ColumnMechanism& operator*() const { return *mechanism_; }
  const ColumnMechanism* operator->() const { return mechanism_.get(); }

 private:
  std::shared_ptr<const ColumnMechanism> mechanism_;
};

}  // namespace tacit::noise
