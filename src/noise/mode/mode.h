#pragma once

#include <variant>
#include <vector>

#include "noise/column_mechanism.h"
#include "noise/exponential_mechanism/exponential_mechanism.h"
#include "noise/permute_and_flip/permute_and_flip.h"

namespace tacit::noise {

// Chooses the most frequent of finitely many public values by their counts: the rarer a value is
// than the most frequent one, the less likely it is. By permute and flip where epsilon is what
// counts, by the exponential mechanism where rho is.
class ModeSelection final : public ColumnMechanism {
 public:
  struct Parameters {
    size_t values = 0;     // how many there are to choose from; public
    Integer rows_changed;  // rows that one step between neighbours adds and removes at most
    Epsilon epsilon;
    bool pure = true;  // whether it is charged by epsilon; else by its bounded range, under zCDP
  };
  static Result<ModeSelection> Make(const Parameters& parameters);

  // counts has one entry per value. The index of the chosen one.
  size_t Apply(const std::vector<uint64_t>& counts, Entropy& entropy) const;

  Form Reads() const override { return Form::kCounts; }
  accounting::Event event() const override {
    return std::visit([](const auto& choice) { return choice.event(); }, choice_);
  }

  // The chosen value is at most so many rows rarer than the most frequent one in 95 % of choices.
  Integer ErrorAt95() const override;
  // Of a count: the rows that may change, for each epsilon.
  Rational ScaleUp() const override { return scale_; }
  std::string Name() const override {
    return IsPure() ? "permute_and_flip" : "exponential_mechanism";
  }
  std::string WordsFor(const std::string& /*scale*/) const override {
    return IsPure() ? "permute and flip" : "exponential mechanism";
  }
  // A choice has no noise whose tail a threshold could stand against.
  std::optional<Integer> ThresholdFor(const accounting::ThresholdWish&) const override {
    return std::nullopt;
  }
  size_t HeldBytes() const override { return sizeof *this; }

 private:
  using Choice = std::variant<PermuteAndFlip, ExponentialMechanism>;

  ModeSelection(size_t values, Rational scale, Choice choice)
      : values_(values), scale_(std::move(scale)), choice_(std::move(choice)) {}

  Int128 Draw(const ExactNumber& exact, Entropy& entropy) const override {
    return static_cast<Int128>(Apply(std::get<std::vector<uint64_t>>(exact), entropy));
  }
  bool IsPure() const { return std::holds_alternative<PermuteAndFlip>(choice_); }

  size_t values_;
  Rational scale_;
  Choice choice_;
};

}  // namespace tacit::noise
