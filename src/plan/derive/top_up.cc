#include "plan/derive/top_up.h"

#include <algorithm>

#include "accounting/cost.h"
#include "base/mutant.h"
#include "base/secrets/digest.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/uniform/uniform.h"

namespace tacit::plan {
namespace {

// In steps of the grid. Why 2: rounding then is a sixteenth of the variance at most, and what it
// costs less than a fifteenth of the price.
const Rational& NarrowestScale() {
  static const Rational kSteps(2);
  return kSteps;
}

// A hair less than is asked for, so that what is written down, rounded up, is still no more.
const Rational& Hair() {
  static const Rational kHair(1, 100'000'000);
  return kHair;
}

// What choosing between two neighbouring whole numbers adds to the variance, at most.
const Rational& RoundingVariance() {
  static const Rational kQuarter(1, 4);
  return kQuarter;
}

// The smallest number of twelve digits that is not below it.
Rational DigitsUpOf(const Rational& value) { return SquareRootUp(Rational(value * value)); }

struct Missing {
  Measure drawn;
  uint64_t weight = 0;
  Rational scale;
};

// proof: plan/derive/top_up.md#claim
std::optional<Missing> MissingOf(const Measure& asked, const Rational& paid, const Rho& least) {
  const accounting::Event event = asked.mechanism->event();
  const auto* gaussian = std::get_if<accounting::DiscreteGaussianEvent>(&event);
  if (gaussian == nullptr) return std::nullopt;
  const Rational wished = Rational(asked.scale / asked.step * (1 - Hair()));
  if (wished < NarrowestScale()) return std::nullopt;
  const Rational paid_steps = Rational(paid / asked.step);
  const Rational paid_variance = Rational(paid_steps * paid_steps);
  const Rational wished_variance = Rational(wished * wished - RoundingVariance());
  if (paid_variance <= wished_variance) return std::nullopt;

  // Precisions, one over the variance, add up; and rho is a precision.
  const Rational precision = Rational(1 / wished_variance - 1 / paid_variance);
  const Rational rho = Rational(gaussian->sensitivity_l2_squared * precision / 2);
  const Rho price(std::max(DigitsUpOf(rho), least.value));
  if (price.value >= asked.cost.rho) return std::nullopt;
  Result<noise::DiscreteGaussian> noise = noise::DiscreteGaussian::Make(
      {.sensitivity_l2_squared = gaussian->sensitivity_l2_squared, .rho = price});
  if (!noise.ok()) return std::nullopt;
  const std::optional<accounting::ZcdpCost> cost = accounting::ZcdpCostOf(noise->event());
  TACIT_ASSERT(cost && cost->rho.value <= price.value && cost->delta.value == 0);

  const Rational drawn_variance = noise->sigma_squared();
  const Rational parts(Integer(static_cast<unsigned long>(kWeightParts)));
  const Rational share = Rational(paid_variance / (paid_variance + drawn_variance));
  const Integer weight = std::max(FloorOf(Rational(share * parts)), Integer(1));
  const Rational of_drawn = Rational(Rational(weight) / parts);
  const Rational of_paid = Rational(1 - of_drawn);
  const Rational variance = Rational(of_paid * of_paid * paid_variance +
                                     of_drawn * of_drawn * drawn_variance + RoundingVariance());
  Missing missing{.drawn = asked,
                  .weight = weight.get_ui(),
                  .scale = Rational(SquareRootUp(variance) * asked.step)};
  if (missing.scale > asked.scale) return std::nullopt;
  missing.drawn.scale = Rational(noise->ScaleUp() * asked.step);
  missing.drawn.moe95 = Rational(noise->ErrorAt95() * asked.step);
  missing.drawn.cost = {.epsilon = 0, .delta = 0, .rho = price.value};
  missing.drawn.mechanism = noise::AnyMechanism(std::move(noise).value());
  return missing;
}

}  // namespace

bool CanBeToppedUp(const Release& asked) {
  const bool has_constants = std::any_of(
      asked.parameters.begin(), asked.parameters.end(),
      [](const Parameter& each) { return std::holds_alternative<ReleasedConstant>(each); });
  return std::holds_alternative<AllGroups>(asked.selection) && !asked.measures.empty() &&
         asked.made_from.empty() && !has_constants && asked.exact && !asked.exact->totals_by &&
         std::all_of(asked.measures.begin(), asked.measures.end(), [](const Measure& measure) {
           return std::holds_alternative<accounting::DiscreteGaussianEvent>(
               measure.mechanism->event());
         });
}

std::optional<TopUp> TopUpOf(const Release& asked, const std::vector<Rational>& paid_scales,
                             const std::string& paid, const Rho& least) {
  if (!CanBeToppedUp(asked) || paid_scales.size() != asked.measures.size()) return std::nullopt;
  TopUp top_up{.draw = asked, .weights = {}, .scales = {}};
  top_up.draw.cost = {};
  top_up.draw.scales.clear();
  top_up.draw.shape.reset();
  std::string name = "tacit top-up 1\n" + asked.fingerprint + "\n" + paid + "\n";
  for (size_t i = 0; i < asked.measures.size(); ++i) {
    std::optional<Missing> missing = MissingOf(asked.measures[i], paid_scales[i], least);
    if (!missing) return std::nullopt;
    name += ToString(missing->drawn.cost.rho) + " " + std::to_string(missing->weight) + "\n";
    top_up.draw.cost.rho += missing->drawn.cost.rho;
    top_up.draw.scales.push_back(missing->drawn.scale);
    top_up.draw.measures[i] = std::move(missing->drawn);
    top_up.weights.push_back(missing->weight);
    top_up.scales.push_back(std::move(missing->scale));
  }
  top_up.draw.fingerprint = Sha256Hex(name);
  return top_up;
}

Int128 Together(Int128 paid, Int128 drawn, uint64_t weight, Entropy& entropy) {
  constexpr mp_bitcnt_t kWeightBits = 32;
  static_assert(kWeightParts == uint64_t{1} << kWeightBits);
  TACIT_ASSERT(weight <= kWeightParts);
  const Integer parts =
      (ToInteger(drawn) - ToInteger(paid)) * Integer(static_cast<unsigned long>(weight));
  const Integer below = parts >> kWeightBits;  // to the left, below zero too
  const Integer rest = parts - (below << kWeightBits);
  const bool up = noise::UniformBelow(kWeightParts, entropy) < rest.get_ui();
  const bool rounds = !TACIT_MUTANT("top_up_rounds_down");
  return SaturateToInt128(Integer(ToInteger(paid) + below + (up && rounds ? 1 : 0)));
}

}  // namespace tacit::plan
