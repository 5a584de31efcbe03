#pragma once

#include <variant>
#include <vector>

#include "noise/exponential_mechanism/exponential_mechanism.h"
#include "noise/permute_and_flip/permute_and_flip.h"
#include "plan/price/price.h"

namespace tacit::plan {

// What chooses one of several candidates for a whole price: permute and flip where epsilon is what
// counts, the exponential mechanism where rho is.
class Chooser {
 public:
  // `spread`: how far one step between neighbours moves the difference of any two utilities.
  static Result<Chooser> Make(const Integer& spread, const Price& price);

  // The index of the chosen one of at least one.
  size_t Apply(const std::vector<int64_t>& utilities, Entropy& entropy) const;
  // In 95 % of choices the chosen one is at most so far below the best.
  Integer UtilityLossAt95(size_t candidates) const;
  const char* Name() const;

 private:
  using Mechanism = std::variant<noise::PermuteAndFlip, noise::ExponentialMechanism>;
  explicit Chooser(Mechanism mechanism) : mechanism_(std::move(mechanism)) {}

  Mechanism mechanism_;
};

}  // namespace tacit::plan
