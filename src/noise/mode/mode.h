#pragma once

#include <vector>

#include "noise/column_mechanism.h"
#include "noise/exponential_mechanism/exponential_mechanism.h"

namespace tacit::noise {

// Chooses the most frequent of finitely many public values by the exponential mechanism on their
// counts: the rarer a value is than the most frequent one, the less likely it is.
class ModeSelection final : public ColumnMechanism {
 public:
  struct Parameters {
    size_t values = 0;     // how many there are to choose from; public
    Integer rows_changed;  // rows that one step between neighbours adds and removes at most
    Epsilon epsilon;
  };
  static Result<ModeSelection> Make(const Parameters& parameters);

  // counts has one entry per value. The index of the chosen one.
  size_t Apply(const std::vector<uint64_t>& counts, Entropy& entropy) const;

  Form Reads() const override { return Form::kCounts; }
  accounting::Event event() const override { return mechanism_.event(); }

  // The chosen value is at most so many rows rarer than the most frequent one in 95 % of choices.
  Integer ErrorAt95() const override;
  // Of a count: the rows that may change, for each epsilon.
  Rational ScaleUp() const override { return Rational(1 / mechanism_.rate()); }
  std::string Name() const override { return "exponential_mechanism"; }
  std::string WordsFor(const std::string& /*scale*/) const override {
    return "exponential mechanism";
  }
  // A choice has no noise whose tail a threshold could stand against.
  std::optional<Integer> ThresholdFor(const accounting::ThresholdWish&) const override {
    return std::nullopt;
  }
  size_t HeldBytes() const override { return sizeof *this; }

 private:
  ModeSelection(size_t values, ExponentialMechanism mechanism)
      : values_(values), mechanism_(std::move(mechanism)) {}

  Int128 Draw(const ExactNumber& exact, Entropy& entropy) const override {
    return static_cast<Int128>(Apply(std::get<std::vector<uint64_t>>(exact), entropy));
  }

  size_t values_;
  ExponentialMechanism mechanism_;
};

}  // namespace tacit::noise
